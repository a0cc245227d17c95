// Stateful double of PayPal: the calls that the service makes, a page where the customer approves, and signed webhook messages.
// Requests that the reference does not allow are recorded. Host names are path prefixes, as in `PROVIDER_BASES`.
import { randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import {
  basicOf,
  type Body,
  type DoubleAnswer,
  type DoubleRequest,
  type Hang,
  type HangingDouble,
  hangAt,
  readRequest,
} from './double-request.ts'
import { paypalPage, problemsOf, refusal, unprocessable } from './paypal-rules.ts'
import { cents, type DoubleCapture, type DoubleMoney, type DoubleOrder, PaypalState } from './paypal-state.ts'
import { type TestCertificate, testCertificate } from './test-certificate.ts'

const credentials = {
  id: 'client-of-the-double',
  secret: 'secret-of-the-double',
  webhook: '5GP028458E2496506',
} as const

/** A signed webhook message. */
export interface PaypalMessage {
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
}

/** Failures of the next POSTs: no effect, an effect without an answer, a refusal, or an earlier request in progress. */
export type PaypalFault = 'error' | 'lost' | 'refused' | 'busy'

const certificateUrl = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-double'
let certificate: TestCertificate | undefined

export class PaypalDouble implements HangingDouble {
  readonly state = new PaypalState()
  /** Requests that the reference does not allow. */
  readonly problems: string[] = []
  /** `METHOD path` of all calls. */
  readonly calls: string[] = []
  /** Messages that were not delivered yet. */
  readonly messages: PaypalMessage[] = []
  /** Applied to the next POSTs, one each. */
  readonly faults: PaypalFault[] = []
  /** Status and value of the next captures; default: completed, the amount of the order. */
  readonly captures: { readonly status?: DoubleCapture['status']; readonly value?: string }[] = []
  /** Access tokens that the double accepts. */
  readonly tokens = new Set<string>()
  /** Call that is never answered, because its caller is killed. `effect`: the double acts on it before. */
  hang: Hang | null = null
  readonly hungKeys = new Set<string>()
  /** Awaited before each call is answered. */
  onCall: (call: string, response: ServerResponse) => Promise<void> = async () => {}
  /** Calls that were not answered. */
  readonly hung: ServerResponse[] = []
  /** Orders that the double no longer shows. */
  readonly gone = new Set<string>()
  /** Bodies that replace the next answers to reads of orders. */
  readonly garbage: string[] = []
  /** Lists that the app may read beside its payments: `all` are transactions and disputes. */
  mayRead: 'all' | 'transactions' | 'nothing' = 'all'
  /** Requests of disputes that answer 503: the list of all disputes, or each. */
  disputesDown: 'none' | 'list' | 'all' = 'none'
  readonly #answers = new Map<string, DoubleAnswer>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  base = ''

  static async start(): Promise<PaypalDouble> {
    const double = new PaypalDouble()
    await new Promise<void>((done) => double.#server.listen(0, '127.0.0.1', done))
    double.base = `http://127.0.0.1:${(double.#server.address() as AddressInfo).port}`
    return double
  }

  /** Environment of a service that uses the double. */
  get env(): Readonly<Record<string, string>> {
    return {
      PAYPAL_CLIENT_ID: credentials.id,
      PAYPAL_CLIENT_SECRET: credentials.secret,
      PAYPAL_WEBHOOK_ID: credentials.webhook,
      PAYPAL_MODE: 'sandbox',
      PROVIDER_BASES: `paypal=${this.base}`,
    }
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((done) => this.#server.close(() => done()))
  }

  /** Forgets all request ids, as PayPal does. */
  forget = (): void => this.#answers.clear()

  /** Signs a message about an object. @param webhook another id than that of the service's webhook */
  sign(type: string, resource: object, webhook: string = credentials.webhook): PaypalMessage {
    certificate ??= testCertificate('messageverificationcerts.sandbox.paypal.com')
    const payload = JSON.stringify({ id: `WH-${this.state.id()}-${this.state.id()}`, event_type: type, resource })
    const [id, time] = [randomUUID(), this.state.now().toISOString()]
    const text = Buffer.from([id, time, webhook, crc32(payload)].join('|'))
    return {
      payload,
      headers: {
        'paypal-transmission-id': id,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': sign('sha256', text, certificate.privateKey).toString('base64'),
        'paypal-cert-url': certificateUrl,
        'paypal-auth-algo': 'SHA256withRSA',
      },
    }
  }

  /** Queues a message about an object. */
  tell = (type: string, resource: object): void => void this.messages.push(this.sign(type, resource))

  /** The customer acts on the page of an order. @returns the address that the page leads to */
  act(order: DoubleOrder, action: string): string {
    if (action === 'cancel') {
      const left = new URL(order.cancel_url)
      left.searchParams.set('token', order.id)
      return left.href
    }
    order.isDeclined = action === 'decline'
    if (order.status === 'PAYER_ACTION_REQUIRED') {
      order.status = 'APPROVED'
      this.tell('CHECKOUT.ORDER.APPROVED', order)
    }
    return `${order.return_url}?token=${order.id}&PayerID=${this.state.id()}`
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await readRequest(request, 'paypal-request-id')
    if (asked.host === 'www.sandbox.paypal.com') return this.#page(asked, response)
    this.calls.push(`${asked.method} ${asked.path}`)
    await this.onCall(`${asked.method} ${asked.path}`, response)
    if (asked.path.startsWith('v1/notifications/certs/')) return void response.end(this.#certificate(asked))
    const killed = hangAt(this, `${asked.method} ${asked.path}`, asked.key)
    if (killed?.effect === false) return void this.hung.push(response)
    const isWrite = asked.method === 'POST' && asked.path !== 'v1/oauth2/token'
    const fault = isWrite ? this.faults.shift() : undefined
    const { status, body } = fault === 'error' ? refusal(500, 'INTERNAL_SERVER_ERROR') : this.#decide(asked, fault)
    if (killed) return void this.hung.push(response)
    if (fault === 'lost') return void response.destroy()
    const garbage = asked.method === 'GET' && asked.path.startsWith('v2/checkout/') ? this.garbage.shift() : undefined
    if (garbage !== undefined) return void response.end(garbage)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  #certificate({ path }: DoubleRequest): string {
    certificate ??= testCertificate('messageverificationcerts.sandbox.paypal.com')
    return certificateUrl.endsWith(path) ? certificate.pem : 'no certificate'
  }

  #decide(asked: DoubleRequest, fault: PaypalFault | undefined): DoubleAnswer {
    const { method, path, key } = asked
    if (path === 'v1/oauth2/token') return this.#token(asked)
    if (!this.tokens.has(asked.authorization.replace('Bearer ', ''))) return refusal(401, 'invalid_token')
    if (method === 'GET') return this.#read(asked)
    this.problems.push(...problemsOf(asked))
    if (fault === 'busy') return unprocessable('PREVIOUS_REQUEST_IN_PROGRESS')
    if (fault === 'refused') return unprocessable('TRANSACTION_REFUSED')
    const known = this.#answers.get(`${path} ${key}`)
    if (known) return known
    const answer = this.#write(asked)
    if (answer.status < 300) this.#answers.set(`${path} ${key}`, answer)
    return answer
  }

  #token(asked: DoubleRequest): DoubleAnswer {
    const isApp = basicOf(asked) === `${credentials.id}:${credentials.secret}`
    if (!isApp || asked.text !== 'grant_type=client_credentials') return refusal(401, 'invalid_client')
    const access_token = `A21AA${randomUUID()}`
    this.tokens.add(access_token)
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 32_400 } }
  }

  #write({ path, body }: DoubleRequest): DoubleAnswer {
    const [, kind = '', what = '', id = '', verb = ''] = path.split('/')
    if (kind === 'checkout' && what === 'orders' && id === '') return { status: 201, body: this.#create(body) }
    if (kind === 'checkout' && verb === 'capture') return this.#capture(this.state.orders.get(id))
    if (kind === 'payments' && verb === 'refund') return this.#refund(id, body)
    return refusal(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID')
  }

  #create(body: Body): Pick<DoubleOrder, 'id' | 'status' | 'links'> {
    const id = this.state.id()
    const [unit] = body['purchase_units'] as DoubleOrder['purchase_units']
    const source = body['payment_source'] as { paypal: { experience_context: Record<string, string> } }
    const { return_url = '', cancel_url = '' } = source.paypal.experience_context
    const order: DoubleOrder = {
      id,
      status: 'PAYER_ACTION_REQUIRED',
      intent: 'CAPTURE',
      purchase_units: [{ ...unit, payments: { captures: [], refunds: [] } }],
      links: [{ rel: 'payer-action', href: `${this.base}/www.sandbox.paypal.com/checkoutnow?token=${id}` }],
      return_url,
      cancel_url,
      isDeclined: false,
    }
    this.state.orders.set(id, order)
    return { id, status: order.status, links: order.links }
  }

  #capture(order: DoubleOrder | undefined): DoubleAnswer {
    if (!order) return refusal(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID')
    if (order.status === 'COMPLETED') return unprocessable('ORDER_ALREADY_CAPTURED')
    if (order.status !== 'APPROVED') return unprocessable('ORDER_NOT_APPROVED')
    if (order.isDeclined) return unprocessable('INSTRUMENT_DECLINED')
    const invoice = order.purchase_units[0].invoice_id
    if (this.state.captures.some(({ invoice_id }) => invoice_id === invoice))
      return unprocessable('DUPLICATE_INVOICE_ID')
    const { status = 'COMPLETED', value } = this.captures.shift() ?? {}
    const capture = this.state.capture(order, status, value)
    this.tell(`PAYMENT.CAPTURE.${status}`, capture)
    return { status: 201, body: { id: order.id, status: order.status } }
  }

  #refund(captureId: string, body: Body): DoubleAnswer {
    const capture = this.state.captures.find(({ id }) => id === captureId)
    if (!capture) return refusal(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID')
    const amount = body['amount'] as DoubleMoney
    const left = this.state.left(capture)
    if (left === 0) return unprocessable('CAPTURE_FULLY_REFUNDED')
    if (cents(amount) > left) return unprocessable('REFUND_AMOUNT_EXCEEDED')
    const refund = this.state.refund(capture, amount.value, String(body['custom_id']))
    this.tell('PAYMENT.CAPTURE.REFUNDED', refund)
    return { status: 201, body: { id: refund.id, status: refund.status } }
  }

  #read({ path, query }: DoubleRequest): DoubleAnswer {
    const { state } = this
    const id = path.split('/').at(-1) ?? ''
    if (path.startsWith('v2/checkout/orders/')) return found(this.gone.has(id) ? undefined : state.orders.get(id))
    if (path.startsWith('v2/payments/captures/')) return found(state.captures.find((one) => one.id === id))
    const isRefused = this.mayRead === 'nothing' || (this.mayRead === 'transactions' && path.includes('/disputes'))
    if (isRefused) return refusal(403, 'NOT_AUTHORIZED', 'PERMISSION_DENIED')
    if (this.disputesDown === 'all' && path.includes('/disputes')) return refusal(503, 'SERVICE_UNAVAILABLE')
    if (path === 'v1/customer/disputes') return this.#disputes(query)
    if (path.startsWith('v1/customer/disputes/')) return found(state.disputes.get(id))
    return path === 'v1/reporting/transactions' ? this.#transactions(query) : refusal(404, 'RESOURCE_NOT_FOUND')
  }

  /** Pages of two, so that every test of a list follows the link. */
  #disputes(query: URLSearchParams): DoubleAnswer {
    const of = query.get('disputed_transaction_id')
    if (of === null && this.disputesDown === 'list') return refusal(503, 'SERVICE_UNAVAILABLE')
    const since = query.get('update_time_after') ?? ''
    const rows = [...this.state.disputes.values()].filter(
      ({ disputed_transactions: [about], update_time }) =>
        (of === null || about.seller_transaction_id === of) && update_time >= since,
    )
    const from = Number(query.get('next_page_token') ?? 0)
    const href = `https://api.sandbox.paypal.com/v1/customer/disputes?next_page_token=${from + 2}`
    const items = rows.slice(from, from + 2).map(({ dispute_id, status }) => ({ dispute_id, status }))
    return { status: 200, body: { items, links: from + 2 < rows.length ? [{ rel: 'next', href }] : [] } }
  }

  #transactions(query: URLSearchParams): DoubleAnswer {
    const [from, to] = [query.get('start_date') ?? '', query.get('end_date') ?? '']
    if (new Date(to).getTime() - new Date(from).getTime() > 31 * 86_400_000)
      return refusal(400, 'INVALID_REQUEST', 'Date range is greater than 31 days')
    const rows = [
      ...this.state.captures.map(({ id, custom_id, create_time }) => ({
        create_time,
        transaction_info: { transaction_id: id, transaction_event_code: 'T0006', custom_field: custom_id },
      })),
      ...this.state.refunds.map(({ id, links, create_time }) => ({
        create_time,
        transaction_info: {
          transaction_id: id,
          transaction_event_code: 'T1107',
          paypal_reference_id: links[0]?.href.split('/').at(-1),
        },
      })),
    ].filter(({ create_time }) => create_time >= from && create_time < to)
    const page = Number(query.get('page') ?? 1)
    const transaction_details = rows.slice(page * 2 - 2, page * 2)
    return { status: 200, body: { transaction_details, total_pages: Math.ceil(rows.length / 2) } }
  }

  #page({ method, query, body }: DoubleRequest, response: ServerResponse): void {
    const order = this.state.orders.get(query.get('token') ?? '')
    if (!order) return void response.writeHead(404).end()
    if (method === 'POST')
      return void response.writeHead(303, { location: this.act(order, String(body['action'])) }).end()
    const { value, currency_code } = order.purchase_units[0].amount
    response.writeHead(200, { 'content-type': 'text/html' }).end(paypalPage(`${value} ${currency_code}`))
  }
}

const found = (one: unknown): DoubleAnswer =>
  one === undefined ? refusal(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID') : { status: 200, body: one }
