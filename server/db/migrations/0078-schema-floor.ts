// Oldest migration that a release must know to run beside the newest one (schemaFloor in server/db/migrate.ts).
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('schema_floor', 'text').execute()
}
