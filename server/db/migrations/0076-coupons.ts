// Promo codes that lower the price of a purchase by a percentage.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('promo_codes').addColumn('percent', 'integer').execute()
}
