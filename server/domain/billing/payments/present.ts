// Payments as the wire shows them, and the event of a change.
import type { Payment } from '#contract/entities/payment.ts'
import { stalePlans } from '#contract/entities/stale.ts'
import type { Services } from '#server/core/context.ts'
import { listDisputes, listRefunds, sumDebtPaid, findPayment } from './store.ts'
import { findProvider } from '#server/domain/billing/providers/registry.ts'
import type { PaymentRow } from '#server/domain/billing/providers/provider.ts'
import { isInReview } from './review-case.ts'

/** Presents a payment with what was refunded and disputed. */
export async function presentPayment(
  services: Pick<Services, 'db' | 'clock' | 'config'>,
  row: PaymentRow,
): Promise<Payment> {
  const { db } = services
  const credited = row.credited_minor > 0
  const [refunds, disputes] = credited ? [await listRefunds(db, row.id), await listDisputes(db, row.id)] : [[], []]
  return {
    payment_id: row.id,
    amount: row.amount_minor,
    currency: row.currency,
    plan_period: row.period,
    status: row.status,
    type: row.type,
    ...(row.title === null ? {} : { title: row.title }),
    pay_name: row.provider,
    pay_system_id: row.pay_system_id,
    // `review_left` of a paid one is the operator's note on a refund.
    reason: row.status === 'success' ? null : row.reason,
    review: isInReview(row),
    purchase: row.purchase === null ? null : (JSON.parse(row.purchase) as Payment['purchase']),
    credited: row.credited_minor,
    debt_paid: credited ? await sumDebtPaid(db, row) : 0,
    refunded: refunds.reduce((sum, { taken_minor, returned_minor }) => sum + taken_minor - returned_minor, 0),
    disputed: disputes.reduce(
      (sum, { withdrawn_minor, reinstated_minor }) => sum + withdrawn_minor - reinstated_minor,
      0,
    ),
    instructions: findProvider(services, row.provider)?.instructions ?? null,
    date: row.date_create,
    date_end: row.date_end,
  }
}

/** Operations whose results depend on a payment; open pages fetch them again. */
const changed = ['billing.payments.create', 'tariffs.restream.buy'] as const

/** Publishes the state of a payment to the open pages of its project. Never throws. */
export async function publishPayment(
  { db, realtime, log }: Pick<Services, 'db' | 'realtime' | 'log'>,
  paymentId: number,
): Promise<void> {
  try {
    const payment = await findPayment(db, paymentId)
    if (!payment) return
    const { id: payment_id, provider, status, project_id: id } = payment
    realtime.publish({ type: 'project', id }, { event: 'payment-update', payload: { payment_id, provider, status } })
    realtime.publish({ type: 'project', id }, { event: 'project-update', payload: {} })
    for (const operation of changed)
      realtime.publish({ type: 'project_live', id }, { event: 'changed', payload: { operation, stale: stalePlans } })
  } catch (error) {
    log.error({ err: error, paymentId }, 'A payment was not published')
  }
}
