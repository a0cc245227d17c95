// Channels, and the projects that may use them.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('channels')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('owner_project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('user_id', 'integer', (col) => col.references('users.id'))
    .addColumn('type', 'text', (col) => col.notNull())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('name_folded', 'text', (col) => col.notNull())
    .addColumn('external_id', 'text', (col) => col.notNull())
    .addColumn('channel_url', 'text', (col) => col.notNull())
    .addColumn('photo', 'text')
    .addColumn('account_id', 'integer')
    .addColumn('address', 'text')
    .addColumn('secret_sealed', 'text')
    .addColumn('settings', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('channels_owner').on('channels').column('owner_project_id').execute()

  await db.schema
    .createTable('project_channels')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('channel_id', 'integer', (col) => col.notNull().references('channels.id').onDelete('cascade'))
    .addColumn('access_type', 'integer', (col) => col.notNull())
    .addColumn('active', 'integer', (col) => col.notNull())
    .addColumn('transcoder_id', 'integer')
    .addColumn('delay_seconds', 'integer', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addUniqueConstraint('project_channels_key', ['channel_id', 'project_id'])
    .execute()
  // The list of a project is in the order in which its channels were added.
  await db.schema.createIndex('project_channels_project').on('project_channels').columns(['project_id', 'id']).execute()
}
