// Outcomes of refunds: credit notes and history of accepted ones; cases of the operator of those that the provider does not
// confirm in time, and of refused ones whose amount the balance cannot take.
import { iso, later } from '#server/core/clock.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { lockWallet } from '#server/domain/money/ledger.ts'
import { findPayment, listRefunds, lockPayment, type RefundRow, updateRefund } from './store.ts'
import { noticeReturn } from './notices.ts'
import { openReview } from './open-review.ts'
import { publishPayment } from './present.ts'
import { caseOf, isInReview, type Review, returnsInCases, reviewOf } from './review-case.ts'
import type { PayServices, PaymentRow, ProviderPayment } from '#server/domain/billing/providers/provider.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { issuePaper } from '#server/domain/billing/papers/papers.ts'
import { findPaperOf } from '#server/domain/billing/papers/store.ts'

/** Time in which providers decide on a refund, ms. */
const decidedMs = 30 * 86_400_000

/**
 * Opens the case of the refunds of a payment that the provider has not confirmed in 30 days, for example because it has no such
 * payment any more. The service neither sends nor checks them again; a later report is booked. Waits for an open case.
 */
export async function openRefundCase(services: PayServices, id: number): Promise<void> {
  const { db, clock } = services
  const projectId = (await findPayment(db, id))?.project_id
  if (projectId === undefined) return
  const isOpened = await projectTransaction(db, projectId, async (trx) => {
    await lockWallet(trx, projectId)
    const payment = await lockPayment(trx, id)
    const before = iso(later(clock.now(), -decidedMs))
    const late = (await listRefunds(trx, id)).filter(
      ({ state, date_create }) => (state === 'requested' || state === 'sent') && date_create <= before,
    )
    if (late.length === 0 || isInReview(payment)) return false
    const amount = late.reduce((sum, { requested_minor }) => sum + requested_minor, 0)
    const returns = returnsInCases(payment)
    const review: Review = {
      reason: 'refund',
      amount,
      currency: payment.currency,
      ...(returns.length > 0 && { returns }),
    }
    await openReview(services, trx, payment, review, true)
    for (const row of late) await updateRefund(trx, row.id, { state: 'unclear' })
    return true
  })
  if (isOpened) await publishPayment(services, id)
}

/**
 * Ends a refused refund whose amount the balance of the project cannot take, and opens its case. Waits for an open case: the
 * refund is refused again later.
 */
export async function openReturnCase(
  services: Pick<PayServices, 'clock'>,
  trx: Trx,
  paymentId: number,
  refund: RefundRow,
): Promise<void> {
  const payment = await lockPayment(trx, paymentId)
  const { uuid: key, requested_minor: amountMinor } = refund
  const seen = { id: key, key, takenMinor: amountMinor, returnedMinor: amountMinor }
  const move = caseOf(payment, [{ kind: 'refund-failed', refund: seen, amountMinor }])
  if (move?.kind !== 'review') return
  await openReview(services, trx, payment, reviewOf(move), true)
  await updateRefund(trx, refund.id, { state: 'failed' })
}

/** Notes that a provider has accepted a requested refund. */
export async function noteSent(services: PayServices, trx: Trx, paymentId: number, refundId: number): Promise<void> {
  const payment = await lockPayment(trx, paymentId)
  const refund = (await listRefunds(trx, paymentId)).find(({ id }) => id === refundId)
  if (refund?.state !== 'requested') return
  await updateRefund(trx, refundId, { state: 'sent' })
  await recordRefund(services, trx, payment, refund)
}

/** Returns the refunds without an answer that a report of the provider has. */
export const arrivedIn = (seen: ProviderPayment, refunds: readonly RefundRow[]): readonly RefundRow[] =>
  refunds.filter(
    ({ state, uuid, provider_id }) =>
      (state === 'requested' || state === 'unclear') &&
      seen.refunds.some(({ id, key }) => key === uuid || id === provider_id),
  )

/** Issues the credit note of a refund, unless it has one. Call it last in the transaction: numbers are locked until it ends. */
export async function recordRefund(
  services: PayServices,
  trx: Trx,
  payment: PaymentRow,
  { uuid, requested_minor: amount }: RefundRow,
): Promise<void> {
  const source = `refund ${payment.id} ${uuid}`
  if (await findPaperOf(trx, source)) return
  const { id, project_id: projectId, currency } = payment
  const details = { amount, currency, payment_id: id }
  await recordHistory(services, trx, { projectId, userId: null, action: 'payment_refunded', details })
  await noticeReturn(services, trx, { kind: 'payment_refunded', payment, amountMinor: amount, ref: uuid })
  await issuePaper(trx, services, { kind: 'credit_note', source, payment, amountMinor: amount })
}
