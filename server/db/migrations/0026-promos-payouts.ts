// Links of ledger transactions to users, payments, payouts and referrals.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['user_id', 'payment_id', 'payout_id', 'referral_id']) {
    await db.schema.alterTable('ledger_transactions').addColumn(column, 'integer').execute()
  }
}
