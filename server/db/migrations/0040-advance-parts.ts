// Advances (54-FZ) that refunds and disputes took, to open them again when the money comes back. An advance keeps only what is open:
// its closing receipts have what is closed.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['payment_refunds', 'payment_disputes'])
    await db.schema.alterTable(table).addColumn('advance_parts', 'text').execute()
  for (const column of ['amount_minor', 'closed_minor'])
    await db.schema.alterTable('advances').dropColumn(column).execute()
}
