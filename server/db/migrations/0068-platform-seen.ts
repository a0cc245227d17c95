// What the platform of a restream shows: JSON of `Seen`; null: unknown.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('restreams').addColumn('seen', 'text').execute()
}
