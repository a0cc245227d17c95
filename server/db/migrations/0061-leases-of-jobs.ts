// Jobs and owners are the only leases: removes the columns of earlier ones in tables of money.
import type { Kysely } from 'kysely'

const leases = {
  payments: ['date_lease'],
  payment_refunds: ['date_lease', 'tries'],
  pay_providers: ['date_lease'],
  closing_receipts: ['date_lease'],
  renewals: ['lease_until'],
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(leases))
    for (const column of columns) await db.schema.alterTable(table).dropColumn(column).execute()
}
