// SQL of the model test of billing: booked state of a project, and invariants that hold at any moment.
import type { Db } from '#server/db/open.ts'

/** Booked levels of one payment, minor units. */
export interface BookedLevels {
  readonly id: number
  readonly status: string
  readonly credited: number
  readonly refunded: number
  /** Refunds that failed later. */
  readonly returned: number
  readonly withdrawn: number
  readonly reinstated: number
}

/** Returns the booked levels of the payments of a project, oldest first. */
export async function bookedLevels(db: Db, projectId: number): Promise<BookedLevels[]> {
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'status', 'credited_minor'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  const ids = payments.map(({ id }) => id)
  if (ids.length === 0) return []
  const refunds = await db.selectFrom('payment_refunds').selectAll().where('payment_id', 'in', ids).execute()
  const disputes = await db.selectFrom('payment_disputes').selectAll().where('payment_id', 'in', ids).execute()
  return payments.map(({ id, status, credited_minor }) => ({
    id,
    status,
    credited: credited_minor,
    refunded: sum(refunds.filter(of(id)).map((row) => row.taken_minor)),
    returned: sum(refunds.filter(of(id)).map((row) => row.returned_minor)),
    withdrawn: sum(disputes.filter(of(id)).map((row) => row.withdrawn_minor)),
    reinstated: sum(disputes.filter(of(id)).map((row) => row.reinstated_minor)),
  }))
}

/** Returns the sum of the entries of each account of a project, minor units. */
export async function accountsOf(db: Db, projectId: number): Promise<Readonly<Record<string, number>>> {
  const entries = await db
    .selectFrom('ledger_entries')
    .select(['account', 'amount_minor'])
    .where('project_id', '=', projectId)
    .execute()
  const sums: Record<string, number> = {}
  for (const { account, amount_minor } of entries) sums[account] = (sums[account] ?? 0) + amount_minor
  return sums
}

/** Returns everything that a message or a look may change, so that a repeated one can be compared. */
export async function stateOf(db: Db, projectId: number): Promise<string> {
  const wallet = await db.selectFrom('wallets').selectAll().where('project_id', '=', projectId).execute()
  const entries = await db.selectFrom('ledger_entries').selectAll().where('project_id', '=', projectId).execute()
  return JSON.stringify([wallet, entries.length, await bookedLevels(db, projectId)])
}

/** @returns descriptions of the broken rules: I1 in one currency, I11, and I6 for payments for plans */
export async function brokenMovements(db: Db, projectId: number): Promise<string[]> {
  const entries = await db
    .selectFrom('ledger_entries as entry')
    .innerJoin('ledger_transactions as moved', 'moved.id', 'entry.transaction_id')
    .select(['entry.transaction_id', 'entry.account', 'entry.currency', 'moved.type'])
    .where('entry.project_id', '=', projectId)
    .execute()
  const payments = await db.selectFrom('payments').selectAll().where('project_id', '=', projectId).execute()
  const currencies = new Set(entries.map(({ transaction_id, currency }) => `${transaction_id} ${currency}`))
  const transactions = new Set(entries.map(({ transaction_id }) => transaction_id))
  const outside: ReadonlySet<string> = new Set(['payment', 'payment_cancel', 'payout', 'payout_cancel'])
  return [
    ...(currencies.size === transactions.size ? [] : ['I1: a transaction has two currencies']),
    ...entries
      .filter(({ type, account }) => outside.has(type) && account === 'bonus')
      .map(({ transaction_id }) => `I11: transaction ${transaction_id} moves the bonus outside`),
    ...payments
      .filter(({ plan, status, purchase }) => plan !== null && (status === 'success') !== (purchase !== null))
      .map(({ id }) => `I6: payment ${id} neither bought its plan nor has a reason`),
  ]
}

/** Ends the looks at payments of earlier runs, which take no part in the next one. */
export async function forgetPayments(db: Db): Promise<void> {
  await db.updateTable('payments').set({ date_look: null }).execute()
}

const of = (paymentId: number) => (row: { readonly payment_id: number }) => row.payment_id === paymentId
const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0)
