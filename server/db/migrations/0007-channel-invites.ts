// Invitations to use a channel.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('channel_invites')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('channel_id', 'integer', (col) => col.notNull().references('channels.id').onDelete('cascade'))
    .addColumn('from_project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('from_user_id', 'integer', (col) => col.notNull().references('users.id'))
    .addColumn('access_type', 'integer', (col) => col.notNull())
    .addColumn('to_project_id', 'integer', (col) => col.references('projects.id'))
    .addColumn('email', 'text')
    .addColumn('hash', 'text', (col) => col.unique())
    .addColumn('reject', 'integer', (col) => col.notNull())
    .addColumn('accepted_project_id', 'integer', (col) => col.references('projects.id'))
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_expire', 'text', (col) => col.notNull())
    .addColumn('date_end', 'text')
    .execute()
  await db.schema
    .createIndex('channel_invites_channel')
    .on('channel_invites')
    .columns(['channel_id', 'date_end'])
    .execute()
  await db.schema
    .createIndex('channel_invites_to')
    .on('channel_invites')
    .columns(['to_project_id', 'date_end'])
    .execute()
}
