// SQL of the operator's list of payments.
import { sql } from 'kysely'
import type { paymentFilters } from '#contract/entities/payment.ts'
import { iso } from '#server/core/clock.ts'
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
  /** See `foundBy`. */
  readonly query?: string | undefined
  readonly date_from?: string | undefined
  /** Exclusive. */
  readonly date_to?: string | undefined
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

/** Finds payments by their number, that of a paper or at the provider, by amount, or by the e-mail of a member. */
function foundBy(db: ReadDb, text: string) {
  const [, series = '', number = ''] = /^([A-Z]-\d{4})-(\d{6,9})$/.exec(text.toUpperCase()) ?? []
  const amount = /^\d{1,9}(?:[.,]\d{1,2})?$/.test(text) ? Math.round(Number(text.replace(',', '.')) * 100) : -1
  return db
    .selectFrom('payments')
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('payments.id', '=', /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0),
        eb('payments.amount_minor', '=', amount),
        eb('payments.pay_id', '=', text),
        eb('payments.pay_ref', '=', text),
        eb('payments.uuid', '=', text),
        eb(
          'payments.id',
          'in',
          selectFrom('papers').select('payment_id').where('series', '=', series).where('number', '=', Number(number)),
        ),
        eb(
          'payments.project_id',
          'in',
          selectFrom('project_members')
            .innerJoin('users', 'users.id', 'project_members.user_id')
            .select('project_members.project_id')
            .where('users.email', '=', text.toLowerCase()),
        ),
      ]),
    )
}

function matching(db: ReadDb, { project_id, provider, query = '', date_from, date_to, ...rest }: PaymentFilter) {
  let all = query.trim() === '' ? db.selectFrom('payments') : foundBy(db, query.trim())
  if (date_from !== undefined) all = all.where('payments.date_create', '>=', iso(new Date(date_from)))
  if (date_to !== undefined) all = all.where('payments.date_create', '<', iso(new Date(date_to)))
  if (project_id !== undefined) all = all.where('payments.project_id', '=', project_id)
  if (provider !== undefined) all = all.where('payments.provider', '=', provider)
  return inStatus(all, rest)
}

function inStatus(all: ReturnType<typeof foundBy>, { status, overdue }: Pick<PaymentFilter, 'status' | 'overdue'>) {
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
