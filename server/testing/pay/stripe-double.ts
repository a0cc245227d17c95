// Stateful double of Stripe: the calls that the service makes, a page where the customer pays, and signed webhook messages.
// Reached through `PROVIDER_BASES`, so that the official SDK runs unchanged.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { type Hang, type HangingDouble, hangAt } from './double-request.ts'
import { payPage } from './stripe-page.ts'
import { type IntentDouble, type SessionDouble, StripeState } from './stripe-state.ts'

export const stripeSecrets = { key: 'sk_test_of_the_double', webhook: 'whsec_of_the_double' } as const

/** A signed webhook message. */
export interface StripeMessage {
  readonly payload: string
  readonly signature: string
}

/** Failures of the next POSTs: an error without effect, an effect without an answer, or a refusal. */
export type StripeFault = 'error' | 'lost' | 'refused'

type Form = Readonly<Record<string, string>>

export class StripeDouble implements HangingDouble {
  readonly state = new StripeState()
  /** `METHOD path` of all calls. */
  readonly calls: string[] = []
  /** Messages that were not delivered yet. */
  readonly messages: StripeMessage[] = []
  /** Applied to the next POSTs, one each: jobs of the service may read at any moment. */
  readonly faults: StripeFault[] = []
  /** Call that is never answered, because its caller is killed. `effect`: the double acts on it before. */
  hang: Hang | null = null
  /** The SDK repeats a call after 10 seconds. */
  readonly hungKeys = new Set<string>()
  /** Calls that are refused; null: none. */
  refuse: string | null = null
  /** Calls that were not answered. */
  readonly hung: ServerResponse[] = []
  /** Code of the decline of off-session charges; null: they succeed. */
  decline: string | null = null
  /** Awaited before each call is answered. */
  onCall: (call: string, response: ServerResponse) => Promise<void> = async () => {}
  /** Called with each message, beside `messages`. */
  onMessage: (message: StripeMessage) => void = () => undefined
  readonly #answers = new Map<string, string>()
  readonly #stripe = new Stripe(stripeSecrets.key)
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  base = ''

  /** Starts the double. @param host address to listen on @returns it, and the environment of a service that uses it */
  static async start(host = '127.0.0.1'): Promise<StripeDouble> {
    const double = new StripeDouble()
    await new Promise<void>((done) => double.#server.listen(0, host, done))
    double.base = `http://${host}:${(double.#server.address() as AddressInfo).port}`
    return double
  }

  get env(): Readonly<Record<string, string>> {
    return {
      STRIPE_SECRET_KEY: stripeSecrets.key,
      STRIPE_WEBHOOK_SECRET: stripeSecrets.webhook,
      PROVIDER_BASES: `stripe=${this.base}`,
    }
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((done) => this.#server.close(() => done()))
  }

  /** Forgets all idempotency keys, as Stripe does after a day. */
  forget = (): void => this.#answers.clear()

  /** Signs a message about an object, as the SDK signs test messages. @param seconds time of the signature */
  sign(type: string, object: object, seconds = Math.floor(Date.now() / 1000), secret: string = stripeSecrets.webhook) {
    const event = { id: this.state.id('evt'), object: 'event', type, data: { object } }
    const payload = JSON.stringify(event)
    const signature = this.#stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: seconds })
    return { payload, signature }
  }

  /** Queues a message about an object. */
  tell(type: string, object: object): void {
    const message = this.sign(type, object)
    this.messages.push(message)
    this.onMessage(message)
  }

  /** The customer acts on the page of a session. @returns the address that the page leads to */
  act(session: SessionDouble, action: string): string {
    const intent = this.state.intentOf(session)
    if (action === 'pay' || action === 'confirm') {
      this.state.pay(session)
      this.tell('payment_intent.succeeded', intent)
      this.tell('checkout.session.completed', session)
      return session.success_url
    }
    if (action === 'challenge') return `${session.url}?challenge=1`
    Object.assign(intent, declined('card_declined', 'insufficient_funds'))
    this.tell('payment_intent.payment_failed', intent)
    return session.url ?? ''
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const url = new URL(request.url ?? '/', this.base)
    const form: Form = Object.fromEntries(new URLSearchParams(text))
    if (url.pathname.startsWith('/checkout/')) return this.#page(request, response, url, form)
    const path = url.pathname.replace('/api.stripe.com/v1/', '')
    this.calls.push(`${request.method} ${path}`)
    await this.onCall(`${request.method} ${path}`, response)
    const key = String(request.headers['idempotency-key'] ?? '')
    const killed = hangAt(this, `${request.method} ${path}`, key)
    if (killed?.effect === false) return void this.hung.push(response)
    const fault = request.method === 'POST' ? this.faults.shift() : undefined
    if (fault === 'error') return send(response, 500, failed('api_error', 'error'))
    if (fault === 'refused' || this.refuse === `${request.method} ${path}`)
      return send(response, 400, failed('invalid_request_error', 'parameter_invalid'))
    const known = this.#answers.get(key)
    const [status, body] = known === undefined ? this.#answer(request.method ?? '', path, form, url) : [200, known]
    if (key !== '' && status === 200) this.#answers.set(key, toText(body))
    if (killed) return void this.hung.push(response)
    if (fault === 'lost') return void response.destroy()
    return send(response, status, body)
  }

  #page(request: IncomingMessage, response: ServerResponse, url: URL, form: Form): void {
    const session = this.state.sessions.get(url.pathname.split('/').at(-1) ?? '')
    if (!session) return send(response, 404, 'no session')
    if (request.method === 'POST') {
      response.writeHead(303, { location: this.act(session, form['action'] ?? '') })
      return void response.end()
    }
    response.setHeader('content-type', 'text/html')
    const amount = `${((session.amount_total ?? 0) / 100).toFixed(2)} ${session.currency}`
    response.end(payPage(amount, url.searchParams.has('challenge')))
  }

  #answer(method: string, path: string, form: Form, { searchParams: query }: URL): [status: number, body: unknown] {
    const { state } = this
    const [resource = '', id = '', verb = ''] = path.replace('checkout/sessions', 'sessions').split('/')
    if (method === 'POST' && resource === 'customers') return [200, { id: state.id('cus'), object: 'customer' }]
    if (resource === 'sessions') return this.#session(method, id, verb, form)
    if (resource === 'payment_intents' && method === 'POST') return this.#intent(id, verb, form)
    if (resource === 'payment_intents' && id !== '') return found(state.intents.get(id))
    if (resource === 'payment_intents') return list([...state.intents.values()], query)
    if (resource === 'refunds' && method === 'POST') return this.#refund(form)
    if (resource === 'refunds') return list([...state.refunds.values()], query)
    if (resource === 'disputes') return list([...state.disputes.values()], query)
    return [404, failed('invalid_request_error', 'resource_missing')]
  }

  #refund(form: Form): [number, unknown] {
    const { state } = this
    const intent = state.intents.get(form['payment_intent'] ?? '')
    const spent = [...state.refunds.values()].filter((one) => one.payment_intent === intent?.id)
    const left = (intent?.amount_received ?? 0) - spent.reduce((sum, one) => sum + one.amount, 0)
    const amount = Number(form['amount'])
    if (!intent || amount > left) return [400, failed('invalid_request_error', 'charge_already_refunded')]
    return [200, state.refund(intent.id, amount, { refund: form['metadata[refund]'] ?? '' })]
  }

  #session(method: string, id: string, verb: string, form: Form): [number, unknown] {
    const { state } = this
    const known = state.sessions.get(id)
    if (method === 'GET' && id === '') return list([...state.sessions.values()], new URLSearchParams())
    if (method === 'GET') return found(known)
    if (verb === 'expire') {
      if (known?.status !== 'open') return [400, failed('invalid_request_error', 'resource_missing')]
      known.status = 'expired'
      return [200, known]
    }
    const created = state.id('cs')
    const session: SessionDouble = {
      id: created,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: Number(form['line_items[0][price_data][unit_amount]']),
      currency: form['line_items[0][price_data][currency]'] ?? '',
      url: `${this.base}/checkout/${created}`,
      metadata: { payment: form['metadata[payment]'] ?? '' },
      created: state.now(),
      payment_intent: null,
      save: form['payment_intent_data[setup_future_usage]'] === 'off_session',
      success_url: form['success_url'] ?? '',
      customer: form['customer'] ?? '',
    }
    state.sessions.set(created, session)
    return [200, session]
  }

  #intent(id: string, verb: string, form: Form): [number, unknown] {
    const { state } = this
    const known = state.intents.get(id)
    if (verb === 'cancel') return known ? [200, Object.assign(known, { status: 'canceled' })] : found(undefined)
    if (verb === 'confirm' && known) {
      const next_action = { type: 'redirect_to_url', redirect_to_url: { url: `${this.base}/3ds/${id}` } }
      return [200, Object.assign(known, { status: 'requires_action', next_action })]
    }
    const metadata = { payment: form['metadata[payment]'] ?? '' }
    const intent = state.intent(Number(form['amount']), form['currency'] ?? '', metadata)
    if (this.decline === null) {
      Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
      return [200, intent]
    }
    Object.assign(intent, declined('card_declined', this.decline))
    const error = { type: 'card_error', code: 'card_declined', decline_code: this.decline, payment_intent: intent }
    return [402, { error }]
  }
}

const declined = (code: string, decline_code: string): Partial<IntentDouble> => ({
  status: 'requires_payment_method',
  last_payment_error: { type: 'card_error', code, decline_code } as Stripe.PaymentIntent.LastPaymentError,
})

const failed = (type: string, code: string) => ({ error: { type, code, message: 'Refused by the double' } })
const found = (one: unknown): [number, unknown] =>
  one === undefined ? [404, failed('invalid_request_error', 'resource_missing')] : [200, one]

/** A list of Stripe in one page, filtered by intent and time. */
function list(
  all: readonly { readonly created: number; readonly payment_intent?: unknown }[],
  query: URLSearchParams,
): [number, unknown] {
  const intent = query.get('payment_intent')
  const from = Number(query.get('created[gte]') ?? 0)
  const data = all.filter((one) => (intent === null || one.payment_intent === intent) && one.created >= from)
  return [200, { object: 'list', has_more: false, url: '/v1/list', data }]
}

const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(toText(body))
}
