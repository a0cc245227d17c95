// Checks: ask a provider for the state of a payment and book the difference. Webhooks, the return page, the schedule and
// reconciliation all end here.
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { type Job, type JobKind, runNow } from '#server/core/jobs.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { faultOf } from '#server/db/faults.ts'
import type { Outcome } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { chargePayment, endPayment } from './begin.ts'
import { findPayment, hasOpenRefund, listPaymentsToCheck, updatePayment, updatePaymentChecked } from './store.ts'
import type {
  PaymentRow,
  PayProvider,
  ProviderPayment,
  PayServices,
} from '#server/domain/billing/providers/provider.ts'
import { providerOf } from '#server/domain/billing/providers/registry.ts'
import { openRefundCase } from './refund-outcome.ts'
import { keyMs, checkDelayMs, checkKind, patienceMs, scheduleCheck } from './schedule.ts'
import { settle } from './settle.ts'
import type { settlement } from './settlement.ts'

/** Age of a payment from which a provider that does not know it has dropped it. */
const goneMs = 3_600_000

/** Creates the kind of jobs that check payments. @param rules of the settlement, default: those of the service */
export const checkJobWith = (rules?: typeof settlement): JobKind<PayServices> => ({
  ...checkKind,
  leaseMs: 60_000,
  atOnce: 10,
  // Of faults of the database only: the schedule has those of providers. The money of a customer waits for the check.
  backoff: { firstMs: 10_000, mostMs: 60_000 },
  parkAfter: 'never',
  missing: async (db) => (await listPaymentsToCheck(db)).map(String),
  run: (services, job) => check(services, job, rules),
})

/** Checks a payment. The key is the payment. */
export const checkJob = checkJobWith()

/** Checks one payment now. When another replica is checking it, that replica checks once more. */
export const checkPayment = (services: PayServices, id: number, rules?: typeof settlement): Promise<void> =>
  runNow(services, rules ? checkJobWith(rules) : checkJob, id)

/** Requests a check of a pending payment for an open page, at most every 2 seconds. */
export async function hintForPage({ db, clock }: Pick<Services, 'db' | 'clock'>, payment: PaymentRow): Promise<void> {
  const early = payment.date_seen !== null && payment.date_seen > iso(later(clock.now(), -2_000))
  if (payment.status === 'pending' && payment.pay_id !== null && !early)
    await transaction(db, (trx) => scheduleCheck(trx, payment.id))
}

/**
 * Checks a payment. A failure of its provider is no failure of the job: the schedule repeats the check.
 * @throws faults of the database: they are no check, after which the next one would wait longer
 */
async function check(services: PayServices, job: Job, rules?: typeof settlement): Promise<Outcome> {
  const { db, clock, log } = services
  const payment = await findPayment(db, Number(job.key))
  if (!payment) return 'done'
  let isUnknown = false
  try {
    await ask(services, payment, rules)
  } catch (error) {
    if (faultOf(error)) throw error
    isUnknown = error instanceof ProviderUnavailableError
    const expected = error instanceof ProviderUnavailableError || error instanceof ProviderRefusedError
    const about = { paymentId: payment.id, provider: payment.provider }
    if (expected) log.warn({ ...about, failure: error.name }, 'A payment could not be checked')
    else log.error({ ...about, err: error }, 'A payment could not be settled')
  }
  if (await hasOpenRefund(db, payment.id)) await openRefundCase(services, payment.id)
  const after = await findPayment(db, payment.id)
  // A payment that has ended is checked for its refunds and disputes.
  const isOpen = after?.status === 'pending' || isUnknown || (await hasOpenRefund(db, payment.id))
  const outcome = isOpen ? { againMs: checkDelayMs(payment.looks) } : 'done'
  await transaction(db, async (trx) => {
    await updatePaymentChecked(trx, payment.id, iso(clock.now()))
    await job.finish(trx, outcome)
  })
  return outcome
}

async function ask(services: PayServices, payment: PaymentRow, rules?: typeof settlement): Promise<void> {
  const payId = payment.pay_id ?? (await findLost(services, payment))
  if (payId === null) return
  const provider = providerOf(services, payment)
  const seen = await provider.check(payId, payment.pay_ref).catch(gone(services, payment))
  if (seen === null) return await endPayment(services, payment, 'cancel', 'expired')
  const report = await captured(services, provider, payment.id, seen)
  await settle(services, payment.id, report, rules)
  if (report.missed) throw report.missed
}

/** Returns a handler of failed checks: null for a payment that its provider no longer has. @throws every other failure */
const gone =
  ({ clock }: Pick<Services, 'clock'>, { date_begin: begun }: PaymentRow) =>
  (error: unknown): null => {
    const isGone = error instanceof ProviderRefusedError && error.refusedWith === 404
    // A provider may not yet know a payment that it has just created.
    if (isGone && begun !== null && begun <= iso(later(clock.now(), -goneMs))) return null
    throw error
  }

/** Takes the money of an approved payment, unless it has ended here meanwhile: a cancelled payment is never charged. */
async function captured(
  services: PayServices,
  provider: PayProvider,
  id: number,
  seen: ProviderPayment,
): Promise<ProviderPayment> {
  if (seen.status !== 'approved' || !provider.capture) return seen
  const payment = await findPayment(services.db, id)
  return payment?.status === 'pending' && payment.uuid === seen.uuid ? await provider.capture(payment) : seen
}

/**
 * Finds a payment whose creation at the provider got no answer, or repeats a charge under the same key. After a day
 * without either it has ended.
 */
async function findLost(services: PayServices, payment: PaymentRow): Promise<string | null> {
  const { db, clock } = services
  const { date_begin: begun } = payment
  const payId = begun === null ? null : await providerOf(services, payment).find(payment)
  if (payId !== null) await updatePayment(db, payment.id, { pay_id: payId })
  else if (payment.date_create <= iso(later(clock.now(), -patienceMs)))
    await endPayment(services, payment, 'cancel', 'expired')
  else if (begun !== null && payment.method_id !== null && begun > iso(later(clock.now(), -keyMs)))
    return (await chargePayment(services, payment)).payId
  return payId
}
