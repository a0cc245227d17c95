// Payments that operators mark as paid or refund.
import type { Services, User } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { endDispute, openDispute } from '#server/domain/billing/refunds/disputes.ts'
import { markPaid } from '#server/domain/billing/providers/invoice/provider.ts'
import { checkPayment } from '#server/domain/billing/payments/checks.ts'
import { findPayment, lockPayment, updatePayment } from '#server/domain/billing/payments/store.ts'
import { resolveReview } from '#server/domain/billing/refunds/review.ts'
import { refundPayment } from '#server/domain/billing/refunds/refunds.ts'
import { closeCase } from '#server/domain/notifications/incidents.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'

/** A change of a payment. Amount in minor units. */
interface Change {
  readonly id: number
  readonly amount: number
  readonly reason: string
}

/**
 * Marks an invoice as paid, and settles it. The amount replaces that of an earlier mark, also one that was left.
 * @throws NotFoundError; RuleError `NoInvoice`
 */
export async function payInvoice(services: Services, user: User, { id, amount, reason }: Change): Promise<void> {
  const payment = await getPayment(services, id)
  if (payment.provider !== 'invoice' || payment.pay_id === null) throw new RuleError('NoInvoice')
  await transaction(services.db, async (trx) => {
    const after = { payment_id: id, amount, currency: payment.currency }
    const entry = { userId: user.id, action: 'invoice_paid', projectId: payment.project_id, after, reason }
    await logOperator(trx, services.clock, entry)
    const { review, credited_minor: credited } = await lockPayment(trx, id)
    if (review !== null && credited === 0) await updatePayment(trx, id, { review: null, reason: null })
    await markPaid({ db: trx }, payment.uuid, amount)
    for (const kind of ['operator_transfer', 'operator_review'] as const)
      await closeCase(services, trx, { kind, ref: id })
  })
  await checkPayment(services, id)
}

/**
 * Refunds a payment, or a part of it. With `endPlan` the running plan of the payment's line ends before.
 * @throws NotFoundError; RuleError `RefundTooHigh`
 */
export async function refund(
  services: Services,
  user: User,
  { id, amount, reason, endPlan }: Change & { readonly endPlan: boolean },
): Promise<void> {
  const payment = await getPayment(services, id)
  const after = { payment_id: id, amount, currency: payment.currency, ...(endPlan && { end_plan: true }) }
  const entry = { userId: user.id, action: 'payment_refund', projectId: payment.project_id, after, reason }
  await refundPayment(services, payment, { amount, userId: user.id, reason, endPlan }, (trx) =>
    logOperator(trx, services.clock, entry),
  )
}

/** Enters a dispute of a payment by hand. @throws NotFoundError; the errors of `openDispute` */
export async function enterDispute(services: Services, user: User, { id, amount, reason }: Change): Promise<void> {
  const payment = await getPayment(services, id)
  const after = { payment_id: id, amount, currency: payment.currency }
  const entry = { userId: user.id, action: 'dispute_opened', projectId: payment.project_id, after, reason }
  await openDispute(services, payment, amount, (trx) => logOperator(trx, services.clock, entry))
}

/** Ends a dispute that was entered by hand. @throws NotFoundError; RuleError `NoDispute` */
export async function closeDispute(
  services: Services,
  user: User,
  { id, isWon, reason }: { readonly id: number; readonly isWon: boolean; readonly reason: string },
): Promise<void> {
  const payment = await getPayment(services, id)
  const action = isWon ? 'dispute_won' : 'dispute_lost'
  const entry = { userId: user.id, action, projectId: payment.project_id, after: { payment_id: id }, reason }
  await endDispute(services, payment, isWon, (trx) => logOperator(trx, services.clock, entry))
}

/** Credits what arrived for a payment, or leaves it. @throws NotFoundError; the errors of `resolveReview` */
export async function resolve(
  services: Services,
  user: User,
  { id, isBooked, reason }: { readonly id: number; readonly isBooked: boolean; readonly reason: string },
): Promise<void> {
  const payment = await getPayment(services, id)
  const { project_id: projectId } = payment
  const action = isBooked ? 'review_booked' : 'review_left'
  await resolveReview(services, payment, isBooked, (trx, { amount, currency }) => {
    const after = { payment_id: id, amount, currency }
    return logOperator(trx, services.clock, { userId: user.id, action, projectId, after, reason })
  })
}

async function getPayment({ db }: Services, id: number) {
  const payment = await findPayment(db, id)
  if (!payment) throw new NotFoundError('PaymentNotFound')
  return payment
}
