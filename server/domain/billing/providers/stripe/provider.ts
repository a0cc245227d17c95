// Stripe: hosted Checkout in the mode `payment`, saved methods, refunds and disputes. The official SDK is loaded on demand.
import type Stripe from 'stripe'
import type { Services } from '#server/core/context.ts'
import { ProviderRefusedError, ProviderUnavailableError, providerUrl } from '#server/core/provider-http.ts'
import { later } from '#server/core/clock.ts'
import type {
  Beginning,
  Charged,
  WebhookMessage,
  PaymentRow,
  PayProvider,
  PaySystem,
  ProviderPayment,
  ProviderMethod,
} from '#server/domain/billing/providers/provider.ts'
import { leftUrlOf, returnUrlOf } from '#server/domain/billing/providers/return-url.ts'
import { declineOf, stripePayment } from './seen.ts'
import { payModule } from '#server/domain/billing/providers/module.ts'
import type { StripeAccount } from './settings.ts'

const system: PaySystem = {
  id: 3,
  currency: 'usd',
  name: 'Stripe',
  description: 'Bank cards and wallets.',
  minAmount: 50,
  maxAmount: 99_999_999,
  recurrent: true,
}

/** Declines that no retry can change (docs.stripe.com/declines/codes). */
const finalDeclines: ReadonlySet<string> = new Set([
  'expired_card',
  'fraudulent',
  'incorrect_number',
  'invalid_account',
  'lost_card',
  'pickup_card',
  'restricted_card',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'stolen_card',
])

const timeoutMs = 10_000
const expand = ['latest_charge.balance_transaction', 'payment_method']
/** Payments that are listed to find one without an id. */
const listedMax = 1_000

type StripeServices = Pick<Services, 'config'>

export const stripeModule = payModule('stripe', 2, stripeProvider)

/** Creates the provider. @param account secret key, and the signing secret of the webhook */
function stripeProvider(services: StripeServices, { secretKey, webhookSecret }: StripeAccount): PayProvider {
  let loading: Promise<Stripe> | undefined
  const client = () => (loading ??= load(services, secretKey))

  /** Calls Stripe. @throws ProviderUnavailableError, ProviderRefusedError */
  async function call<T>(fn: (stripe: Stripe) => Promise<T>): Promise<T> {
    try {
      return await fn(await client())
    } catch (error) {
      throw failureOf(error)
    }
  }

  async function providerPaymentOf(payId: string, stripe: Stripe): Promise<ProviderPayment> {
    const session = payId.startsWith('cs_') ? await stripe.checkout.sessions.retrieve(payId) : null
    const id = session === null ? payId : idOf(session.payment_intent)
    if (id === null) return stripePayment({ payId, session, intent: null, refunds: [], disputes: [] })
    const [intent, refunds, disputes] = await Promise.all([
      stripe.paymentIntents.retrieve(id, { expand }),
      stripe.refunds.list({ payment_intent: id, limit: 100 }),
      stripe.disputes.list({ payment_intent: id, limit: 100 }),
    ])
    return stripePayment({ payId, session, intent, refunds: refunds.data, disputes: disputes.data })
  }

  return {
    name: 'stripe',
    systems: [system],
    listedAfterMs: 300_000,
    reportsDisputes: true,
    signsMessages: true,
    begin: (payment, beginning) => call((stripe) => begin(stripe, payment, beginning)),
    find: (payment) => call((stripe) => find(stripe, payment)),
    charge: (payment, method) => call((stripe) => charge(stripe, services, payment, method)),
    check: (payId) => call((stripe) => providerPaymentOf(payId, stripe)),
    async cancel(payId) {
      const cancelling = call<unknown>(({ checkout, paymentIntents }) =>
        payId.startsWith('cs_') ? checkout.sessions.expire(payId) : paymentIntents.cancel(payId),
      )
      // Refused for a payment that is paid or over: the next check tells.
      await cancelling.catch(unlessRefused)
    },
    async refund({ pay_id, pay_ref }, amount, key) {
      const payment_intent = pay_ref ?? pay_id ?? ''
      const params = { payment_intent, amount, metadata: { refund: key } }
      await call((stripe) => stripe.refunds.create(params, { idempotencyKey: key }))
    },
    readWebhook: async (headers, rawBody) =>
      readWebhook(await client(), rawBody, headers['stripe-signature'], webhookSecret),
    async *since(date) {
      const ids = await call((stripe) => changedSince(stripe, date))
      for (const id of ids) yield () => call((stripe) => providerPaymentOf(id, stripe))
    },
  }
}

/** Loading takes 200 ms and 21 MB, which a service without Stripe does not spend. */
async function load(services: StripeServices, secretKey: string): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe')
  const viaBases: typeof fetch = (url, init) =>
    fetch(providerUrl(services.config, 'stripe', url instanceof Request ? url.url : url.toString()), init)
  return new StripeClient(secretKey, {
    httpClient: StripeClient.createFetchHttpClient(viaBases),
    maxNetworkRetries: 1,
    timeout: timeoutMs,
    telemetry: false,
  })
}

async function begin(stripe: Stripe, payment: PaymentRow, { returnUrl, customer, email, save }: Beginning) {
  const { uuid, currency, amount_minor: unit_amount } = payment
  const metadata = { payment: uuid }
  const created =
    customer ??
    (await stripe.customers.create(email === null ? {} : { email }, { idempotencyKey: `${uuid}:customer` })).id
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      customer: created,
      client_reference_id: uuid,
      metadata,
      payment_intent_data: { metadata, ...(save && { setup_future_usage: 'off_session' as const }) },
      line_items: [{ quantity: 1, price_data: { currency, unit_amount, product_data: { name: titleOf(payment) } } }],
      success_url: returnUrl,
      cancel_url: leftUrlOf(returnUrl),
    },
    { idempotencyKey: uuid },
  )
  if (session.url === null) throw new ProviderRefusedError('stripe', 200, 'the session has no page')
  return { payId: session.id, redirectUrl: session.url, customer: created }
}

const titleOf = ({ title, type }: PaymentRow): string => title ?? (type === 'topup' ? 'Balance' : type)

async function find(stripe: Stripe, { uuid, method_id, date_begin }: PaymentRow): Promise<string | null> {
  const created = { gte: seconds(later(new Date(date_begin ?? 0), -60_000)) }
  const listed =
    method_id === null
      ? stripe.checkout.sessions.list({ created, limit: 100 })
      : stripe.paymentIntents.list({ created, limit: 100 })
  let count = 0
  for await (const { id, metadata } of listed) {
    if (metadata?.['payment'] === uuid) return id
    if (++count === listedMax) break
  }
  return null
}

async function charge(
  stripe: Stripe,
  services: StripeServices,
  payment: PaymentRow,
  { token }: Pick<ProviderMethod, 'token'>,
): Promise<Charged> {
  const [payment_method = '', customer = ''] = token.split(' ')
  const { uuid, currency, amount_minor: amount } = payment
  const params = { amount, currency, customer, payment_method, off_session: true, confirm: true }
  try {
    const made = await stripe.paymentIntents.create(
      { ...params, metadata: { payment: uuid } },
      { idempotencyKey: uuid },
    )
    return { payId: made.id, outcome: made.status === 'succeeded' ? 'done' : 'wait' }
  } catch (error) {
    const { type, payment_intent: intent } = error as Partial<Stripe.errors.StripeCardError>
    if (type !== 'StripeCardError' || !intent) throw error
    const reason = declineOf(intent)
    const final = finalDeclines.has(reason)
    if (reason !== 'authentication_required')
      return { payId: intent.id, outcome: 'declined', reason, final, actionUrl: null }
    // With the customer present, Stripe returns the page of the bank's confirmation.
    const return_url = returnUrlOf(services, payment)
    const confirmed = await stripe.paymentIntents.confirm(intent.id, { payment_method, return_url, off_session: false })
    const actionUrl = confirmed.next_action?.redirect_to_url?.url ?? null
    return { payId: intent.id, outcome: 'declined', reason, final: false, actionUrl }
  }
}

/** Returns the ids of the payments that were created, refunded or disputed since a time. */
async function changedSince(stripe: Stripe, date: Date): Promise<ReadonlySet<string>> {
  const query = { created: { gte: seconds(date) }, limit: 100 }
  const ids = new Set<string>()
  for await (const { id, metadata } of stripe.paymentIntents.list(query)) if (metadata['payment']) ids.add(id)
  for (const list of [stripe.refunds.list(query), stripe.disputes.list(query)])
    for await (const { payment_intent } of list) {
      const id = idOf(payment_intent)
      if (id !== null) ids.add(id)
    }
  return ids
}

async function readWebhook(
  stripe: Stripe,
  rawBody: Buffer,
  signature: string | readonly string[] | undefined,
  secret: string,
): Promise<WebhookMessage | null> {
  if (typeof signature !== 'string') return null
  try {
    const event = await stripe.webhooks.constructEventAsync(rawBody, signature, secret)
    const about = event.data.object as {
      id?: unknown
      payment_intent?: unknown
      metadata?: { payment?: unknown } | null
    }
    const refs = [about.id, about.payment_intent, about.metadata?.payment]
    return { eventId: event.id, refs: refs.filter((ref) => typeof ref === 'string') }
  } catch {
    return null
  }
}

const idOf = (value: string | { readonly id: string } | null): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** Errors after which the outcome is known: Stripe has refused. Texts of Stripe stay out, because they may quote input. */
const refusals: ReadonlySet<unknown> = new Set([
  'StripeCardError',
  'StripeInvalidRequestError',
  'StripeAuthenticationError',
  'StripePermissionError',
])

function failureOf(error: unknown): unknown {
  const { type, statusCode, code } = error as Partial<Stripe.errors.StripeError>
  if (typeof type !== 'string' || !type.startsWith('Stripe')) return error
  return refusals.has(type)
    ? new ProviderRefusedError('stripe', statusCode ?? 400, code ?? '')
    : new ProviderUnavailableError('stripe')
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof ProviderRefusedError)) throw error
}
