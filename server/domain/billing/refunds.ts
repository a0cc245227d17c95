// Refunds to the method that paid. The amount leaves the balance before the provider is called, so that it cannot be spent
// meanwhile; a refund that the provider refuses comes back.
import { randomUUID } from 'node:crypto'
import { iso } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import { ProviderRefusedError } from '#server/core/provider-http.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { emptyBalance } from '#server/domain/tariffs/balance.ts'
import { book, lockWallet } from '#server/domain/tariffs/ledger.ts'
import { lookAt } from './looks.ts'
import { insertRefund, listDisputes, listRefunds, lockPayment, type RefundRow, updateRefund } from './payments-store.ts'
import type { PaymentRow } from './provider.ts'
import { providerOf } from './registry.ts'
import type { PayServices } from './services.ts'

/**
 * Refunds a payment, or a part of it.
 * @param noted called in the transaction that takes the amount
 * @throws RuleError `RefundTooHigh` with the largest amount
 */
export async function refundPayment(
  services: PayServices,
  payment: PaymentRow,
  { amount, userId, reason }: { readonly amount: number; readonly userId: number; readonly reason: string },
  noted: (trx: Trx) => Promise<void>,
): Promise<void> {
  const row = await projectTransaction(services.db, payment.project_id, async (trx) => {
    const wallet = await lockWallet(trx, payment.project_id)
    const max = Math.min(wallet.held.payment, await leftOf(trx, payment.id))
    if (amount > max)
      throw new RuleError('RefundTooHigh', 'The payment or the paid-in balance has less', { max_amount: max })
    const now = iso(services.clock.now())
    const change = { ...emptyBalance, payment: 0 - amount }
    const links = { payment_id: payment.id, user_id: userId }
    await book(trx, now, wallet, { type: 'payment_cancel', provider: payment.provider, change, links })
    await noted(trx)
    return await insertRefund(trx, {
      uuid: randomUUID(),
      payment_id: payment.id,
      user_id: userId,
      requested_minor: amount,
      taken_minor: amount,
      state: 'requested',
      reason,
      date_create: now,
    })
  })
  await sendRefund(services, payment, row)
}

/** Sends a refund to the provider. Safe to repeat: the provider has one refund under its key. */
async function sendRefund(services: PayServices, payment: PaymentRow, row: RefundRow): Promise<void> {
  try {
    await providerOf(services, payment).refund(payment, row.requested_minor, row.uuid)
    await updateRefund(services.db, row.id, { state: 'sent' })
  } catch (error) {
    if (error instanceof ProviderRefusedError) await returnRefund(services, payment, row)
    throw error
  }
  await lookAt(services, payment.id)
}

/** Books a refused refund back. */
async function returnRefund(services: PayServices, payment: PaymentRow, { id, requested_minor, user_id }: RefundRow) {
  await projectTransaction(services.db, payment.project_id, async (trx) => {
    const wallet = await lockWallet(trx, payment.project_id)
    const now = iso(services.clock.now())
    const change = { ...emptyBalance, payment: requested_minor }
    const links = { payment_id: payment.id, user_id: user_id ?? undefined }
    await book(trx, now, wallet, { type: 'payment', provider: payment.provider, change, links })
    await updateRefund(trx, id, { state: 'failed', returned_minor: requested_minor })
  })
}

async function leftOf(trx: Trx, paymentId: number): Promise<number> {
  const { credited_minor: credited } = await lockPayment(trx, paymentId)
  const refunds = await listRefunds(trx, paymentId)
  const disputes = await listDisputes(trx, paymentId)
  const gone = refunds.reduce((sum, one) => sum + one.taken_minor - one.returned_minor, 0)
  return credited - disputes.reduce((sum, one) => sum + one.withdrawn_minor - one.reinstated_minor, gone)
}
