// SQL of the model test of billing: booked state of a project, and invariants that hold at any moment.
import { removeJobsOf } from '#server/db/jobs.ts'
import type { Db } from '#server/db/open.ts'
import { checkJob } from '#server/domain/billing/payments/checks.ts'
import { listDifferingAccounts } from '#server/domain/operator/ledger-check-store.ts'
import { isInReview, parseReview } from '#server/domain/billing/payments/review-case.ts'

/** Amounts of one payment that only grow, minor units. */
export interface Levels {
  readonly credited: number
  readonly refunded: number
  /** Refunds that failed later. */
  readonly returned: number
  readonly withdrawn: number
  readonly reinstated: number
}

/** Levels of one payment that are booked or in cases of the operator. */
export interface KnownLevels extends Levels {
  readonly id: number
  readonly status: string
  /** The part in cases, which is not booked. */
  readonly inCases: Levels
  readonly isWaiting: boolean
}

/** Returns the levels of the payments of a project, oldest first. */
export async function knownLevels(db: Db, projectId: number): Promise<KnownLevels[]> {
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'status', 'credited_minor', 'review', 'reason'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  const ids = payments.map(({ id }) => id)
  if (ids.length === 0) return []
  const refunds = await db.selectFrom('payment_refunds').selectAll().where('payment_id', 'in', ids).execute()
  const disputes = await db.selectFrom('payment_disputes').selectAll().where('payment_id', 'in', ids).execute()
  return payments.map(({ id, status, credited_minor, review, reason }) => {
    const inCases = casesOf(credited_minor, review)
    return {
      id,
      status,
      inCases,
      isWaiting: isInReview({ review, reason }),
      credited: credited_minor + inCases.credited,
      refunded: sum(refunds.filter(of(id)).map((row) => row.taken_minor)) + inCases.refunded,
      returned: sum(refunds.filter(of(id)).map((row) => row.returned_minor)) + inCases.returned,
      withdrawn: sum(disputes.filter(of(id)).map((row) => row.withdrawn_minor)) + inCases.withdrawn,
      reinstated: sum(disputes.filter(of(id)).map((row) => row.reinstated_minor)) + inCases.reinstated,
    }
  })
}

/** Returns the amounts in cases of a payment: money that arrived and is not credited, or returns of a credited one. */
function casesOf(credited: number, review: string | null): Levels {
  const none = { credited: 0, refunded: 0, returned: 0, withdrawn: 0, reinstated: 0 }
  if (review === null) return none
  const { amount, returns = [] } = parseReview(review)
  if (credited === 0) return { ...none, credited: amount }
  const [refunds, disputes] = [
    returns.filter(({ kind }) => kind === 'refund'),
    returns.filter(({ kind }) => kind === 'dispute'),
  ]
  return {
    credited: 0,
    refunded: sum(refunds.map(({ takenMinor }) => takenMinor)),
    returned: sum(refunds.map(({ returnedMinor }) => returnedMinor)),
    withdrawn: sum(disputes.map(({ takenMinor }) => takenMinor)),
    reinstated: sum(disputes.map(({ returnedMinor }) => returnedMinor)),
  }
}

/** Returns the sum of the entries of each account of a project in each currency, minor units. @example { 'sales usd': 990 } */
export async function accountsOf(db: Db, projectId: number): Promise<Readonly<Record<string, number>>> {
  const entries = await db
    .selectFrom('ledger_entries')
    .select(['account', 'currency', 'amount_minor'])
    .where('project_id', '=', projectId)
    .execute()
  const sums: Record<string, number> = {}
  for (const { account, currency, amount_minor } of entries) {
    const name = `${account} ${currency}`
    sums[name] = (sums[name] ?? 0) + amount_minor
  }
  return sums
}

/** Returns everything that a message or a check may change, so that a repeated one can be compared. */
export async function stateOf(db: Db, projectId: number): Promise<string> {
  const wallet = await db.selectFrom('wallets').selectAll().where('project_id', '=', projectId).execute()
  const entries = await db.selectFrom('ledger_entries').selectAll().where('project_id', '=', projectId).execute()
  return JSON.stringify([wallet, entries.length, await knownLevels(db, projectId)])
}

/** @returns descriptions of the broken rules: I1 in one currency, I2 and I3 in each currency, I11, and I6 for payments for plans */
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
    ...(await listDifferingAccounts(db, projectId)).map(
      ({ account, currency, minor }) => `I2, I3: ${account} differs by ${minor} ${currency}`,
    ),
    ...entries
      .filter(({ type, account }) => outside.has(type) && account === 'bonus')
      .map(({ transaction_id }) => `I11: transaction ${transaction_id} moves the bonus outside`),
    ...payments
      .filter(({ plan, status, purchase }) => plan !== null && (status === 'success') !== (purchase !== null))
      .map(({ id }) => `I6: payment ${id} neither bought its plan nor has a reason`),
  ]
}

/** Returns the refunds of a project that were requested and not sent. */
export const listOpenRefunds = (db: Db, projectId: number) =>
  db
    .selectFrom('payment_refunds as refund')
    .innerJoin('payments as payment', 'payment.id', 'refund.payment_id')
    .select(['refund.payment_id', 'refund.requested_minor'])
    .where('payment.project_id', '=', projectId)
    .where('refund.state', '=', 'requested')
    .execute()

/** Ends the checks of payments of earlier runs, which take no part in the next one. */
export async function forgetPayments(db: Db): Promise<void> {
  await removeJobsOf(db, checkJob.kind)
}

const of = (paymentId: number) => (row: { readonly payment_id: number }) => row.payment_id === paymentId
const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0)
