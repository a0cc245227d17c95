// Exchange rates as rows by pair of currencies, in place of a column for roubles and dollars.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('rates')
    .addColumn('from_currency', 'text', (col) => col.notNull())
    .addColumn('to_currency', 'text', (col) => col.notNull())
    .addColumn('minor', dialect === 'postgres' ? 'bigint' : 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('rates_pkey', ['from_currency', 'to_currency'])
    .execute()
  await sql`insert into rates (from_currency, to_currency, minor)
    select 'usd', 'rub', kopecks_per_dollar from paper_settings where kopecks_per_dollar is not null`.execute(db)
  await db.schema.alterTable('paper_settings').dropColumn('kopecks_per_dollar').execute()
}
