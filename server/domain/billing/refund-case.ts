// Refunds that become cases of the operator: those that the provider does not confirm in time, and refused ones whose amount
// the balance cannot take.
import { iso, later } from '#server/core/clock.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { lockWallet } from '#server/domain/money/ledger.ts'
import { findPayment, listRefunds, lockPayment, type RefundRow, updatePayment, updateRefund } from './payments-store.ts'
import { publishPayment } from './publish.ts'
import { caseOf, isInReview, type Review, returnsInCases, reviewOf } from './review-case.ts'
import type { PayServices } from './services.ts'

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
    await updatePayment(trx, id, { review: JSON.stringify(review), reason: null })
    for (const row of late) await updateRefund(trx, row.id, { state: 'unclear' })
    return true
  })
  if (isOpened) await publishPayment(services, id)
}

/**
 * Ends a refused refund whose amount the balance of the project cannot take, and opens its case. Waits for an open case: the
 * refund is refused again later.
 */
export async function openReturnCase(trx: Trx, paymentId: number, refund: RefundRow): Promise<void> {
  const payment = await lockPayment(trx, paymentId)
  const { uuid: key, requested_minor: amountMinor } = refund
  const seen = { id: key, key, takenMinor: amountMinor, returnedMinor: amountMinor }
  const move = caseOf(payment, [{ kind: 'refund-failed', refund: seen, amountMinor }])
  if (move?.kind !== 'review') return
  await updatePayment(trx, paymentId, { review: JSON.stringify(reviewOf(move)), reason: null })
  await updateRefund(trx, refund.id, { state: 'failed' })
}
