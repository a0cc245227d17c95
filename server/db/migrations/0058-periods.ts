// Periods that plans are sold for, which operators switch off.
import type { Kysely } from 'kysely'
import type { TariffTables } from '#server/db/tables-tariffs.ts'

export async function up(db: Kysely<TariffTables>): Promise<void> {
  await db.schema
    .createTable('periods')
    .addColumn('name', 'text', (col) => col.primaryKey())
    .addColumn('active', 'integer', (col) => col.notNull())
    .addColumn('sort_index', 'integer', (col) => col.notNull())
    .execute()
  await db
    .insertInto('periods')
    .values([
      { name: 'month', active: 1, sort_index: 10 },
      { name: 'year', active: 1, sort_index: 20 },
    ])
    .execute()
}
