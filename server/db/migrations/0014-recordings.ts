// Recordings: a row per file on the disk of a relay node.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('recordings')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('broadcast_id', 'integer', (col) => col.references('broadcasts.id').onDelete('set null'))
    .addColumn('node', 'text', (col) => col.notNull())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('file', 'text', (col) => col.notNull())
    .addColumn('state', 'text', (col) => col.notNull())
    .addColumn('reason', 'text')
    .addColumn('bytes', 'bigint', (col) => col.notNull())
    .addColumn('duration_ms', 'bigint', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addUniqueConstraint('recordings_key', ['node', 'name'])
    .execute()
  await db.schema.createIndex('recordings_project').on('recordings').columns(['project_id', 'id']).execute()
}
