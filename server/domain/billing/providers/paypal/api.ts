// REST API of PayPal: the calls that the service makes, and the fields that it reads
// (paypal/paypal-rest-api-specifications: orders v2, payments v2, disputes v1, transaction search v1).
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { callProvider, jsonOf, ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { paypalHosts, type PaypalAccount } from './settings.ts'
import { later } from '#server/core/clock.ts'

const Id = z.string().check(z.regex(/^[\w-]{1,255}$/))
const Money = z.object({
  currency_code: z.string().check(z.regex(/^[A-Z]{3}$/)),
  value: z.string().check(z.regex(/^\d{1,13}(\.\d{1,2})?$/)),
})
const Status = z.optional(z.object({ reason: z.optional(z.string()) }))
const Text = z.optional(z.string())

/** A capture: the money of an order. */
const Capture = z.object({
  id: Id,
  status: z.string(),
  status_details: Status,
  amount: Money,
  custom_id: Text,
  seller_receivable_breakdown: z.optional(z.object({ paypal_fee: z.optional(Money) })),
  supplementary_data: z.optional(z.object({ related_ids: z.optional(z.object({ order_id: z.optional(Id) })) })),
})
export type PaypalCapture = z.output<typeof Capture>

const Refund = z.object({ id: Id, status: z.string(), amount: z.optional(Money), custom_id: Text })
export type PaypalRefund = z.output<typeof Refund>

const Order = z.object({
  id: Id,
  status: z.string(),
  purchase_units: z.array(
    z.object({
      amount: Money,
      custom_id: Text,
      payments: z.optional(z.object({ captures: z.optional(z.array(Capture)), refunds: z.optional(z.array(Refund)) })),
    }),
  ),
  links: z.optional(z.array(z.object({ rel: z.string(), href: z.string() }))),
})
export type PaypalOrder = z.output<typeof Order>

/** Answer to a creation: by default without the purchase units. */
const Created = z.object({ id: Id, links: z.array(z.object({ rel: z.string(), href: z.string() })) })
export type PaypalCreated = z.output<typeof Created>

const movement = { amount: z.optional(Money), type: Text, reason: Text }
const Dispute = z.object({
  dispute_id: Id,
  status: z.string(),
  disputed_transactions: z.optional(z.array(z.object({ seller_transaction_id: z.optional(Id) }))),
  dispute_outcome: z.optional(z.object({ outcome_code: Text })),
  fund_movements: z.optional(z.array(z.object({ ...movement, party: Text }))),
  money_movements: z.optional(z.array(z.object({ ...movement, affected_party: Text }))),
})
export type PaypalDispute = z.output<typeof Dispute>
const Disputes = z.object({
  items: z.optional(z.array(z.object({ dispute_id: Id }))),
  links: z.optional(z.array(z.object({ rel: z.string(), href: z.string() }))),
})

const Transaction = z.object({
  transaction_id: Id,
  paypal_reference_id: z.optional(Id),
  transaction_event_code: Text,
  custom_field: Text,
})
export type PaypalTransaction = z.output<typeof Transaction>
const Transactions = z.object({
  transaction_details: z.optional(z.array(z.object({ transaction_info: Transaction }))),
  total_pages: z.optional(z.number()),
})

/**
 * Calls of the API. `key`: `PayPal-Request-Id`, which PayPal keeps for 6 hours (orders) and 45 days (refunds).
 * Each throws ProviderUnavailableError when the outcome is unknown (timeout, 409, 429, 5xx, an earlier request in progress,
 * an unreadable body), and ProviderRefusedError with PayPal's code for a refusal.
 */
export interface PaypalApi {
  createOrder(body: object, key: string): Promise<PaypalCreated>
  getOrder(id: string): Promise<PaypalOrder>
  captureOrder(id: string, key: string): Promise<void>
  getCapture(id: string): Promise<PaypalCapture>
  refundCapture(id: string, body: object, key: string): Promise<void>
  /** Ids of the disputes of a capture, or of those that changed since a time. */
  listDisputes(query: Readonly<Record<string, string>>): AsyncIterable<string>
  getDispute(id: string): Promise<PaypalDispute>
  /** Transactions between two times, at most 31 days apart. PayPal lists them up to some hours late. */
  listTransactions(from: Date, to: Date): AsyncIterable<PaypalTransaction>
}

/** Outcomes are unknown: PayPal is still working on an earlier request with the key. */
const busy: ReadonlySet<string> = new Set(['PREVIOUS_REQUEST_IN_PROGRESS', 'DUPLICATE_REQUEST_ID'])

/** Largest number of pages of a list: a list that never ends is no answer. */
const pagesMax = 1_000

/** Creates a client. Loads an access token with the first call. */
export function paypalApi(services: Pick<Services, 'config' | 'clock'>, account: PaypalAccount): PaypalApi {
  const origin = `https://${paypalHosts[account.mode].api}`
  const token: PaypalToken = paypalToken(services, account)

  async function send(path: string, sent?: { body?: object; key: string }) {
    const used = await token.get()
    const authorization = `Bearer ${used}`
    const answer = await callProvider(services.config, 'paypal', `${origin}/${path}`, {
      headers: {
        authorization,
        ...(sent && { 'content-type': 'application/json', 'paypal-request-id': sent.key }),
      },
      ...(sent && { method: 'POST', body: JSON.stringify(sent.body ?? {}) }),
    })
    // PayPal ends tokens early, for example after a change of permissions.
    if (answer.status === 401) token.forget(used)
    return answer
  }

  async function call<T>(schema: z.ZodMiniType<T>, path: string, sent?: { body?: object; key: string }): Promise<T> {
    let answer = await send(path, sent)
    if (answer.status === 401) answer = await send(path, sent)
    const { status, text } = answer
    const issue = status >= 300 ? issueOf(text) : ''
    if (status === 409 || busy.has(issue)) throw new ProviderUnavailableError('paypal', status)
    if (status >= 300) throw new ProviderRefusedError('paypal', status, issue)
    const read = schema.safeParse(jsonOf(text))
    if (!read.success) throw new ProviderUnavailableError('paypal')
    return read.data
  }

  return {
    createOrder: (body, key) => call(Created, 'v2/checkout/orders', { body, key }),
    getOrder: (id) => call(Order, `v2/checkout/orders/${encodeURIComponent(id)}`),
    captureOrder: async (id, key) =>
      void (await call(z.unknown(), `v2/checkout/orders/${encodeURIComponent(id)}/capture`, { key })),
    getCapture: (id) => call(Capture, `v2/payments/captures/${encodeURIComponent(id)}`),
    refundCapture: async (id, body, key) =>
      void (await call(z.unknown(), `v2/payments/captures/${encodeURIComponent(id)}/refund`, { body, key })),
    async *listDisputes(query) {
      const params = new URLSearchParams({ ...query, page_size: '50' })
      for (let page = 0; page < pagesMax; page++) {
        const { items = [], links = [] } = await call(Disputes, `v1/customer/disputes?${params.toString()}`)
        for (const { dispute_id } of items) yield dispute_id
        const next = links.find(({ rel }) => rel === 'next')?.href
        const cursor =
          next !== undefined && URL.canParse(next) ? new URL(next).searchParams.get('next_page_token') : null
        if (cursor === null || items.length === 0) return
        params.set('next_page_token', cursor)
      }
    },
    getDispute: (id) => call(Dispute, `v1/customer/disputes/${encodeURIComponent(id)}`),
    async *listTransactions(from, to) {
      const dates = { start_date: from.toISOString(), end_date: to.toISOString() }
      for (let page = 1; page <= pagesMax; page++) {
        const query = new URLSearchParams({
          ...dates,
          fields: 'transaction_info',
          page_size: '500',
          page: String(page),
        })
        const answer = await call(Transactions, `v1/reporting/transactions?${query.toString()}`)
        for (const { transaction_info } of answer.transaction_details ?? []) yield transaction_info
        if (page >= (answer.total_pages ?? 1)) return
      }
    },
  }
}

/** Code of an error: its first issue, or its name; empty for another body. Texts stay out, because they may quote input. */
function issueOf(text: string): string {
  const code = z.string().check(z.regex(/^[A-Za-z_\d]{1,80}$/))
  const named = z.object({
    name: z.optional(code),
    details: z.optional(z.array(z.object({ issue: z.optional(code) }))),
  })
  const read = named.safeParse(jsonOf(text))
  return read.success ? (read.data.details?.[0]?.issue ?? read.data.name ?? '') : ''
}

const Token = z.object({ access_token: z.string(), expires_in: z.number() })

/** Time before the end of a token at which another one is requested, seconds. */
const marginSeconds = 60

/** The access token of an account. */
interface PaypalToken {
  /** @throws ProviderUnavailableError, ProviderRefusedError */
  get(): Promise<string>
  /** Requests another token with the next call, unless there is already another one than the refused one. */
  forget(refused: string): void
}

/** Creates the token of an account. Concurrent calls share one request. */
function paypalToken(services: Pick<Services, 'config' | 'clock'>, account: PaypalAccount): PaypalToken {
  let known: { readonly value: string; readonly end: Date } | null = null
  let loading: Promise<string> | null = null

  async function load(): Promise<string> {
    const basic = Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64')
    const { status, text } = await callProvider(
      services.config,
      'paypal',
      `https://${paypalHosts[account.mode].api}/v1/oauth2/token`,
      {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      },
    )
    if (status >= 300) throw new ProviderRefusedError('paypal', status, 'token')
    const read = z.safeParse(Token, jsonOf(text))
    if (!read.success) throw new ProviderUnavailableError('paypal')
    const { access_token: value, expires_in: seconds } = read.data
    known = { value, end: later(services.clock.now(), (seconds - marginSeconds) * 1000) }
    return value
  }

  return {
    async get() {
      if (known && known.end > services.clock.now()) return known.value
      loading ??= load().finally(() => (loading = null))
      return await loading
    },
    forget(refused) {
      if (known?.value === refused) known = null
    },
  }
}
