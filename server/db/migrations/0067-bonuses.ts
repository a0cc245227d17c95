// Registration bonuses as rows by currency, in place of a column for each.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('bonuses')
    .addColumn('currency', 'text', (col) => col.primaryKey())
    .addColumn('minor', dialect === 'postgres' ? 'bigint' : 'integer', (col) => col.notNull())
    .execute()
  for (const currency of ['rub', 'usd']) {
    const column = `bonus_${currency}_minor`
    await sql`insert into bonuses (currency, minor)
      select ${sql.lit(currency)}, ${sql.ref(column)} from installation`.execute(db)
    await db.schema.alterTable('installation').dropColumn(column).execute()
  }
}
