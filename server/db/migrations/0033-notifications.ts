// Notifications, their deliveries with one lane per recipient and channel, and how users are reached.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await notifications(db, dialect)
  await deliveries(db, dialect)
  await reach(db, dialect)
}

async function notifications(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('notifications')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('user_id', 'integer', (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('category', 'text', (col) => col.notNull())
    .addColumn('params', 'text', (col) => col.notNull())
    .addColumn('fact', 'text', (col) => col.notNull())
    .addColumn('in_cabinet', 'integer', (col) => col.notNull())
    .addColumn('is_screen', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('done', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_show', 'text', (col) => col.notNull())
    .addColumn('date_read', 'text')
    .execute()
  // One notification of a fact for each user.
  await db.schema.createIndex('notifications_fact').on('notifications').columns(['fact', 'user_id']).unique().execute()
  await db.schema
    .createIndex('notifications_user')
    .on('notifications')
    .columns(['user_id', 'in_cabinet', 'date_show'])
    .execute()
  await db.schema
    .createIndex('notifications_project')
    .on('notifications')
    .columns(['project_id', 'date_show'])
    .execute()
}

async function deliveries(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('notification_deliveries')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('notification_id', 'integer', (col) => col.notNull().references('notifications.id').onDelete('cascade'))
    .addColumn('lane_id', 'integer', (col) => col.notNull())
    .addColumn('channel', 'text', (col) => col.notNull())
    .addColumn('state', 'text', (col) => col.notNull())
    .addColumn('date_due', 'text', (col) => col.notNull())
    .addColumn('attempts', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('batch', 'text')
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('mark', 'text')
    .addColumn('date_sent', 'text')
    .execute()
  await db.schema
    .createIndex('notification_deliveries_once')
    .on('notification_deliveries')
    .columns(['notification_id', 'channel'])
    .unique()
    .execute()
  await db.schema
    .createIndex('notification_deliveries_lane')
    .on('notification_deliveries')
    .columns(['lane_id', 'state', 'date_due'])
    .execute()
  await db.schema
    .createTable('notification_lanes')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('user_id', 'integer', (col) => col.notNull())
    .addColumn('project_id', 'integer', (col) => col.notNull())
    .addColumn('channel', 'text', (col) => col.notNull())
    .addColumn('date_due', 'text')
    .addColumn('claim', 'text')
    .addColumn('date_claim', 'text')
    .addColumn('batch', 'text')
    .addColumn('window_ms', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('date_last', 'text')
    .addColumn('day', 'text')
    .addColumn('day_count', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('notification_lanes_once')
    .on('notification_lanes')
    .columns(['user_id', 'project_id', 'channel'])
    .unique()
    .execute()
  await db.schema.createIndex('notification_lanes_due').on('notification_lanes').column('date_due').execute()
}

async function reach(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('notify_settings')
    .addColumn('user_id', 'integer', (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('channel', 'text', (col) => col.notNull())
    .addColumn('category', 'text', (col) => col.notNull())
    .addColumn('is_on', 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('notify_settings_key', ['user_id', 'project_id', 'channel', 'category'])
    .execute()
  await db.schema
    .createTable('notify_preferences')
    .addColumn('user_id', 'integer', (col) => col.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('quiet_from', 'text', (col) => col.notNull())
    .addColumn('quiet_to', 'text', (col) => col.notNull())
    .addColumn('time_zone', 'text', (col) => col.notNull())
    .addColumn('quiet_important', 'integer', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('push_subscriptions')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('user_id', 'integer', (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token', 'text', (col) => col.notNull().unique())
    .addColumn('sealed', 'text', (col) => col.notNull())
    .addColumn('device', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('push_subscriptions_user').on('push_subscriptions').column('user_id').execute()
  await db.schema
    .createTable('telegram_links')
    .addColumn('user_id', 'integer', (col) => col.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('chat_id', 'text', (col) => col.notNull().unique())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('telegram_link_tokens')
    .addColumn('hash', 'text', (col) => col.primaryKey())
    .addColumn('user_id', 'integer', (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('date_expire', 'text', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('service_keys')
    .addColumn('name', 'text', (col) => col.primaryKey())
    .addColumn('sealed', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
}
