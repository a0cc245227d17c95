// Credit note and history entry of a refund that an operator requested: written once, when the provider has it.
import type { Trx } from '#server/db/open.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { issuePaper } from './papers.ts'
import { findPaperOf } from './papers-store.ts'
import { listRefunds, lockPayment, type RefundRow, updateRefund } from './payments-store.ts'
import type { PaymentRow, ProviderPayment } from './providers/provider.ts'
import type { PayServices } from './services.ts'

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
  await issuePaper(trx, services, { kind: 'credit_note', source, payment, amountMinor: amount })
}
