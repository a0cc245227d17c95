// A table that is always empty: `Database.probe` writes to it and takes the row back in one transaction.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('write_probes')
    .addColumn('filler', 'text', (col) => col.notNull())
    .execute()
}
