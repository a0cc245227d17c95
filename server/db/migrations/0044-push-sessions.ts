// Subscriptions of browsers belong to the session that made them. Rows without a session are dropped: nothing would end them.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.dropTable('push_subscriptions').execute()
  await db.schema
    .createTable('push_subscriptions')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('user_id', 'integer', (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('family_id', 'integer', (col) => col.notNull().references('token_families.id').onDelete('cascade'))
    .addColumn('token', 'text', (col) => col.notNull().unique())
    .addColumn('sealed', 'text', (col) => col.notNull())
    .addColumn('device', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('push_subscriptions_user').on('push_subscriptions').column('user_id').execute()
  await db.schema.createIndex('push_subscriptions_family').on('push_subscriptions').column('family_id').execute()
}
