// SQL of the operator's list of payments.
import type { paymentFilters } from '#contract/entities/payment.ts'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'
import { reviewLeft } from '#server/domain/billing/payments/review-case.ts'
import type { PaymentRow } from '#server/domain/billing/providers/provider.ts'

export interface PaymentFilter {
  readonly project_id?: number | undefined
  /** `review`: payments that wait for the operator's decision. */
  readonly status?: (typeof paymentFilters)[number] | undefined
  readonly provider?: string | undefined
}

/** Returns whether any project has made a payment, in any state. */
export const hasPayments = async (db: ReadDb): Promise<boolean> =>
  (await db.selectFrom('payments').select('id').limit(1).executeTakeFirst()) !== undefined

/** Returns a page of payments with the names of their projects, newest first, and how many match. */
export async function findPayments(
  db: ReadDb,
  { project_id, status, provider }: PaymentFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: (PaymentRow & { project_name: string })[]; readonly total: number }> {
  let all = db.selectFrom('payments')
  if (project_id !== undefined) all = all.where('payments.project_id', '=', project_id)
  if (provider !== undefined) all = all.where('payments.provider', '=', provider)
  if (status === 'review')
    all = all
      .where('payments.review', 'is not', null)
      .where(({ or, eb }) => or([eb('payments.reason', 'is', null), eb('payments.reason', '!=', reviewLeft)]))
  else if (status !== undefined) all = all.where('payments.status', '=', status)
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
