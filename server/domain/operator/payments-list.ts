// Payments of all projects as operators see them, and their providers.
import type { OperatorPayment } from '#contract/entities/payment.ts'
import type { Services } from '#server/core/context.ts'
import { openByHand } from '#server/domain/billing/refunds/disputes.ts'
import { listProviderStates, listDisputes } from '#server/domain/billing/payments/store.ts'
import { presentPayment } from '#server/domain/billing/payments/present.ts'
import { findProvider, payProviders } from '#server/domain/billing/providers/registry.ts'
import { parseReview } from '#server/domain/billing/payments/review-case.ts'
import { overdueBefore } from './overview.ts'
import { findPayments, type PaymentFilter } from './payments-store.ts'

/** Returns a page of payments, newest first, and how many match. */
export async function listOperatorPayments(
  services: Pick<Services, 'db' | 'clock' | 'config'>,
  filter: Omit<PaymentFilter, 'overdue'>,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly results: OperatorPayment[] }> {
  const { rows, total } = await findPayments(services.db, { ...filter, overdue: overdueBefore(services) }, page)
  const results = await Promise.all(
    rows.map(async ({ project_name, ...row }) => {
      const payment = await presentPayment(services, row)
      const { refunded, disputed, review } = payment
      const left = row.credited_minor - refunded - disputed
      const review_case = review && row.review !== null ? caseShown(row.review) : null
      const open_dispute = disputed > 0 ? openByHand(await listDisputes(services.db, row.id)) : 0
      const isReported = findProvider(services, row.provider)?.reportsDisputes ?? false
      const may_dispute = !isReported && left > 0 && open_dispute === 0
      const more = { left, may_dispute, open_dispute, review_case }
      return { ...payment, project_id: row.project_id, project_name, ...more }
    }),
  )
  return { total, results }
}

function caseShown(review: string): OperatorPayment['review_case'] {
  const { reason, amount, currency } = parseReview(review)
  return { reason, amount, currency }
}

/** Returns each provider that is configured or was reconciled, with the differences that its last reconciliation found. */
export async function listProviders(services: Pick<Services, 'db' | 'clock' | 'config'>) {
  const states = await listProviderStates(services.db)
  const names = new Set(
    [...payProviders(services), ...states.map(({ provider: name }) => ({ name }))].map((p) => p.name),
  )
  return [...names].map((name) => {
    const state = states.find(({ provider }) => provider === name)
    const { mismatches = 0, date_reconciled = null, date_event = null } = state ?? {}
    return { name, mismatches, date_reconciled, date_event }
  })
}
