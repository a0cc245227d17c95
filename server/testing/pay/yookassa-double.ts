// Stateful double of YooKassa: payments, refunds, receipts, lists and a page to pay, after the reference (yookassa.ru/developers/api).
// Requests that the reference does not allow are recorded. Host names are path prefixes, as in `PROVIDER_BASES`.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  basicOf,
  type DoubleAnswer,
  type DoubleRequest,
  type HangingDouble,
  hangAt,
  readRequest,
} from './double-request.ts'
import { answerOf, pageOf, problemsOf } from './yookassa-rules.ts'

/** A payment as the double keeps it: the object of the reference. */
export interface DoublePayment extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly amount: { readonly value: string; readonly currency: string }
  readonly metadata: Readonly<Record<string, string>>
  status: 'pending' | 'succeeded' | 'canceled'
  created_at: string
  confirmation?: { type: 'redirect'; confirmation_url: string; return_url: string }
  cancellation_details?: { party: string; reason: string }
  refunded_amount?: { value: string; currency: string }
  payment_method?: Readonly<Record<string, unknown>>
  /** State of the receipt that came with the payment. */
  receipt_registration?: ReceiptStatus
}

type ReceiptStatus = 'pending' | 'succeeded' | 'canceled'

/** A closing receipt as the double keeps it. */
export interface DoubleReceipt extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly payment_id: string
  readonly settlements: readonly { readonly type: string; readonly amount: DoublePayment['amount'] }[]
  readonly created_at: string
  status: ReceiptStatus
}

/** A refund as the double keeps it. */
export interface DoubleRefund extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly payment_id: string
  readonly amount: { readonly value: string; readonly currency: string }
  readonly description?: string
  readonly created_at: string
  status: 'pending' | 'succeeded' | 'canceled'
}

/** The webhook message about a paid payment. */
export const paidMessage = (id: string): string =>
  JSON.stringify({ type: 'notification', event: 'payment.succeeded', object: { id } })

/** A running double. */
export interface YookassaDouble extends HangingDouble {
  /** Value for `PROVIDER_BASES`. */
  readonly base: string
  /** Requests that the reference does not allow. */
  readonly problems: string[]
  /** `POST payments` and so on, of all requests. */
  readonly calls: string[]
  readonly payments: Map<string, DoublePayment>
  readonly refunds: Map<string, DoubleRefund>
  readonly receipts: Map<string, DoubleReceipt>
  /** State of the next receipts; none: registered immediately. */
  readonly registrations: ReceiptStatus[]
  /** Calls that were not answered. */
  readonly hung: ServerResponse[]
  /** Forgets the idempotency keys, as after a day. */
  forget(): void
  /** Bodies of created payments, refunds and receipts. */
  readonly bodies: Readonly<Record<string, unknown>>[]
  /** Every page of a list names the same next page. */
  endless: boolean
  /** State of the next refunds; none: done immediately. */
  readonly refundStates: DoubleRefund['status'][]
  /** Failures of the next requests that create something. `lost`: it is done, and the answer is a 500. */
  readonly failures: ('lost' | 'refused' | 'unauthorized')[]
  /** Reason that a bank gives for charges of a saved method, by its id; none: the charge succeeds. */
  readonly declines: Map<string, string>
  /** The customer pays, or the bank declines. @returns the id of the saved method */
  pay(id: string, reason?: string): string
  /** The shop refunds in its own cabinet. */
  refundByShop(id: string, value: string): void
  readonly close: () => Promise<void>
}

/** Shop and key that the double accepts. */
export const yookassaShop = { YOOKASSA_SHOP_ID: '100500', YOOKASSA_SECRET_KEY: 'test_secret' } as const

/** Starts a double. @param now clock of the test: creation times of payments */
export async function yookassaDouble(now: () => Date = () => new Date()): Promise<YookassaDouble> {
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Answers by idempotency key, with the body that was sent. */
  const answers = new Map<string, { readonly body: string; readonly answer: DoubleAnswer }>()

  const double: YookassaDouble = {
    base,
    problems: [],
    calls: [],
    payments: new Map(),
    refunds: new Map(),
    receipts: new Map(),
    registrations: [],
    hang: null,
    hungKeys: new Set(),
    hung: [],
    forget: () => answers.clear(),
    bodies: [],
    endless: false,
    refundStates: [],
    failures: [],
    declines: new Map(),
    pay(id, reason) {
      const payment = double.payments.get(id)
      if (!payment) throw new Error(`No payment ${id}`)
      return payDouble(payment, reason)
    },
    refundByShop: (id, value) => void addRefund({ payment_id: id, amount: { value, currency: 'RUB' } }),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }

  function addRefund(body: Readonly<Record<string, unknown>>): DoubleRefund {
    const status = double.refundStates.shift() ?? 'succeeded'
    const refund = { ...body, id: randomUUID(), status, created_at: now().toISOString() } as DoubleRefund
    double.refunds.set(refund.id, refund)
    const payment = double.payments.get(refund.payment_id)
    if (payment && status === 'succeeded') payment.refunded_amount = refund.amount
    return refund
  }

  function addPayment(body: Readonly<Record<string, unknown>>): DoublePayment {
    const id = randomUUID()
    const payment = { ...body, id, status: 'pending', created_at: now().toISOString() } as DoublePayment
    if (body['receipt'] !== undefined) payment.receipt_registration = 'pending'
    const { confirmation } = payment
    if (confirmation)
      payment.confirmation = {
        ...confirmation,
        confirmation_url: `${base}/yoomoney.ru/checkout/payments/v2/contract?orderId=${id}`,
      }
    double.payments.set(id, payment)
    const method = body['payment_method_id']
    if (typeof method === 'string') double.pay(id, double.declines.get(method))
    return payment
  }

  function addReceipt(body: Readonly<Record<string, unknown>>): DoubleReceipt {
    const status = double.registrations.shift() ?? 'succeeded'
    const receipt = { ...body, id: randomUUID(), status, created_at: now().toISOString() } as DoubleReceipt
    double.receipts.set(receipt.id, receipt)
    return receipt
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await readRequest(request, 'idempotence-key')
    if (received.host === 'yoomoney.ru') return page(double, received, response)
    const asked = { ...received, path: received.path.replace(/^v3\//, '') }
    double.calls.push(`${asked.method} ${asked.path}`)
    double.problems.push(...problemsOf(asked))
    const killed = hangAt(double, `${asked.method} ${asked.path}`, asked.key)
    if (killed?.effect === false) return void double.hung.push(response)
    const { status, body } = decide(asked)
    if (killed) return void double.hung.push(response)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  function decide(asked: DoubleRequest): DoubleAnswer {
    if (basicOf(asked) !== `${yookassaShop.YOOKASSA_SHOP_ID}:${yookassaShop.YOOKASSA_SECRET_KEY}`)
      return answerOf(401, 'invalid_credentials')
    if (asked.method === 'GET') return read(double, asked)
    const known = answers.get(asked.key)
    if (known) return known.body === asked.text ? known.answer : answerOf(400, 'invalid_request', 'Idempotence-Key')
    const failure = double.failures.shift()
    if (failure === 'refused') return answerOf(403, 'forbidden')
    if (failure === 'unauthorized') return answerOf(401, 'invalid_credentials')
    double.bodies.push(asked.body)
    const add = { payments: addPayment, receipts: addReceipt }[asked.path] ?? addRefund
    const answer = { status: 200, body: add(asked.body) }
    answers.set(asked.key, { body: asked.text, answer })
    return failure === 'lost' ? answerOf(500, 'internal_server_error') : answer
  }

  return double
}

/** The page where the customer pays. */
function page(
  double: Pick<YookassaDouble, 'payments' | 'pay'>,
  { method, query, body }: DoubleRequest,
  response: ServerResponse,
): void {
  const id = query.get('orderId') ?? ''
  const payment = double.payments.get(id)
  if (!payment) return void response.writeHead(404).end()
  if (method === 'GET') return void response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(payment.amount))
  double.pay(id, body['decision'] === 'pay' ? undefined : 'insufficient_funds')
  response.writeHead(303, { location: payment.confirmation?.return_url ?? '/' }).end()
}

/** Pays a payment, or declines it for a reason. @returns the id of the saved method */
function payDouble(payment: DoublePayment, reason?: string): string {
  const { id } = payment
  if (payment.status !== 'pending') return String(payment.payment_method?.['id'])
  payment.payment_method = {
    type: 'bank_card',
    id,
    saved: payment['save_payment_method'] === true && reason === undefined,
    title: 'Bank card *4444',
    card: { first6: '555555', last4: '4444', expiry_month: '07', expiry_year: '2029', card_type: 'MasterCard' },
  }
  if (reason === undefined) payment.status = 'succeeded'
  else Object.assign(payment, { status: 'canceled', cancellation_details: { party: 'payment_network', reason } })
  return id
}

/** Answers a GET: one payment, or a page of a list. */
function read(
  double: Pick<YookassaDouble, 'payments' | 'refunds' | 'receipts' | 'endless'>,
  { path, query }: DoubleRequest,
): DoubleAnswer {
  const [kind = '', id] = path.split('/')
  const { endless, ...maps } = double
  const kinds: Readonly<Record<string, ReadonlyMap<string, Readonly<Record<string, unknown>>>>> = maps
  const rowsOf = kinds[kind] ?? new Map<string, Readonly<Record<string, unknown>>>()
  if (id !== undefined) {
    const found = rowsOf.get(id)
    return found ? { status: 200, body: found } : answerOf(404, 'not_found')
  }
  const all = [...rowsOf.values()]
  const since = query.get('created_at.gte') ?? ''
  const paymentId = query.get('payment_id')
  const rows = all.filter(
    (row) => String(row['created_at']) >= since && (paymentId === null || row['payment_id'] === paymentId),
  )
  // Pages of two, so that every test of a list follows the cursor.
  const from = Number(query.get('cursor') ?? 0)
  const next = endless ? { next_cursor: 'again' } : from + 2 < rows.length ? { next_cursor: String(from + 2) } : {}
  return { status: 200, body: { type: 'list', items: rows.slice(from, from + 2), ...next } }
}
