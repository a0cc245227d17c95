// Renames the reason `price_not_told` of renewals to `price_not_announced`.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['renewals', 'renewal_tries'])
    await sql`update ${sql.table(table)} set reason = 'price_not_announced' where reason = 'price_not_told'`.execute(db)
  await sql`update notifications set params = replace(params, '"price_not_told"', '"price_not_announced"')
    where params like '%"price_not_told"%'`.execute(db)
}
