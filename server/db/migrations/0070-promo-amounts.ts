// Credits of promo codes as rows by currency, in place of a column for each.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('promo_amounts')
    .addColumn('promo_id', 'integer', (col) => col.notNull().references('promo_codes.id'))
    .addColumn('currency', 'text', (col) => col.notNull())
    .addColumn('minor', dialect === 'postgres' ? 'bigint' : 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('promo_amounts_pkey', ['promo_id', 'currency'])
    .execute()
  for (const currency of ['rub', 'usd']) {
    const column = sql.ref(`amount_${currency}`)
    await sql`insert into promo_amounts (promo_id, currency, minor)
      select id, ${sql.lit(currency)}, ${column} from promo_codes where ${column} is not null`.execute(db)
    await db.schema.alterTable('promo_codes').dropColumn(`amount_${currency}`).execute()
  }
}
