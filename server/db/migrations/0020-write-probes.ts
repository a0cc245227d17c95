// A table that is always empty: `Database.probe` inserts and deletes a row in one transaction.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('write_probes')
    .addColumn('filler', 'text', (col) => col.notNull())
    .execute()
}
