// Refunds that their provider does not confirm: after a time they are cases of the operator.
import { iso, later } from '#server/core/clock.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { lockWallet } from '#server/domain/tariffs/ledger.ts'
import { findPayment, listRefunds, lockPayment, updatePayment, updateRefund } from './payments-store.ts'
import { publishPayment } from './publish.ts'
import { isInReview, type Review, returnsInCases } from './review-case.ts'
import type { PayServices } from './services.ts'

/** Time in which providers decide on a refund, ms. */
const decidedMs = 30 * 86_400_000

/**
 * Opens the case of the refunds of a payment that the provider has not confirmed in 30 days, for example because it has no such
 * payment any more. The service neither sends nor looks at them again; a later report is booked. Waits for an open case.
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
    for (const row of late) await updateRefund(trx, row.id, { state: 'unclear', date_lease: null })
    return true
  })
  if (isOpened) await publishPayment(services, id)
}
