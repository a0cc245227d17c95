// Refunds to the method that paid. The amount leaves the balance before the provider is called, so that it cannot be spent
// meanwhile; a refund that the provider refuses comes back, and one without an answer is sent again under its key.
import { randomUUID } from 'node:crypto'
import { hourMs, iso } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import { type Job, type JobKind, runNow } from '#server/core/jobs.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { FencedError, scheduleJob } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { book, lockWallet, refuseOtherCurrency } from '#server/domain/money/ledger.ts'
import { endPlanIn } from '#server/domain/tariffs/subscriptions-change.ts'
import { checkPayment } from '#server/domain/billing/payments/checks.ts'
import {
  findPayment,
  findRefund,
  insertRefund,
  listDisputes,
  listRefunds,
  listRequestedRefunds,
  lockPayment,
  type RefundRow,
  updateRefund,
} from '#server/domain/billing/payments/store.ts'
import { advanceOfRefund, reopenAdvances, withParts } from '#server/domain/billing/payments/advances.ts'
import type { PaymentRow, PayServices } from '#server/domain/billing/providers/provider.ts'
import { providerOf } from '#server/domain/billing/providers/registry.ts'
import { openRefundCase, openReturnCase, noteSent } from '#server/domain/billing/payments/refund-outcome.ts'
import { checkDelayMs, scheduleCheck } from '#server/domain/billing/payments/schedule.ts'
import { settle } from '#server/domain/billing/payments/settle.ts'

interface RefundRequest {
  /** Minor units. */
  readonly amount: number
  readonly userId: number
  readonly reason: string
  /** End the running plan of the payment's line before, so that its unused part can be refunded. */
  readonly endPlan?: boolean | undefined
}

/**
 * Refunds a payment, or a part of it. Succeeds also while the provider does not answer: `refundJob` sends the refund again.
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
    if (amount > max) throw new RuleError('RefundTooHigh', { max_amount: max })
    const now = iso(services.clock.now())
    const change = { ...emptyBalance, payment: 0 - amount }
    const links = { payment_id: payment.id, user_id: userId }
    const movement = { type: 'payment_cancel', currency, provider, change, links } as const
    const { advances } = await book(trx, now, wallet, movement)
    await noted(trx)
    const refund = await insertRefund(trx, {
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
    })
    // Sent below, and by the job when this process ends before.
    await scheduleJob(trx, refundJob, refund.id, { inMs: refundJob.leaseMs })
    return refund
  })
  await sendFirst(services, payment, row)
}

/** Sends a refund for the first time. @throws RuleError unless the provider did not answer: then a job sends it again */
async function sendFirst(services: PayServices, payment: PaymentRow, row: RefundRow): Promise<void> {
  let failure: unknown = null
  const run: JobKind<PayServices>['run'] = (_, job) =>
    whileRequested(services, row, async () => {
      await sendRefund(services, job, payment, row).catch((error: unknown) => {
        failure = error
        throw error
      })
    })
  await runNow(services, { ...refundJob, run }, row.id)
  const isContinued = failure instanceof ProviderUnavailableError || failure instanceof FencedError
  if (failure !== null && !isContinued) throw failure
}

/** Sends a refund again whose answer is unknown. The key is the refund. */
export const refundJob: JobKind<PayServices> = {
  kind: 'billing.refund',
  leaseMs: 60_000,
  atOnce: 10,
  backoff: { firstMs: 60_000, mostMs: 6 * hourMs },
  parkAfter: 'never',
  missing: async (db) => (await listRequestedRefunds(db)).map(String),
  async run(services, job) {
    const { db } = services
    const refund = await findRefund(db, Number(job.key))
    const known = refund && (await findPayment(db, refund.payment_id))
    if (refund?.state !== 'requested' || !known || known.pay_id === null) return 'done'
    const { pay_id: payId, pay_ref: payRef } = known
    return await whileRequested(services, refund, async () => {
      // The provider may have forgotten the key by now: a refund that it has is found instead of sent again.
      await settle(services, known.id, await providerOf(services, known).check(payId, payRef))
      const payment = await findPayment(db, known.id)
      const isRequested = (await findRefund(db, refund.id))?.state === 'requested'
      if (payment && isRequested) await sendRefund(services, job, payment, refund)
    })
  },
}

/** Takes a step of a refund. @throws the failure of the step, unless the refund has an outcome by then */
async function whileRequested(services: PayServices, row: RefundRow, step: () => Promise<void>): Promise<'done'> {
  const { id: refundId, payment_id: paymentId } = row
  try {
    await step()
  } catch (error) {
    await openRefundCase(services, paymentId)
    if (!(error instanceof RuleError) || (await findRefund(services.db, refundId))?.state === 'requested') throw error
    services.log.warn({ paymentId, refundId, failure: error.name }, 'A refund could not be sent')
  }
  return 'done'
}

/** Sends a refund to the provider. Safe to repeat: the provider has one refund under its key. */
async function sendRefund(services: PayServices, job: Job, payment: PaymentRow, row: RefundRow): Promise<void> {
  try {
    await providerOf(services, payment).refund(payment, row.requested_minor, row.uuid, row.advance_minor)
  } catch (error) {
    if (error instanceof ProviderRefusedError) await returnRefund(services, job, payment, row)
    throw error
  }
  await transaction(services.db, async (trx) => {
    await noteSent(services, trx, payment.id, row.id)
    await scheduleCheck(trx, payment.id, checkDelayMs(0))
    await job.finish(trx, 'done')
  })
  await checkPayment(services, payment.id)
}

/** Books a refused refund back, once. In another currency than the balance it becomes a case of the operator. */
async function returnRefund(
  services: PayServices,
  job: Job,
  payment: PaymentRow,
  { id, requested_minor, user_id }: RefundRow,
): Promise<void> {
  await projectTransaction(services.db, payment.project_id, async (trx) => {
    const wallet = await lockWallet(trx, payment.project_id)
    await lockPayment(trx, payment.id)
    const present = (await listRefunds(trx, payment.id)).find((one) => one.id === id)
    if (present?.state !== 'requested') return
    const { currency, provider } = payment
    if (currency !== wallet.currency) return await openReturnCase(services, trx, payment.id, present)
    const now = iso(services.clock.now())
    const change = { ...emptyBalance, payment: requested_minor }
    const links = { payment_id: payment.id, user_id: user_id ?? undefined }
    const movement = { type: 'payment', currency, provider, change, links } as const
    const { paymentChange: enteredMinor } = await book(trx, now, wallet, movement)
    const back = { amountMinor: requested_minor, enteredMinor }
    const advance_parts = await reopenAdvances(trx, payment.project_id, present.advance_parts, back)
    await updateRefund(trx, id, { state: 'failed', returned_minor: requested_minor, advance_parts })
    await job.finish(trx, 'done')
  })
}

async function leftOf(trx: Trx, paymentId: number): Promise<number> {
  const { credited_minor: credited } = await lockPayment(trx, paymentId)
  const refunds = await listRefunds(trx, paymentId)
  const disputes = await listDisputes(trx, paymentId)
  const gone = refunds.reduce((sum, one) => sum + one.taken_minor - one.returned_minor, 0)
  return credited - disputes.reduce((sum, one) => sum + one.withdrawn_minor - one.reinstated_minor, gone)
}
