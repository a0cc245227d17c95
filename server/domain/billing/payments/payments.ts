// Payments of projects: created here, paid at a provider, settled by checks.
import { randomUUID } from 'node:crypto'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { refuseWhileOff } from '#server/domain/installation/installation.ts'
import { balanceMaxMinor, lockWallet } from '#server/domain/money/ledger.ts'
import { getCurrency } from '#server/domain/money/store.ts'
import type { PurchaseRequest } from '#server/domain/tariffs/subscriptions.ts'
import { endPayment, refuseEnded } from './begin.ts'
import { checkPayment } from './checks.ts'
import { getMethod } from './methods.ts'
import { noticeInvoice } from './notices.ts'
import { countPending, findPayment, findPaymentByKey, insertPayment } from './store.ts'
import { issuePaper } from '#server/domain/billing/papers/papers.ts'
import type { PayProvider, PaymentRow, PaySystem, PayServices } from '#server/domain/billing/providers/provider.ts'
import { planPurchase } from './purchase.ts'
import { findProvider, payProviders } from '#server/domain/billing/providers/registry.ts'
import { patienceMs, scheduleCheck } from './schedule.ts'

type LimitedServices = PayServices & Pick<Services, 'limits'>

const createdPerMinute = 10
const pendingMax = 5

/** A payment to create. */
export interface PaymentRequest {
  readonly projectId: number
  readonly userId: number | null
  readonly type: PaymentRow['type']
  /** Minor units. */
  readonly amount: number
  readonly paySystemId?: number | undefined
  /** Saved method to charge. */
  readonly methodId?: number | undefined
  readonly save?: boolean | undefined
  /** Idempotency key. */
  readonly key?: string | undefined
  /** Plan that is bought when the payment succeeds. */
  readonly purchase?: PurchaseRequest | undefined
}

/** A pay system and its provider. */
interface OfferedSystem {
  readonly provider: PayProvider
  readonly system: PaySystem
}

/** Returns every configured pay system. */
export const offeredSystems = (services: Pick<Services, 'db' | 'clock' | 'config'>): readonly OfferedSystem[] =>
  payProviders(services).flatMap((provider) => provider.systems.map((system) => ({ provider, system })))

/**
 * Creates a payment. No provider is called before `beginPayment`.
 * @returns the payment; that of an earlier call with the same key and request
 * @throws RuleError `PaymentsOff`, `PaySystemNotOffered`, `AmountNotAllowed`, `BalanceTooHigh`, `TooManyPayments`,
 *   `IdempotencyKeyReused`; `AmountDiffers` and the errors of `quotePurchase` for a payment for a plan
 */
export async function createPayment(services: LimitedServices, request: PaymentRequest): Promise<PaymentRow> {
  const { db, clock, limits } = services
  const { projectId, purchase } = request
  limits.count(`payments ${projectId}`, createdPerMinute)
  await refuseWhileOff(db)
  const currency = await getCurrency(db, projectId)
  const method = request.methodId === undefined ? null : await getMethod(services, projectId, request.methodId)
  const { provider, system } = wayFor(services, { ...request, provider: method?.provider }, currency)
  const text = JSON.stringify([request.type, request.amount, system.id, request.methodId, purchase])
  const repeated = await findRepeated(db, request, text)
  if (repeated) return repeated
  checkAmount(request.amount, system)
  const planned = purchase && (await planPurchase(services, purchase, request.amount, system))
  return await projectTransaction(db, projectId, async (trx) => {
    const { held, currency: present } = await lockWallet(trx, projectId)
    const earlier = await findRepeated(trx, request, text)
    if (earlier) return earlier
    if (present !== currency) throw new RuleError('PaySystemNotOffered')
    if (held.payment + request.amount > balanceMaxMinor) throw new RuleError('BalanceTooHigh', { max: balanceMaxMinor })
    if ((await countPending(trx, projectId)) >= pendingMax)
      throw new RuleError('TooManyPayments', { pending_max: pendingMax })
    const payment = await insertPayment(trx, {
      uuid: randomUUID(),
      project_id: projectId,
      user_id: request.userId,
      provider: provider.name,
      pay_system_id: system.id,
      currency,
      amount_minor: request.amount,
      type: request.type,
      plan: planned === undefined ? null : JSON.stringify(planned),
      period: purchase?.period ?? null,
      title: planned?.title ?? null,
      quote_total: planned?.quotedTotal ?? null,
      date_quote: planned?.asOf.at ?? null,
      method_id: method?.id ?? null,
      save: request.save === true ? 1 : 0,
      status: 'pending',
      idempotency_key: request.key ?? null,
      request: text,
      date_create: iso(clock.now()),
    })
    await scheduleCheck(trx, payment.id, patienceMs)
    if (provider.name === 'invoice') await issueInvoice(services, trx, payment, provider.instructions ?? '')
    return payment
  })
}

/** Issues the paper that the customer transfers the amount for. */
async function issueInvoice(services: LimitedServices, trx: Trx, payment: PaymentRow, account: string): Promise<void> {
  const source = `invoice ${payment.id}`
  const request = { kind: 'invoice', source, payment, amountMinor: payment.amount_minor, account } as const
  await noticeInvoice(services, trx, payment, (await issuePaper(trx, services, request)).number)
}

/** @throws RuleError `IdempotencyKeyReused` */
async function findRepeated(db: Db | Trx, { projectId, key }: PaymentRequest, text: string) {
  const earlier = key === undefined ? undefined : await findPaymentByKey(db, projectId, key)
  if (earlier && earlier.request !== text) throw new RuleError('IdempotencyKeyReused')
  return earlier
}

function wayFor(
  services: LimitedServices,
  { paySystemId, provider: name }: Pick<PaymentRequest, 'paySystemId'> & { readonly provider?: string | undefined },
  currency: PaymentRow['currency'],
): OfferedSystem {
  const offered = offeredSystems(services).filter(({ system }) => system.currency === currency)
  if (offered.length === 0) throw new RuleError('PaymentsOff', { currency })
  const way = offered.find(
    ({ system, provider }) =>
      (paySystemId === undefined || system.id === paySystemId) && (name === undefined || provider.name === name),
  )
  if (!way) throw new RuleError('PaySystemNotOffered', { currency })
  return way
}

function checkAmount(amount: number, { minAmount, maxAmount }: PaySystem): void {
  if (amount >= minAmount && amount <= maxAmount) return
  const data = { min_amount: minAmount, max_amount: maxAmount }
  throw new RuleError('AmountNotAllowed', data)
}

/** Returns a payment of a project. @throws NotFoundError */
export async function getPayment({ db }: Pick<Services, 'db'>, projectId: number, id: number): Promise<PaymentRow> {
  const payment = await findPayment(db, id)
  if (payment?.project_id !== projectId) throw new NotFoundError('PaymentNotFound')
  return payment
}

/**
 * Cancels a pending payment. One that was paid meanwhile is settled instead. Where the provider cannot cancel, or does not
 * respond, the payment ends here (`given_up`), and a late success is credited.
 * @throws RuleError `PaymentEnded`
 */
export async function cancelPayment(services: PayServices, payment: PaymentRow): Promise<void> {
  refuseEnded(payment)
  if (payment.date_begin === null) return await endPayment(services, payment, 'cancel', null)
  const { db } = services
  // Where only the service takes the money, and of pending payments only, a later approval takes none.
  if (findProvider(services, payment.provider)?.capture)
    await endPayment(services, payment, 'cancel', payment.pay_ref === null ? null : 'given_up')
  await cancelAtProvider(services, payment)
  const present = await findPayment(db, payment.id)
  if (present?.status === 'pending') await endPayment(services, payment, 'cancel', 'given_up')
  else if (present?.reason !== 'given_up') return
  await transaction(db, (trx) => scheduleCheck(trx, payment.id, patienceMs))
}

async function cancelAtProvider(services: PayServices, payment: PaymentRow): Promise<void> {
  const provider = findProvider(services, payment.provider)
  if (!provider) return
  try {
    if (payment.pay_id !== null) await provider.cancel(payment.pay_id)
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError || error instanceof ProviderRefusedError)) throw error
    services.log.warn(
      { paymentId: payment.id, failure: error.name },
      'A payment could not be cancelled at its provider',
    )
  }
  await checkPayment(services, payment.id)
}
