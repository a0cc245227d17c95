// Closing receipts (54-FZ): sends those that purchases have requested, and checks until they are registered.
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { lineNames } from '#contract/entities/plan.ts'
import { hourMs, iso, later } from '#server/core/clock.ts'
import type { Job, JobKind } from '#server/core/jobs.ts'
import { notifyOfMoney } from '#server/domain/notifications/operators.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { FencedError, type Outcome } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { receiptKind } from '#server/domain/money/advances-store.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import {
  findReceiptEmail,
  getPaperSettings,
  hasCodes,
  type PaperSettings,
} from '#server/domain/billing/profile-store.ts'
import type { ReceiptPort, ProviderReceipt, PayServices } from '#server/domain/billing/providers/provider.ts'
import { findProvider, payProviders } from '#server/domain/billing/providers/registry.ts'
import {
  updateRequest,
  getPurchase,
  findReceipt,
  isOpenReceipt,
  listOpenReceipts,
  listReceiptIds,
  type ReceiptChange,
  type ReceiptRow,
  titleOf,
  updateReceipt,
} from './store.ts'
import { keyMs } from '#server/domain/billing/payments/schedule.ts'

/** Delay of a call after one that had no final answer. */
const backoff: Backoff = { firstMs: 60_000, mostMs: 6 * hourMs }
/** A receipt that is not registered after this time never will be (YooKassa: ask its support), ms. */
const registeredMs = 3 * 86_400_000

/** A receipt that cannot be sent. */
class ReceiptRefusal extends Error {}

/**
 * Sends a closing receipt, and checks until it is registered. The key is the receipt. Receipts wait while the provider of the
 * payment or the codes are not set: a start with the provider, and the codes, schedule them again.
 */
export const receiptJob: JobKind<PayServices> = {
  ...receiptKind,
  leaseMs: 60_000,
  atOnce: 10,
  backoff,
  parkAfter: 'never',
  async missing(db, services) {
    const isReady = payProviders(services).some(({ receipts }) => receipts) && hasCodes(await getPaperSettings(db))
    return isReady ? (await listOpenReceipts(db)).map(String) : []
  },
  async run(services, job) {
    const row = await findReceipt(services.db, Number(job.key))
    const codes = await getPaperSettings(services.db)
    if (!row || !isOpenReceipt(row) || !hasCodes(codes)) return 'done'
    const { provider } = await getPurchase(services.db, row.id)
    const port = findProvider(services, provider)?.receipts
    if (!port) return 'done'
    return await step(services, job, { port, codes, row })
  },
}

/** A receipt, and the means to send it. */
interface Sending {
  readonly port: ReceiptPort
  readonly codes: PaperSettings
  readonly row: ReceiptRow
}

/** Takes a step of a receipt. A call without an answer is no failure of the job: the step is repeated after a delay that doubles. */
async function step(services: PayServices, job: Job, sending: Sending): Promise<Outcome> {
  const { port, row } = sending
  const about = { receiptId: row.id, paymentId: row.payment_id }
  try {
    const { provider_id: id } = row
    return await note(services, job, row, id === null ? await send(services, sending) : await port.check(id))
  } catch (error) {
    if (error instanceof FencedError) throw error
    if (isRefusal(error)) {
      services.log.error({ ...about, failure: error.message }, 'A closing receipt was refused')
      const reason = (error instanceof ProviderRefusedError ? error.reason : error.message).slice(0, 100) || 'refused'
      return await end(services, job, row, { change: { state: 'refused', reason, body: null }, outcome: 'done' })
    }
    const expected = error instanceof ProviderUnavailableError || error instanceof ProviderRefusedError
    services.log[expected ? 'warn' : 'error'](
      { ...about, ...(expected ? {} : { err: error }) },
      'A closing receipt got no answer',
    )
    const tries = row.tries + 1
    return await end(services, job, row, { change: { tries }, outcome: againAfter(tries) })
  }
}

/** Returns whether a receipt cannot be made. A secret key that the provider does not accept refuses no receipt: all wait for it. */
const isRefusal = (error: unknown): error is ProviderRefusedError | ReceiptRefusal =>
  error instanceof ReceiptRefusal || (error instanceof ProviderRefusedError && error.refusedWith !== 401)

/** @param tries number of calls without a final answer before the last one */
const againAfter = (tries: number): Outcome => ({ againMs: backoffMs(backoff, tries + 1) })

/** Stores the outcome of a step. */
async function end(
  services: PayServices,
  job: Job,
  row: ReceiptRow,
  { change, outcome }: { readonly change: ReceiptChange; readonly outcome: Outcome },
): Promise<Outcome> {
  await transaction(services.db, async (trx) => {
    await updateReceipt(trx, row, change)
    if (change.state === 'refused') {
      const about = { ref: row.id, projectId: row.project_id, amount: row.amount_minor }
      await notifyOfMoney(services, trx, { kind: 'operator_receipt', ...about, currency: 'rub' })
    }
    await job.finish(trx, outcome)
  })
  return outcome
}

/** Notes the state of a receipt at the provider. */
async function note(
  services: PayServices,
  job: Job,
  row: ReceiptRow,
  { id, status }: ProviderReceipt,
): Promise<Outcome> {
  const { db, clock } = services
  if (status === 'succeeded') {
    const change = { state: 'done', provider_id: id, body: null } as const
    return await end(services, job, row, { change, outcome: 'done' })
  }
  // A receipt that this step has sent is not late, however long ago the first call was.
  const isLate = row.provider_id !== null && (row.date_begin ?? '') <= iso(later(clock.now(), -registeredMs))
  if (status === 'canceled' || isLate) {
    await updateReceipt(db, row, { provider_id: id })
    throw new ReceiptRefusal(status === 'canceled' ? 'canceled' : 'not_registered')
  }
  const change = { state: 'sent', provider_id: id, tries: row.tries + 1 } as const
  return await end(services, job, row, { change, outcome: againAfter(row.tries) })
}

/**
 * Sends a receipt. Safe to repeat: the request and its time are stored before the first call, and the provider has one receipt
 * under the key. When the key may be forgotten, a receipt that the provider has is found instead.
 */
async function send(services: PayServices, { port, codes, row }: Sending): Promise<ProviderReceipt> {
  const { db, clock } = services
  const now = clock.now()
  const purchase = await getPurchase(db, row.id)
  const payId = purchase.pay_id ?? ''
  if (row.date_begin !== null && row.date_begin <= iso(later(now, -keyMs))) {
    const known = await listReceiptIds(db, row.payment_id)
    const lost = (await port.list(payId)).find((one) => isLost(one, row, known))
    if (lost) return lost
    await updateReceipt(db, row, { date_begin: iso(now) })
  }
  const body =
    row.body ?? (await updateRequest(db, row.id, iso(now), await requestOf(services, { port, codes, row }, purchase)))
  return await port.create(body, row.key)
}

/** Returns whether a receipt at the provider is the one whose answer was lost. */
const isLost = (
  { id, status, amountMinor, isClosing }: ProviderReceipt,
  { amount_minor }: ReceiptRow,
  known: readonly (string | null)[],
): boolean => isClosing && status !== 'canceled' && amountMinor === amount_minor && !known.includes(id)

/** Returns the request of a receipt as JSON. */
async function requestOf(
  { db }: PayServices,
  { port, codes, row: { project_id, amount_minor: amountMinor } }: Sending,
  { type: flow, details, pay_id, user_id }: Awaited<ReturnType<typeof getPurchase>>,
): Promise<string> {
  const email = await findReceiptEmail(db, { project_id, user_id })
  if (email === null) throw new ReceiptRefusal('no_email')
  const type = lineNames.find((name) => lineOf(name).buys === flow) ?? 'restream'
  return JSON.stringify(
    port.requestOf(codes, { payId: pay_id ?? '', type, title: titleOf(details), amountMinor, email }),
  )
}
