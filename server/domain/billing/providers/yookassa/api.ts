// HTTP API of YooKassa (v3): the calls that the service makes, and the fields that it reads.
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { callProvider, jsonOf, ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import type { YookassaAccount } from './settings.ts'

const origin = 'https://api.yookassa.ru/v3'

/** An amount as YooKassa writes it: two decimals, currency in upper case. */
const Amount = z.object({ value: z.string(), currency: z.string() })
const Cancellation = z.optional(z.object({ party: z.string(), reason: z.string() }))

/** A payment at YooKassa. */
export const YooPayment = z.object({
  id: z.string(),
  status: z.enum(['pending', 'waiting_for_capture', 'succeeded', 'canceled']),
  amount: Amount,
  /** After the fee of YooKassa. */
  income_amount: z.optional(Amount),
  refunded_amount: z.optional(Amount),
  created_at: z.string(),
  confirmation: z.optional(z.object({ confirmation_url: z.optional(z.string()) })),
  cancellation_details: Cancellation,
  /** State of the receipt that came with the payment; absent without one. */
  receipt_registration: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  payment_method: z.optional(
    z.object({
      id: z.string(),
      type: z.string(),
      saved: z.boolean(),
      title: z.optional(z.string()),
      card: z.optional(
        z.object({
          last4: z.string(),
          card_type: z.string(),
          expiry_month: z.optional(z.string()),
          expiry_year: z.optional(z.string()),
        }),
      ),
    }),
  ),
})
export type YooPayment = z.output<typeof YooPayment>

/** A refund at YooKassa. */
export const YooRefund = z.object({
  id: z.string(),
  payment_id: z.string(),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  amount: Amount,
  description: z.optional(z.string()),
  cancellation_details: Cancellation,
})
export type YooRefund = z.output<typeof YooRefund>

/** A receipt at YooKassa. */
export const YooReceipt = z.object({
  id: z.string(),
  type: z.enum(['payment', 'refund']),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  settlements: z.optional(z.array(z.object({ type: z.string(), amount: Amount }))),
})
export type YooReceipt = z.output<typeof YooReceipt>

/** A page of a list. */
const pageOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({ items: z.array(item), next_cursor: z.optional(z.string()) })

/** Calls of the API. `key`: idempotency key, at most 64 characters, which YooKassa keeps for 24 hours. */
export interface YooApi {
  createPayment(body: object, key: string): Promise<YooPayment>
  createRefund(body: object, key: string): Promise<YooRefund>
  createReceipt(body: object, key: string): Promise<YooReceipt>
  getPayment(id: string): Promise<YooPayment>
  getReceipt(id: string): Promise<YooReceipt>
  listPayments(query: Readonly<Record<string, string>>): AsyncIterable<YooPayment>
  listRefunds(query: Readonly<Record<string, string>>): AsyncIterable<YooRefund>
  listReceipts(query: Readonly<Record<string, string>>): AsyncIterable<YooReceipt>
}

const itemsMax = '100'
/** Largest number of pages of a list: a list that never ends, or repeats a page, is no answer. */
const pagesMax = 1_000

/**
 * Creates a client. Each call throws ProviderUnavailableError when the result is unknown (timeout, 202, 429, 5xx, an
 * unreadable body) and ProviderRefusedError with the provider's code and parameter for a refusal.
 */
export function yooApi({ config }: Pick<Services, 'config'>, { shopId, secretKey }: YookassaAccount): YooApi {
  const authorization = `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`

  async function call<T>(schema: z.ZodMiniType<T>, path: string, sent?: { body: object; key: string }): Promise<T> {
    const { status, text } = await callProvider(config, 'yookassa', `${origin}/${path}`, {
      headers: {
        authorization,
        ...(sent && { 'content-type': 'application/json', 'idempotence-key': sent.key }),
      },
      ...(sent && { method: 'POST', body: JSON.stringify(sent.body) }),
    })
    if (status === 202) throw new ProviderUnavailableError('yookassa')
    if (status >= 300) throw new ProviderRefusedError('yookassa', status, reasonOf(text))
    const read = schema.safeParse(jsonOf(text))
    if (!read.success) throw new ProviderUnavailableError('yookassa')
    return read.data
  }

  async function* list<T>(
    schema: z.ZodMiniType<T>,
    path: string,
    query: Readonly<Record<string, string>>,
  ): AsyncIterable<T> {
    const page = pageOf(schema)
    let cursor: string | undefined
    for (let pages = 0; pages < pagesMax; pages++) {
      const asked = new URLSearchParams({ ...query, limit: itemsMax, ...(cursor === undefined ? {} : { cursor }) })
      const { items, next_cursor } = (await call(page as never, `${path}?${asked.toString()}`)) as {
        items: T[]
        next_cursor?: string
      }
      yield* items
      if (next_cursor === undefined) return
      if (next_cursor === cursor) break
      cursor = next_cursor
    }
    throw new ProviderUnavailableError('yookassa')
  }

  return {
    createPayment: (body, key) => call(YooPayment, 'payments', { body, key }),
    createRefund: (body, key) => call(YooRefund, 'refunds', { body, key }),
    createReceipt: (body, key) => call(YooReceipt, 'receipts', { body, key }),
    getReceipt: (id) => call(YooReceipt, `receipts/${encodeURIComponent(id)}`),
    getPayment: (id) => call(YooPayment, `payments/${encodeURIComponent(id)}`),
    listPayments: (query) => list(YooPayment, 'payments', query),
    listRefunds: (query) => list(YooRefund, 'refunds', query),
    listReceipts: (query) => list(YooReceipt, 'receipts', query),
  }
}

/** Code and parameter of an error, for the log and the operator; empty for another body. */
function reasonOf(text: string): string {
  const read = z.object({ code: z.string(), parameter: z.optional(z.string()) }).safeParse(jsonOf(text))
  return read.success ? [read.data.code, read.data.parameter].filter(Boolean).join(' ').slice(0, 100) : ''
}
