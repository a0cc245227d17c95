// Opens a case of a payment for the operators.
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { notifyOfMoney } from '#server/domain/notifications/operators.ts'
import type { PaymentRow } from '#server/domain/billing/providers/provider.ts'
import type { Review } from './review-case.ts'
import { updatePayment } from './store.ts'

/**
 * Opens a case, and notifies the operators of it.
 * @param isAgain clears the decision on an earlier case of the payment
 */
export async function openReview(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  { id, project_id: projectId }: Pick<PaymentRow, 'id' | 'project_id'>,
  review: Review,
  isAgain: boolean,
): Promise<void> {
  await updatePayment(trx, id, { review: JSON.stringify(review), ...(isAgain && { reason: null }) })
  const { amount, currency } = review
  await notifyOfMoney(services, trx, { kind: 'operator_review', ref: id, projectId, amount, currency })
}
