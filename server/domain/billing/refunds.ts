// Refunds to the method that paid. The amount leaves the balance before the provider is called, so that it cannot be spent
// meanwhile; a refund that the provider refuses comes back, and one without an answer is sent again under its key.
import { randomUUID } from 'node:crypto'
import { iso, later } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { emptyBalance } from '#server/domain/tariffs/balance.ts'
import { book, lockWallet, refuseOtherCurrency } from '#server/domain/tariffs/ledger.ts'
import { endPlanIn } from '#server/domain/tariffs/subscriptions-change.ts'
import { lookAt } from './looks.ts'
import {
  findPayment,
  updatePaymentHint,
  insertRefund,
  leaseRefunds,
  listDisputes,
  listRefunds,
  lockPayment,
  type RefundRow,
  updateRefund,
} from './payments-store.ts'
import { advanceOfRefund, reopenAdvances, withParts } from './payment-advances.ts'
import type { PaymentRow } from './providers/provider.ts'
import { providerOf } from './providers/registry.ts'
import { openRefundCase, openReturnCase } from './refund-case.ts'
import { noteSent } from './refund-papers.ts'
import type { PayServices } from './services.ts'
import { settle } from './settle.ts'

/** Longer than the calls of a refund may take, and the first delay before it is sent again, ms. */
const leaseMs = 60_000
/** Longest delay before a refund is sent again, ms. */
const delayMaxMs = 6 * 3_600_000
const batch = 10

interface RefundRequest {
  /** Minor units. */
  readonly amount: number
  readonly userId: number
  readonly reason: string
  /** End the running plan of the payment's line before, so that its unused part can be refunded. */
  readonly endPlan?: boolean | undefined
}

/**
 * Refunds a payment, or a part of it. Succeeds also while the provider does not answer: `runRefunds` sends the refund again.
 * @param noted called in the transaction that takes the amount
 * @throws RuleError `CurrencyDiffers` when the balance has another currency by now; `RefundTooHigh` with the largest amount;
 *   ProviderRefusedError
 */
export async function refundPayment(
  services: PayServices,
  payment: PaymentRow,
  { amount, userId, reason, endPlan }: RefundRequest,
  noted: (trx: Trx) => Promise<void>,
): Promise<void> {
  const row = await projectTransaction(services.db, payment.project_id, async (trx) => {
    if (endPlan && payment.type !== 'topup') await endPlanIn(trx, services.clock, payment.project_id, payment.type)
    const wallet = await lockWallet(trx, payment.project_id)
    const { currency, provider } = payment
    refuseOtherCurrency(wallet, currency)
    const max = Math.min(wallet.held.payment, await leftOf(trx, payment.id))
    if (amount > max)
      throw new RuleError('RefundTooHigh', 'The payment or the paid-in balance has less', { max_amount: max })
    const now = iso(services.clock.now())
    const change = { ...emptyBalance, payment: 0 - amount }
    const links = { payment_id: payment.id, user_id: userId }
    const movement = { type: 'payment_cancel', currency, provider, change, links } as const
    const { advances } = await book(trx, now, wallet, movement)
    await noted(trx)
    return await insertRefund(trx, {
      uuid: randomUUID(),
      payment_id: payment.id,
      user_id: userId,
      requested_minor: amount,
      taken_minor: amount,
      advance_minor: await advanceOfRefund(trx, payment, advances),
      advance_parts: withParts(null, advances),
      state: 'requested',
      reason,
      date_create: now,
      date_lease: iso(later(services.clock.now(), leaseMs)),
    })
  })
  await sendRefund(services, payment, row).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailableError)) throw error
    services.log.warn({ paymentId: payment.id, provider: payment.provider }, 'A refund got no answer')
  })
}

/** Sends refunds again whose answer is unknown. Any number of replicas may run it. @returns their number */
export async function runRefunds(services: PayServices): Promise<number> {
  const { db, clock } = services
  const now = clock.now()
  const taken = await leaseRefunds(db, { now: iso(now), until: iso(later(now, leaseMs)), limit: batch })
  await Promise.all(taken.map((row) => repeat(services, row)))
  return taken.length
}

/** Repeats a taken refund. Never throws: it is repeated after a delay that doubles up to 6 hours. */
async function repeat(services: PayServices, row: RefundRow): Promise<void> {
  const { db, clock, log } = services
  const about = { paymentId: row.payment_id, refundId: row.id }
  try {
    // The provider may have forgotten the key by now: a refund that it has is found instead of sent again.
    const known = await findPayment(db, row.payment_id)
    if (!known || known.pay_id === null) return
    await settle(services, known.id, await providerOf(services, known).look(known.pay_id, known.pay_ref))
    const present = (await listRefunds(db, known.id)).find(({ id }) => id === row.id)
    const payment = await findPayment(db, known.id)
    if (payment && present?.state === 'requested') await sendRefund(services, payment, row)
  } catch (error) {
    const expected = error instanceof RuleError || error instanceof ProviderUnavailableError
    if (expected) log.warn({ ...about, failure: error.name }, 'A refund could not be sent')
    else log.error({ ...about, err: error }, 'A refund could not be sent')
    const delay = Math.min(leaseMs * 2 ** Math.min(row.tries + 1, 10), delayMaxMs)
    const change = { tries: row.tries + 1, date_lease: iso(later(clock.now(), delay)) }
    await updateRefund(db, row.id, change, 'requested')
    await openRefundCase(services, row.payment_id)
  }
}

/** Sends a refund to the provider. Safe to repeat: the provider has one refund under its key. */
async function sendRefund(services: PayServices, payment: PaymentRow, row: RefundRow): Promise<void> {
  try {
    await providerOf(services, payment).refund(payment, row.requested_minor, row.uuid)
    await transaction(services.db, async (trx) => {
      await updatePaymentHint(trx, payment.id, iso(services.clock.now()))
      await noteSent(services, trx, payment.id, row.id)
    })
  } catch (error) {
    if (error instanceof ProviderRefusedError) await returnRefund(services, payment, row)
    throw error
  }
  await lookAt(services, payment.id)
}

/** Books a refused refund back, once. In another currency than the balance it becomes a case of the operator. */
async function returnRefund(services: PayServices, payment: PaymentRow, { id, requested_minor, user_id }: RefundRow) {
  await projectTransaction(services.db, payment.project_id, async (trx) => {
    const wallet = await lockWallet(trx, payment.project_id)
    await lockPayment(trx, payment.id)
    const present = (await listRefunds(trx, payment.id)).find((one) => one.id === id)
    if (present?.state !== 'requested') return
    const { currency, provider } = payment
    if (currency !== wallet.currency) return await openReturnCase(trx, payment.id, present)
    const now = iso(services.clock.now())
    const change = { ...emptyBalance, payment: requested_minor }
    const links = { payment_id: payment.id, user_id: user_id ?? undefined }
    const movement = { type: 'payment', currency, provider, change, links } as const
    const { paymentChange: enteredMinor } = await book(trx, now, wallet, movement)
    const back = { amountMinor: requested_minor, enteredMinor }
    const advance_parts = await reopenAdvances(trx, payment.project_id, present.advance_parts, back)
    await updateRefund(trx, id, { state: 'failed', returned_minor: requested_minor, advance_parts })
  })
}

async function leftOf(trx: Trx, paymentId: number): Promise<number> {
  const { credited_minor: credited } = await lockPayment(trx, paymentId)
  const refunds = await listRefunds(trx, paymentId)
  const disputes = await listDisputes(trx, paymentId)
  const gone = refunds.reduce((sum, one) => sum + one.taken_minor - one.returned_minor, 0)
  return credited - disputes.reduce((sum, one) => sum + one.withdrawn_minor - one.reinstated_minor, gone)
}
