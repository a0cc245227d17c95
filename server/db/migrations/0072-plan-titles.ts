// Names of plans in the languages of the dashboard, beside the title that every plan has.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('plan_titles')
    .addColumn('line', 'text', (col) => col.notNull())
    .addColumn('plan_id', 'integer', (col) => col.notNull())
    .addColumn('language', 'text', (col) => col.notNull())
    .addColumn('title', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('plan_titles_pkey', ['line', 'plan_id', 'language'])
    .execute()
}
