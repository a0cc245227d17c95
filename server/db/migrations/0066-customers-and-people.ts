// Suspended projects, notes of operators on projects, and the mode of sign-up that operators choose.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { schema } = db
  await schema.alterTable('projects').addColumn('date_suspend', 'text').execute()
  await schema.alterTable('projects').addColumn('suspend_reason', 'text').execute()
  await schema.alterTable('installation').addColumn('sign_up', 'text').execute()
  await schema
    .createTable('project_notes')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('user_id', 'integer', (col) => col.notNull().references('users.id'))
    .addColumn('text', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await schema.createIndex('project_notes_project').on('project_notes').columns(['project_id', 'id']).execute()
}
