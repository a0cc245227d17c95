// Events of a broadcast that repeat: one row with a count.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('broadcast_events')
    .addColumn('count', 'integer', (col) => col.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('broadcast_events').addColumn('date_last', 'text').execute()
}
