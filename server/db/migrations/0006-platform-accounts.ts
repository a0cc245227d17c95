// Accounts on platforms, pending OAuth authorizations, and Telegram chats.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('oauth_states')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('hash', 'text', (col) => col.notNull().unique())
    .addColumn('provider', 'text', (col) => col.notNull())
    .addColumn('purpose', 'text', (col) => col.notNull())
    .addColumn('user_id', 'integer', (col) => col.references('users.id'))
    .addColumn('project_id', 'integer', (col) => col.references('projects.id'))
    .addColumn('redirect_uri', 'text', (col) => col.notNull())
    .addColumn('openid', 'integer', (col) => col.notNull())
    .addColumn('data', 'text', (col) => col.notNull())
    .addColumn('answer_sealed', 'text')
    .addColumn('date_expire', 'text', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('platform_accounts')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('user_id', 'integer', (col) => col.notNull().references('users.id'))
    .addColumn('platform', 'text', (col) => col.notNull())
    .addColumn('external_id', 'text', (col) => col.notNull())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('avatar', 'text', (col) => col.notNull())
    .addColumn('status', 'integer', (col) => col.notNull())
    .addColumn('tokens_sealed', 'text', (col) => col.notNull())
    .addColumn('date_lease', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_update', 'text', (col) => col.notNull())
    .addUniqueConstraint('platform_accounts_key', ['user_id', 'platform', 'external_id'])
    .execute()
  await db.schema
    .createTable('channel_platforms')
    .addColumn('channel_id', 'integer', (col) => col.primaryKey().references('channels.id').onDelete('cascade'))
    .addColumn('planned_id', 'text')
    .addColumn('community_sealed', 'text')
    .execute()
  await createTelegram(db, dialect)
}

async function createTelegram(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('telegram_chats')
    .addColumn('channel_id', 'integer', (col) => col.primaryKey().references('channels.id').onDelete('cascade'))
    .addColumn('code_hash', 'text')
    .addColumn('chat_id', 'text')
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('domain', 'text', (col) => col.notNull())
    .addColumn('filter_mode', 'integer', (col) => col.notNull())
    .addColumn('message_id', 'integer')
    .addColumn('link', 'text', (col) => col.notNull())
    .addColumn('date_update', 'text', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('telegram_posts')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('chat_id', 'text', (col) => col.notNull())
    .addColumn('message_id', 'integer', (col) => col.notNull())
    .addColumn('text', 'text', (col) => col.notNull())
    .addColumn('attachments', 'text', (col) => col.notNull())
    .addColumn('pinned', 'integer', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addUniqueConstraint('telegram_posts_key', ['chat_id', 'message_id'])
    .execute()
  await db.schema
    .createTable('telegram_offsets')
    .addColumn('id', 'integer', (col) => col.primaryKey())
    .addColumn('next_update', 'integer', (col) => col.notNull())
    .execute()
}
