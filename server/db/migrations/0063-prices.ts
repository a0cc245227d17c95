// Prices of plans as rows by part and currency, in place of a column for each.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'

const currencies = ['rub', 'usd']
/** Columns without the currency, by line and part of the price. */
const columns = {
  restream: { base: 'price', channel_step: 'channel_step_price', bitrate_step: 'bitrate_step_price' },
  transcoding: { base: 'price' },
  storage: { base: 'price' },
}

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('prices')
    .addColumn('line', 'text', (col) => col.notNull())
    .addColumn('plan_id', 'integer', (col) => col.notNull())
    .addColumn('part', 'text', (col) => col.notNull())
    .addColumn('currency', 'text', (col) => col.notNull())
    .addColumn('minor', dialect === 'postgres' ? 'bigint' : 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('prices_pkey', ['line', 'plan_id', 'part', 'currency'])
    .execute()
  for (const [line, parts] of Object.entries(columns))
    for (const [part, prefix] of Object.entries(parts))
      for (const currency of currencies) await move(db, { line, part, currency }, `${prefix}_${currency}`)
}

async function move(
  db: Kysely<unknown>,
  { line, part, currency }: Readonly<Record<'line' | 'part' | 'currency', string>>,
  column: string,
): Promise<void> {
  const table = `${line}_plans`
  await sql`insert into prices (line, plan_id, part, currency, minor)
    select ${sql.lit(line)}, id, ${sql.lit(part)}, ${sql.lit(currency)}, ${sql.ref(column)} from ${sql.table(table)}
    where ${sql.ref(column)} is not null`.execute(db)
  await db.schema.alterTable(table).dropColumn(column).execute()
}
