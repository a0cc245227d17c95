// Projects and their members.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('projects')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('external_id', 'text', (col) => col.notNull().unique())
    .addColumn('type', 'integer', (col) => col.notNull())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('fename', 'text', (col) => col.notNull())
    .addColumn('photo', 'text')
    .addColumn('currency', 'text', (col) => col.notNull())
    .addColumn('country_id', 'integer', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('project_members')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('user_id', 'integer', (col) => col.notNull().references('users.id'))
    .addColumn('access_type', 'integer', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addUniqueConstraint('project_members_key', ['user_id', 'project_id'])
    .execute()
  await db.schema.createIndex('project_members_project').on('project_members').column('project_id').execute()
}
