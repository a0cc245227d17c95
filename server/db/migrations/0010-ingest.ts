// Ingest of projects: stream keys, pull keys, and relay nodes with their reports.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('stream_keys')
    .addColumn('project_id', 'integer', (col) => col.primaryKey().references('projects.id'))
    .addColumn('key_sealed', 'text', (col) => col.notNull())
    .addColumn('key_hash', 'text', (col) => col.notNull().unique())
    .addColumn('record', 'integer', (col) => col.notNull())
    .addColumn('wait_minutes', 'integer', (col) => col.notNull())
    .addColumn('date_rotate', 'text', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('pull_keys')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('key_sealed', 'text', (col) => col.notNull())
    .addColumn('key_hash', 'text', (col) => col.notNull().unique())
    .addColumn('transport', 'text', (col) => col.notNull())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('region', 'text', (col) => col.notNull())
    .addColumn('status', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('pull_keys_project').on('pull_keys').column('project_id').execute()

  await db.schema
    .createTable('ingest_nodes')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('name', 'text', (col) => col.notNull().unique())
    .addColumn('about', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_report', 'text', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('ingest_reports')
    .addColumn('node_id', 'integer', (col) => col.notNull().references('ingest_nodes.id').onDelete('cascade'))
    .addColumn('date_report', 'text', (col) => col.notNull())
    .addColumn('network', 'double precision', (col) => col.notNull())
    .addColumn('cpu', 'double precision', (col) => col.notNull())
    .addColumn('ram', 'double precision', (col) => col.notNull())
    .addColumn('delivered', 'double precision', (col) => col.notNull())
    .addPrimaryKeyConstraint('ingest_reports_key', ['node_id', 'date_report'])
    .execute()
  await db.schema.createIndex('ingest_reports_date').on('ingest_reports').column('date_report').execute()
}
