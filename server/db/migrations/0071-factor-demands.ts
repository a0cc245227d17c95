// Demands for a second factor: of the members of a project, of operators, of everyone.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('projects')
    .addColumn('second_factor', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('installation')
    .addColumn('second_factor', 'text', (col) => col.notNull().defaultTo('none'))
    .execute()
}
