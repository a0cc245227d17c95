// Details of broadcasts: nodes of events, targets of platforms, viewers, and chat keys.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('broadcasts').addColumn('date_pause', 'text').execute()
  await db.schema.alterTable('broadcasts').addColumn('date_viewers', 'text').execute()

  await db.schema.alterTable('broadcast_events').addColumn('node', 'text').execute()
  await db.schema
    .createIndex('broadcast_events_time')
    .on('broadcast_events')
    .columns(['broadcast_id', 'date_create', 'id'])
    .execute()

  await db.schema.alterTable('restreams').addColumn('url', 'text').execute()
  await db.schema.alterTable('restreams').addColumn('viewers', 'integer').execute()
  await db.schema.alterTable('restreams').addColumn('viewers_max', 'integer').execute()

  await db.schema
    .createTable('broadcast_targets')
    .addColumn('broadcast_id', 'integer', (col) => col.notNull().references('broadcasts.id').onDelete('cascade'))
    .addColumn('channel_id', 'integer', (col) => col.notNull())
    .addColumn('state', 'text', (col) => col.notNull())
    .addColumn('attempt', 'integer', (col) => col.notNull())
    .addColumn('address', 'text')
    .addColumn('secret_sealed', 'text')
    .addColumn('video_id', 'text')
    .addColumn('url', 'text')
    .addColumn('date_next', 'text')
    .addPrimaryKeyConstraint('broadcast_targets_key', ['broadcast_id', 'channel_id'])
    .execute()

  await db.schema
    .createTable('broadcast_viewers')
    .addColumn('broadcast_id', 'integer', (col) => col.notNull().references('broadcasts.id').onDelete('cascade'))
    .addColumn('step', 'integer', (col) => col.notNull())
    .addColumn('at', 'bigint', (col) => col.notNull())
    .addColumn('viewers', 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('broadcast_viewers_key', ['broadcast_id', 'step', 'at'])
    .execute()

  await db.schema
    .createTable('chat_keys')
    .addColumn('project_id', 'integer', (col) => col.primaryKey().references('projects.id'))
    .addColumn('key_sealed', 'text', (col) => col.notNull())
    .addColumn('key_hash', 'text', (col) => col.notNull().unique())
    .execute()
}
