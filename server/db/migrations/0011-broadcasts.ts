// Broadcasts with their restreams, events and samples.
import { type Kysely, sql } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('relay_nodes')
    .addColumn('name', 'text', (col) => col.primaryKey())
    .addColumn('seq', 'bigint', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('broadcasts')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('node', 'text', (col) => col.notNull())
    .addColumn('status', 'text', (col) => col.notNull())
    .addColumn('encoder', 'text', (col) => col.notNull())
    .addColumn('address', 'text', (col) => col.notNull())
    .addColumn('reconnects', 'integer', (col) => col.notNull())
    .addColumn('sample', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_end', 'text')
    .execute()
  await db.schema.createIndex('broadcasts_project').on('broadcasts').columns(['project_id', 'id']).execute()
  // At most one broadcast of a project is on air.
  await db.schema
    .createIndex('broadcasts_on_air')
    .on('broadcasts')
    .column('project_id')
    .unique()
    .where(sql.ref('date_end'), 'is', null)
    .execute()

  await db.schema
    .createTable('restreams')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('broadcast_id', 'integer', (col) => col.notNull().references('broadcasts.id').onDelete('cascade'))
    .addColumn('channel_id', 'integer', (col) => col.notNull())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('type', 'text', (col) => col.notNull())
    .addColumn('report', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_live', 'text')
    .addUniqueConstraint('restreams_key', ['broadcast_id', 'channel_id'])
    .execute()

  await db.schema
    .createTable('broadcast_events')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('broadcast_id', 'integer', (col) => col.notNull().references('broadcasts.id').onDelete('cascade'))
    .addColumn('channel_id', 'integer')
    .addColumn('level', 'text', (col) => col.notNull())
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('reason', 'text')
    .addColumn('words', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('broadcast_events_of').on('broadcast_events').columns(['broadcast_id', 'id']).execute()

  await db.schema
    .createTable('broadcast_samples')
    .addColumn('broadcast_id', 'integer', (col) => col.notNull().references('broadcasts.id').onDelete('cascade'))
    .addColumn('step', 'integer', (col) => col.notNull())
    .addColumn('at', 'bigint', (col) => col.notNull())
    .addColumn('kbps', 'integer', (col) => col.notNull())
    .addColumn('fps', 'double precision', (col) => col.notNull())
    .addPrimaryKeyConstraint('broadcast_samples_key', ['broadcast_id', 'step', 'at'])
    .execute()
}
