// Quarters, which are not sold until an operator sells them, and discounts as rows by period, in place of a column for each.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into periods (name, active, sort_index) values ('quarter', 0, 15)`.execute(db)
  await db.schema
    .createTable('period_discounts')
    .addColumn('line', 'text', (col) => col.notNull())
    .addColumn('period', 'text', (col) => col.notNull().references('periods.name'))
    .addColumn('percent', 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('period_discounts_pkey', ['line', 'period'])
    .execute()
  for (const period of ['month', 'year'])
    await sql`insert into period_discounts (line, period, percent)
      select line, ${sql.lit(period)}, ${sql.ref(`${period}_percent`)} from plan_discounts`.execute(db)
  await db.schema.dropTable('plan_discounts').execute()
}
