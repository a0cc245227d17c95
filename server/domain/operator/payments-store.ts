// SQL of the operator's list of payments.
import { sql } from 'kysely'
import type { paymentFilters } from '#contract/entities/payment.ts'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'
import { reviewLeft } from '#server/domain/billing/payments/review-case.ts'
import type { PaymentRow } from '#server/domain/billing/providers/provider.ts'
import { sumOf } from './ledger-store.ts'
import type { Waiting } from './overview-store.ts'

export interface PaymentFilter {
  readonly project_id?: number | undefined
  readonly status?: (typeof paymentFilters)[number] | undefined
  readonly provider?: string | undefined
  /** Time before which an opened invoice is overdue. */
  readonly overdue: string
}

/** Returns whether any project has made a payment, in any state. */
export const hasPayments = async (db: ReadDb): Promise<boolean> =>
  (await db.selectFrom('payments').select('id').limit(1).executeTakeFirst()) !== undefined

/** Returns a page of payments with the names of their projects, newest first, and how many match. */
export async function findPayments(
  db: ReadDb,
  filter: PaymentFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: (PaymentRow & { project_name: string })[]; readonly total: number }> {
  const all = matching(db, filter)
  const rows = await all
    .innerJoin('projects', 'projects.id', 'payments.project_id')
    .selectAll('payments')
    .select('projects.name as project_name')
    .orderBy('payments.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(all) }
}

/** Counts the payments that match, with their amounts. */
export async function countPayments(db: ReadDb, filter: PaymentFilter): Promise<Waiting> {
  const rows = await matching(db, filter)
    .select(['payments.currency', sql<number>`count(*)`.as('count')])
    .select(({ fn }) => [
      fn.sum<number>('payments.amount_minor').as('amount'),
      fn.min('payments.date_create').as('oldest'),
    ])
    .groupBy('payments.currency')
    .orderBy('payments.currency')
    .execute()
  const [oldest = null] = rows.map((row) => row.oldest).toSorted()
  const sums = rows.map(({ currency, amount }) => sumOf(currency, amount))
  return { count: rows.reduce((sum, row) => sum + Number(row.count), 0), oldest, sums }
}

function matching(db: ReadDb, { project_id, status, provider, overdue }: PaymentFilter) {
  let all = db.selectFrom('payments')
  if (project_id !== undefined) all = all.where('payments.project_id', '=', project_id)
  if (provider !== undefined) all = all.where('payments.provider', '=', provider)
  if (status === undefined) return all
  if (status === 'review')
    return all
      .where('payments.review', 'is not', null)
      .where(({ or, eb }) => or([eb('payments.reason', 'is', null), eb('payments.reason', '!=', reviewLeft)]))
  if (status === 'dispute')
    return all.where('payments.id', 'in', (eb) =>
      eb.selectFrom('payment_disputes').select('payment_id').where('status', '=', 'open'),
    )
  if (status === 'transfer' || status === 'overdue')
    return all
      .where('payments.status', '=', 'pending')
      .where('payments.provider', '=', 'invoice')
      .where('payments.pay_id', 'is not', null)
      .where('payments.review', 'is', null)
      .$if(status === 'overdue', (query) => query.where('payments.date_create', '<', overdue))
  return all.where('payments.status', '=', status)
}
