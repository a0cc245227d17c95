// Closing receipts (54-FZ): sends those that purchases have requested, and looks until they are registered. Receipts are taken
// by lease, so that any number of replicas may run the same loop.
import { lineNames } from '#contract/entities/plan.ts'
import { iso, later } from '#server/core/clock.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { findReceiptEmail, getPaperSettings, type PaperSettings } from './profile-store.ts'
import type { ReceiptPort, SeenReceipt } from './providers/provider.ts'
import { findProvider } from './providers/registry.ts'
import { closingReceiptOf } from './providers/yookassa-receipts.ts'
import {
  updateRequest,
  getPurchase,
  leaseReceipts,
  listReceiptIds,
  type ReceiptRow,
  titleOf,
  updateReceipt,
} from './receipts-store.ts'
import { keyMs } from './schedule.ts'
import type { PayServices } from './services.ts'

/** Longer than the calls for a receipt may take, and the first delay before the next ones, ms. */
const leaseMs = 60_000
/** Longest delay before the next call, ms. */
const delayMaxMs = 6 * 3_600_000
/** A receipt that is not registered after this time never will be (reference: ask the support of YooKassa), ms. */
const registeredMs = 3 * 86_400_000
const batch = 10

/** A receipt that cannot be sent. */
class ReceiptRefusal extends Error {}

/**
 * Takes the next step of each receipt that is due. Receipts wait while YooKassa or the codes are not set.
 * @returns the number of steps
 */
export async function runClosingReceipts(services: PayServices): Promise<number> {
  const { db, clock } = services
  const port = findProvider(services, 'yookassa')?.receipts
  if (!port) return 0
  const codes = await getPaperSettings(db)
  if (codes.tax_system === null || codes.vat_code === null) return 0
  const now = clock.now()
  const taken = await leaseReceipts(db, { now: iso(now), until: iso(later(now, leaseMs)), limit: batch })
  await Promise.all(taken.map((row) => step(services, port, codes, row)))
  return taken.length
}

/** Takes a step of a taken receipt. Never throws: a call without an answer is repeated after a delay that doubles up to 6 hours. */
async function step(services: PayServices, port: ReceiptPort, codes: PaperSettings, row: ReceiptRow): Promise<void> {
  const { db, clock, log } = services
  const about = { receiptId: row.id, paymentId: row.payment_id }
  try {
    const { provider_id: id } = row
    await note(services, row, id === null ? await send(services, port, codes, row) : await port.look(id))
  } catch (error) {
    if (isRefusal(error)) {
      log.error({ ...about, failure: error.message }, 'A closing receipt was refused')
      return await refuse(services, row, error instanceof ProviderRefusedError ? error.reason : error.message)
    }
    const expected = error instanceof ProviderUnavailableError || error instanceof ProviderRefusedError
    log[expected ? 'warn' : 'error'](
      { ...about, ...(expected ? {} : { err: error }) },
      'A closing receipt got no answer',
    )
    await updateReceipt(db, row, { tries: row.tries + 1, date_lease: iso(later(clock.now(), delayOf(row.tries + 1))) })
  }
}

/** Returns whether a receipt cannot be made. A secret key that YooKassa does not accept refuses no receipt: all wait for it. */
const isRefusal = (error: unknown): error is ProviderRefusedError | ReceiptRefusal =>
  error instanceof ReceiptRefusal || (error instanceof ProviderRefusedError && error.refusedWith !== 401)

const delayOf = (tries: number): number => Math.min(leaseMs * 2 ** Math.min(tries, 10), delayMaxMs)

/** Notes the state of a receipt at the provider. */
async function note(services: PayServices, row: ReceiptRow, { id, status }: SeenReceipt): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  if (status === 'succeeded')
    return await updateReceipt(db, row, { state: 'done', provider_id: id, body: null, date_lease: null })
  // A receipt that this step has sent is not late, however long ago the first call was.
  const isLate = row.provider_id !== null && (row.date_begin ?? '') <= iso(later(now, -registeredMs))
  if (status === 'canceled' || isLate) {
    await updateReceipt(db, row, { provider_id: id })
    throw new ReceiptRefusal(status === 'canceled' ? 'canceled' : 'not_registered')
  }
  const change = { state: 'sent', provider_id: id, tries: row.tries + 1 } as const
  await updateReceipt(db, row, { ...change, date_lease: iso(later(now, delayOf(row.tries))) })
}

const refuse = ({ db }: PayServices, row: ReceiptRow, reason: string): Promise<void> =>
  updateReceipt(db, row, { state: 'refused', reason: reason.slice(0, 100) || 'refused', body: null, date_lease: null })

/**
 * Sends a receipt. Safe to repeat: the request and its time are stored before the first call, and the provider has one receipt
 * under the key. When the key may be forgotten, a receipt that the provider has is found instead.
 */
async function send(
  services: PayServices,
  port: ReceiptPort,
  codes: PaperSettings,
  row: ReceiptRow,
): Promise<SeenReceipt> {
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
  const body = row.body ?? (await updateRequest(db, row.id, iso(now), await requestOf(services, codes, row, purchase)))
  return await port.create(body, row.key)
}

/** Returns whether a receipt at the provider is the one whose answer was lost. */
const isLost = (
  { id, status, amountMinor, isClosing }: SeenReceipt,
  { amount_minor }: ReceiptRow,
  known: readonly (string | null)[],
): boolean => isClosing && status !== 'canceled' && amountMinor === amount_minor && !known.includes(id)

/** Returns the request of a receipt as JSON. */
async function requestOf(
  { db }: PayServices,
  codes: PaperSettings,
  { project_id, amount_minor: amountMinor }: ReceiptRow,
  { type: flow, details, pay_id, user_id }: Awaited<ReturnType<typeof getPurchase>>,
): Promise<string> {
  const email = await findReceiptEmail(db, { project_id, user_id })
  if (email === null) throw new ReceiptRefusal('no_email')
  const type = lineNames.find((name) => lineOf(name).buys === flow) ?? 'restream'
  return JSON.stringify(
    closingReceiptOf(codes, { payId: pay_id ?? '', type, title: titleOf(details), amountMinor, email }),
  )
}
