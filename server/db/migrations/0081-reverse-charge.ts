// Countries whose businesses account for the tax themselves (reverse charge).
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('tax_rates')
    .addColumn('reverse_charge', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()
}
