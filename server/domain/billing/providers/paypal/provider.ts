// PayPal: orders that the customer approves on PayPal's page and the service captures; refunds and disputes.
import type { Currency } from '#contract/entities/project.ts'
import type { Services } from '#server/core/context.ts'
import { later } from '#server/core/clock.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import type { PaypalAccount } from './settings.ts'
import { leftUrlOf } from '#server/domain/billing/providers/return-url.ts'
import { type PaypalApi, paypalApi, type PaypalCapture, type PaypalDispute, type PaypalOrder } from './api.ts'
import { isPaypalCurrency, paypalMoney, captureOf, paypalPayment, uuidOf } from './seen.ts'
import { paypalWebhooks } from './webhook.ts'
import type {
  Listed,
  PaymentRow,
  PayProvider,
  PaySystem,
  ProviderPayment,
} from '#server/domain/billing/providers/provider.ts'
import { payModule } from '#server/domain/billing/providers/module.ts'

/** Numbers of the pay systems, which never change. */
const ids = { usd: 6, rub: 7 } as const satisfies Partial<Record<Currency, number>>
const sold = Object.keys(ids) as (keyof typeof ids)[]

const systems: readonly PaySystem[] = sold.filter(isPaypalCurrency).map((currency) => ({
  id: ids[currency],
  currency,
  name: 'PayPal',
  description: 'PayPal account, or a card on the page of PayPal. Cannot be charged for renewals.',
  minAmount: 100,
  maxAmount: 1_000_000,
  recurrent: false,
}))

/** Longest time between two dates of the transaction search, ms. */
const searchedMs = 31 * 86_400_000

export const paypalModule = payModule('paypal', 3, paypalProvider)

/** Creates the provider. */
function paypalProvider(services: Pick<Services, 'config' | 'clock'>, account: PaypalAccount): PayProvider {
  const api = paypalApi(services, account)
  const readWebhook = paypalWebhooks(services, account)

  const check = async (payId: string, captureId: string | null = null): Promise<ProviderPayment> => {
    const order = await api.getOrder(payId).catch(async (error: unknown) => {
      if (captureId === null || !isUnknown(error)) throw error
      return orderAround(payId, await api.getCapture(captureId))
    })
    const capture = captureOf(order)
    const { disputes, missed } = capture ? await disputesOf(api, capture.id) : { disputes: [] }
    return { ...paypalPayment(order, disputes), ...(missed && { missed }) }
  }

  const readCapture: (id: string) => Promise<ProviderPayment | null> = async (id) => {
    const orderId = await orderOfCapture(api, id)
    return orderId === null ? null : await check(orderId, id)
  }

  return {
    name: 'paypal',
    systems,
    reportsDisputes: true,
    signsMessages: true,
    // PayPal documents three hours, and observers report more.
    listedAfterMs: 12 * 3_600_000,

    async begin(payment, { returnUrl }) {
      const { id, links } = await api.createOrder(orderOf(payment, returnUrl), payment.uuid)
      const page = links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')
      if (!page) throw new ProviderRefusedError('paypal', 200, 'the order has no page')
      return { payId: id, redirectUrl: page.href, customer: null }
    },

    // Orders cannot be searched. One whose creation got no answer has no known page, so that no customer can approve it.
    find: async () => null,

    charge: async () => ({ payId: null, outcome: 'declined', reason: 'not_supported', final: true, actionUrl: null }),

    check,

    async capture({ pay_id: payId, uuid }) {
      const refused = await api.captureOrder(payId ?? '', `${uuid}-capture`).then(
        () => null,
        (error: unknown) => {
          if (error instanceof ProviderRefusedError && error.refusedWith === 422) return error
          throw error
        },
      )
      const seen = await check(payId ?? '')
      // Refused because another replica was first, or because the customer has to choose another method: the order tells.
      if (refused === null || seen.status !== 'approved') return seen
      return { ...seen, status: 'error', reason: refused.reason.toLowerCase() || 'declined' }
    },

    // An order cannot be cancelled. It takes no money before it is captured, and expires after some hours.
    cancel: async () => {},

    async refund({ pay_id, pay_ref, currency }, amountMinor, key) {
      const capture = pay_ref ?? captureOf(await api.getOrder(pay_id ?? ''))?.id ?? ''
      await api.refundCapture(capture, { amount: paypalMoney(amountMinor, currency), custom_id: key }, key)
    },

    readWebhook,

    async *since(date) {
      const listed = new Set<string>()
      const once = (id: string): Listed[] => {
        if (listed.has(id)) return []
        listed.add(id)
        return [() => readCapture(id)]
      }
      // A check takes three calls, and most listed payments are credited already.
      const credits = new Map<string, string>()
      for await (const { id, creditOf } of changedCaptures(api, date, services.clock.now()))
        if (creditOf === null) yield* once(id)
        else credits.set(id, creditOf)
      let failure: Error | null = null
      try {
        for await (const id of disputedCaptures(api, date)) yield* once(id)
      } catch (error) {
        failure = error as Error
      }
      for (const [id, creditOf] of credits) for (const one of once(id)) yield Object.assign(one, { creditOf })
      // The app at PayPal may not read disputes: one failure, and the payments above count.
      if (failure instanceof ProviderRefusedError) yield () => Promise.reject(failure)
      else if (failure) throw failure
    },
  }
}

const descriptionMax = 127

/** The order of a payment. PayPal captures an invoice id once, so that a second order of a payment takes no money. */
const orderOf = ({ uuid, amount_minor, currency, type, title }: PaymentRow, returnUrl: string): object => ({
  intent: 'CAPTURE',
  purchase_units: [
    {
      custom_id: uuid,
      invoice_id: uuid,
      description: (title ?? (type === 'topup' ? 'Balance' : type)).slice(0, descriptionMax),
      amount: paypalMoney(amount_minor, currency),
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        // Without e-checks, whose money arrives days later.
        payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
        shipping_preference: 'NO_SHIPPING',
        user_action: 'PAY_NOW',
        return_url: returnUrl,
        cancel_url: leftUrlOf(returnUrl),
      },
    },
  },
})

interface Disputes {
  readonly disputes: readonly PaypalDispute[]
  /** Why some are missing. An app that may not read disputes misses none. */
  readonly missed?: ProviderUnavailableError
}

/** Returns the disputes of a capture that can be read. */
async function disputesOf(api: PaypalApi, captureId: string): Promise<Disputes> {
  const disputes: PaypalDispute[] = []
  try {
    for await (const id of api.listDisputes({ disputed_transaction_id: captureId }))
      disputes.push(await api.getDispute(id))
  } catch (error) {
    if (error instanceof ProviderUnavailableError) return { disputes, missed: error }
    if (!(error instanceof ProviderRefusedError)) throw error
  }
  return { disputes }
}

/** A listed capture. */
interface Changed {
  readonly id: string
  /** `payments.uuid` of a capture that was made; null: it was refunded, reversed or charged back. */
  readonly creditOf: string | null
}

/** Returns the captures that were made, refunded, reversed or charged back since a time. */
async function* changedCaptures(api: PaypalApi, date: Date, now: Date): AsyncIterable<Changed> {
  for (let from = date; from < now; from = later(from, searchedMs)) {
    const end = later(from, searchedMs)
    for await (const row of api.listTransactions(from, end < now ? end : now)) {
      const { transaction_event_code: code = '', custom_field, transaction_id, paypal_reference_id: of } = row
      // Transaction event codes: T00xx payments, T11xx refunds and reversals, T12xx chargebacks.
      const uuid = uuidOf(custom_field)
      if (code.startsWith('T00') && uuid !== null) yield { id: transaction_id, creditOf: uuid }
      else if (/^T1[12]/.test(code) && of !== undefined) yield { id: of, creditOf: null }
    }
  }
}

/** Returns the ids of captures whose disputes changed since a time. */
async function* disputedCaptures(api: PaypalApi, date: Date): AsyncIterable<string> {
  for await (const id of api.listDisputes({ update_time_after: date.toISOString() }))
    for (const { seller_transaction_id: of } of (await api.getDispute(id)).disputed_transactions ?? [])
      if (of !== undefined) yield of
}

/** Returns the order of a capture; null for transactions that are not ours. */
async function orderOfCapture(api: PaypalApi, id: string): Promise<string | null> {
  try {
    const { custom_id, supplementary_data } = await api.getCapture(id)
    return uuidOf(custom_id) === null ? null : (supplementary_data?.related_ids?.order_id ?? null)
  } catch (error) {
    if (isUnknown(error)) return null
    throw error
  }
}

const isUnknown = (error: unknown): boolean => error instanceof ProviderRefusedError && error.refusedWith === 404

/** The part of an order that its capture tells, for orders that PayPal no longer has. */
const orderAround = (id: string, capture: PaypalCapture): PaypalOrder => ({
  id,
  status: 'COMPLETED',
  purchase_units: [{ amount: capture.amount, custom_id: capture.custom_id, payments: { captures: [capture] } }],
})
