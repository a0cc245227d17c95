// Indexes of the messages of a payment and of the entries of an account, and the number of tries of a refund.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('payment_events_payment').on('payment_events').column('payment_id').execute()
  await db.schema
    .createIndex('ledger_entries_account')
    .on('ledger_entries')
    .columns(['project_id', 'account'])
    .execute()
  await db.schema
    .alterTable('payment_refunds')
    .addColumn('tries', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()
}
