// Doubles of payment providers for tests that kill the service: calls at which it dies, and what the provider has then.
import type { Currency } from '#contract/entities/project.ts'
import type { Hang } from './double-request.ts'
import { PaypalDouble } from './paypal-double.ts'
import { cents } from './paypal-state.ts'
import { StripeDouble } from './stripe-double.ts'
import { paidMessage, yookassaDouble, yookassaShop } from './yookassa-double.ts'

/** A webhook message. */
export interface PayMessage {
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
}

/** Numbers of what the provider has made. */
export interface Counts {
  readonly pages: number
  readonly charges: number
  readonly refunds: number
}

/** Provider of a service that is killed. A page is where the customer pays; its id is the provider's. */
export interface KilledProvider {
  readonly currency: Currency
  readonly payment: { readonly pay_system_id: number }
  /** Environment of a service that uses the double. */
  readonly env: Readonly<Record<string, string>>
  readonly double: { hang: Hang | null; readonly hung: readonly unknown[]; readonly close: () => Promise<unknown> }
  /** @param address of a page */
  idOf(address: string): string
  /** The customer pays on a page. @returns the messages about it */
  pay(id: string): readonly PayMessage[]
  counts(): Counts
  /** Money that the provider has for the service, minor units. */
  held(): number
}

/** `METHOD path` of the calls of a payment, or their start. */
export interface Calls {
  readonly begin: string
  readonly check: (id: string) => string
  /** Takes the money of an approved payment. */
  readonly capture?: (id: string) => string
  /** Charges a saved method. */
  readonly charge?: string
  readonly refund: string
}

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, one) => total + one, 0)

function found<T>(pages: ReadonlyMap<string, T>, id: string): T {
  const page = pages.get(id)
  if (page === undefined) throw new Error(`The double has no page ${id}`)
  return page
}

/** @param host address of the double */
async function stripe(host?: string): Promise<KilledProvider> {
  const double = await StripeDouble.start(host)
  const { sessions, intents, refunds } = double.state
  return {
    double,
    env: double.env,
    currency: 'usd',
    payment: { pay_system_id: 3 },
    idOf: (address) => address.split('/').at(-1) ?? '',
    pay(id) {
      double.act(found(sessions, id), 'pay')
      return double.messages
        .splice(0)
        .map(({ payload, signature }) => ({ payload, headers: { 'stripe-signature': signature } }))
    },
    counts: () => ({ pages: sessions.size, charges: intents.size, refunds: refunds.size }),
    held: () =>
      sum([...intents.values()].map((one) => one.amount_received)) -
      sum([...refunds.values()].map((one) => one.amount)),
  }
}

async function paypal(): Promise<KilledProvider> {
  const double = await PaypalDouble.start()
  const { state } = double
  return {
    double,
    env: double.env,
    currency: 'usd',
    payment: { pay_system_id: 6 },
    idOf: (address) => new URL(address).searchParams.get('token') ?? '',
    pay(id) {
      double.act(found(state.orders, id), 'approve')
      return double.messages.splice(0)
    },
    counts: () => ({ pages: state.orders.size, charges: state.captures.length, refunds: state.refunds.length }),
    held: () =>
      sum(state.captures.map(({ amount }) => cents(amount))) - sum(state.refunds.map(({ amount }) => cents(amount))),
  }
}

async function yookassa(): Promise<KilledProvider> {
  const double = await yookassaDouble()
  const { payments, refunds } = double
  const paid = () => [...payments.values()].filter(({ status }) => status === 'succeeded')
  return {
    double,
    env: { ...yookassaShop, PROVIDER_BASES: `yookassa=${double.base}` },
    currency: 'rub',
    payment: { pay_system_id: 5 },
    idOf: (address) => new URL(address).searchParams.get('orderId') ?? '',
    pay(id) {
      double.pay(id)
      return [{ payload: paidMessage(id), headers: {} }]
    },
    counts: () => ({ pages: payments.size, charges: paid().length, refunds: refunds.size }),
    held: () =>
      sum(paid().map(({ amount }) => cents(amount))) - sum([...refunds.values()].map(({ amount }) => cents(amount))),
  }
}

/** Providers by the name of `payments.provider`. */
export const killedProviders = {
  stripe: {
    start: stripe,
    calls: {
      begin: 'POST checkout/sessions',
      check: (id) => `GET checkout/sessions/${id}`,
      charge: 'POST payment_intents',
      refund: 'POST refunds',
    },
  },
  paypal: {
    start: paypal,
    calls: {
      begin: 'POST v2/checkout/orders',
      check: (id) => `GET v2/checkout/orders/${id}`,
      capture: (id) => `POST v2/checkout/orders/${id}/capture`,
      refund: 'POST v2/payments/captures',
    },
  },
  yookassa: {
    start: yookassa,
    calls: {
      begin: 'POST payments',
      check: (id) => `GET payments/${id}`,
      charge: 'POST payments',
      refund: 'POST refunds',
    },
  },
} as const satisfies Readonly<Record<string, { start: () => Promise<KilledProvider>; calls: Calls }>>

/** Name of a provider. */
export type KilledName = keyof typeof killedProviders
