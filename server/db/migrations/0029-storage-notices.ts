// Dates of the notices before recordings are removed.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('storage_removals').addColumn('date_week', 'text').execute()
  await db.schema.alterTable('storage_removals').addColumn('date_day', 'text').execute()
}
