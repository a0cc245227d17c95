// The lease of the loop that reads Telegram's updates, discussion groups, and messages that platforms deliver to any replica.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('telegram_offsets')
    .addColumn('holder', 'text', (col) => col.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('telegram_offsets')
    .addColumn('until', 'bigint', (col) => col.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('telegram_chats').addColumn('discussion_id', 'text').execute()
  await db.schema.alterTable('telegram_posts').addColumn('thread_id', 'integer').execute()
  await db.schema
    .createTable('chat_inboxes')
    .addColumn('source', 'text', (col) => col.primaryKey())
    .addColumn('until', 'bigint', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('chat_inbox')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('source', 'text', (col) => col.notNull())
    .addColumn('external_id', 'text', (col) => col.notNull())
    .addColumn('body', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addUniqueConstraint('chat_inbox_key', ['source', 'external_id'])
    .execute()
  await db.schema.createIndex('chat_inbox_date').on('chat_inbox').column('date_create').execute()
}
