// Creators of projects, and invitations into projects.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('projects')
    .addColumn('created_by', 'integer', (col) => col.references('users.id'))
    .execute()
  await db.schema.createIndex('projects_created_by').on('projects').column('created_by').execute()

  await db.schema
    .createTable('project_invites')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('from_user_id', 'integer', (col) => col.notNull().references('users.id'))
    .addColumn('access_type', 'integer', (col) => col.notNull())
    .addColumn('email', 'text')
    .addColumn('hash', 'text', (col) => col.notNull().unique())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .addColumn('date_expire', 'text', (col) => col.notNull())
    .addColumn('date_end', 'text')
    .addColumn('accepted_by', 'integer', (col) => col.references('users.id'))
    .execute()
  await db.schema
    .createIndex('project_invites_project')
    .on('project_invites')
    .columns(['project_id', 'date_end'])
    .execute()
}
