// YooKassa: payments in roubles. Hosted payment page, saved methods, refunds; webhooks without a signature.
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { decimalOf } from '#server/domain/money/decimal.ts'
import { findReceiptEmail, getPaperSettings } from '#server/domain/billing/profile-store.ts'
import type { WebhookMessage, PaymentRow, PayProvider, PaySystem } from '#server/domain/billing/providers/provider.ts'
import { type YooPayment, yooApi, type YooRefund } from './api.ts'
import { closingReceiptOf, positionOf, receiptOf } from './receipts.ts'
import { chargedOf, refundText, providerPaymentOf, providerReceiptOf } from './seen.ts'
import { payModule } from '#server/domain/billing/providers/module.ts'
import type { YookassaAccount } from './settings.ts'

const system: PaySystem = {
  id: 5,
  currency: 'rub',
  name: 'YooKassa',
  description: 'Bank cards, SBP, YooMoney and other ways to pay in Russia.',
  minAmount: 100,
  maxAmount: 35_000_000,
  recurrent: true,
}

/** Addresses that YooKassa sends webhooks from (yookassa.ru/developers/using-api/webhooks). */
const senders = new BlockList()
for (const [net, bits] of [
  ['185.71.76.0', 27],
  ['185.71.77.0', 27],
  ['77.75.153.0', 25],
  ['77.75.154.128', 25],
  ['77.75.156.11', 32],
  ['77.75.156.35', 32],
] as const)
  senders.addSubnet(net, bits)
senders.addSubnet('2a02:5180::', 32, 'ipv6')

/** Addresses of proxies that hide the sender. */
const proxies = new BlockList()
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  proxies.addSubnet(net, bits)
proxies.addAddress('::1', 'ipv6')
proxies.addSubnet('fc00::', 7, 'ipv6')

/** Id of an object: a UUID. Other text could hold characters that the database refuses. */
const ObjectId = z.string().check(z.regex(/^[\w-]{1,64}$/))

/** A webhook: only ids are read from it. */
const Webhook = z.object({
  event: z.string().check(z.regex(/^(payment|refund)\.[a-z_]{1,40}$/)),
  object: z.object({
    id: ObjectId,
    payment_id: z.optional(ObjectId),
  }),
})

export const yookassaModule = payModule('yookassa', 1, yookassaProvider)

/** Creates the provider. Receipts by 54-FZ are sent once the operator has set tax system and VAT code. */
function yookassaProvider(services: Pick<Services, 'db' | 'config'>, account: YookassaAccount): PayProvider {
  const { db } = services
  const api = yooApi(services, account)

  /** Returns the receipt of a payment or refund as a field; no field where none is sent. @param advanceMinor see `receiptOf` */
  async function receiptIn(payment: PaymentRow, amountMinor: number, advanceMinor?: number): Promise<object> {
    const email = await findReceiptEmail(db, payment)
    const receipt = receiptOf(await getPaperSettings(db), payment, amountMinor, email, advanceMinor)
    return receipt ? { receipt } : {}
  }

  async function bodyOf(payment: PaymentRow): Promise<object> {
    const { currency, amount_minor: amountMinor, uuid } = payment
    return {
      amount: { value: decimalOf(amountMinor), currency: currency.toUpperCase() },
      capture: true,
      description: positionOf(payment),
      metadata: { uuid },
      ...(await receiptIn(payment, amountMinor)),
    }
  }

  const find: PayProvider['find'] = async ({ uuid, date_begin, date_create }) => {
    for await (const payment of api.listPayments({ 'created_at.gte': date_begin ?? date_create }))
      if (payment.metadata?.['uuid'] === uuid) return payment.id
    return null
  }

  /** Creates a payment, or returns that of an earlier call, also of one with another body. */
  async function create(payment: PaymentRow, body: object): Promise<YooPayment> {
    try {
      return await api.createPayment(body, payment.uuid)
    } catch (error) {
      if (!isKeyTaken(error)) throw error
      const id = await find(payment)
      if (id === null) throw new ProviderUnavailableError('yookassa')
      return await api.getPayment(id)
    }
  }

  const refundsOf = (payId: string): Promise<YooRefund[]> => all(api.listRefunds({ payment_id: payId }))
  const check: PayProvider['check'] = async (payId) => {
    const payment = await api.getPayment(payId)
    return providerPaymentOf(payment, payment.status === 'succeeded' ? await refundsOf(payId) : [])
  }

  return {
    name: 'yookassa',
    listedAfterMs: 300_000,
    systems: [system],

    async begin(payment, { returnUrl, save }) {
      const created = await create(payment, {
        ...(await bodyOf(payment)),
        confirmation: { type: 'redirect', return_url: returnUrl },
        ...(save && { save_payment_method: true }),
      })
      return {
        payId: created.id,
        redirectUrl: created.confirmation?.confirmation_url ?? returnUrl,
        customer: null,
      }
    },

    find,

    charge: async (payment, { token }) =>
      chargedOf(await create(payment, { ...(await bodyOf(payment)), payment_method_id: token })),

    check,

    // YooKassa cancels authorised payments only. A pending one expires by itself; if it is paid before, it is credited.
    cancel: async () => {},

    async refund(payment, amountMinor, key, advanceMinor) {
      const { pay_id, currency } = payment
      const receipt = await receiptIn(payment, amountMinor, advanceMinor ?? undefined)
      const amount = { value: decimalOf(amountMinor), currency: currency.toUpperCase() }
      const body = { payment_id: pay_id, amount, description: refundText(key), ...receipt }
      const { status, cancellation_details: cancellation } = await api.createRefund(body, key).catch(unlessTaken)
      if (status === 'canceled') throw new ProviderRefusedError('yookassa', 200, cancellation?.reason)
    },

    receipts: {
      requestOf: closingReceiptOf,
      create: async (body, key) => providerReceiptOf(await api.createReceipt(JSON.parse(body) as object, key)),
      check: async (id) => providerReceiptOf(await api.getReceipt(id)),
      list: async (payId) => (await all(api.listReceipts({ payment_id: payId }))).map(providerReceiptOf),
    },

    readWebhook: async (_: IncomingHttpHeaders, rawBody: Buffer, { address }) =>
      maySend(address) ? webhookOf(rawBody.toString('utf8')) : null,

    async *since(date) {
      const from = { 'created_at.gte': date.toISOString() }
      const reported = new Set<string>()
      for await (const payment of api.listPayments(from)) {
        // Refunds that are not decided, or were cancelled, are only in the list of refunds.
        if (payment.refunded_amount) reported.add(payment.id)
        yield async () => providerPaymentOf(payment, payment.refunded_amount ? await refundsOf(payment.id) : [])
      }
      for await (const { payment_id } of api.listRefunds(from))
        if (!reported.has(payment_id)) {
          reported.add(payment_id)
          yield () => check(payment_id)
        }
    },
  }
}

/** Reads a whole list. */
async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const rows: T[] = []
  for await (const row of list) rows.push(row)
  return rows
}

/**
 * Returns whether YooKassa refused a body because an earlier call with the same key had another one: the e-mail of the receipt,
 * or a setting of the operator, has changed in between.
 */
const isKeyTaken = (error: unknown): boolean =>
  error instanceof ProviderRefusedError && error.refusedWith === 400 && error.reason.includes('Idempotence-Key')

/** A refund whose key is taken is no refusal: the next check finds it. */
function unlessTaken(error: unknown): never {
  throw isKeyTaken(error) ? new ProviderUnavailableError('yookassa') : error
}

/**
 * Returns whether an address may be YooKassa's. Behind a proxy that is not trusted (`TRUST_PROXY`) the sender is unknown:
 * then the check of the payment is the only check.
 */
function maySend(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  return isIP(plain) !== 0 && (senders.check(plain, family) || proxies.check(plain, family))
}

function webhookOf(text: string): WebhookMessage | null {
  try {
    const { event, object } = Webhook.parse(JSON.parse(text))
    return { eventId: `${event}:${object.id}`, refs: [object.payment_id ?? object.id] }
  } catch {
    return null
  }
}
