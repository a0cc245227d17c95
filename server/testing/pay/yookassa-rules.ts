// Requests of the double of YooKassa: how they are read, and what the reference requires of them.
import type { IncomingMessage } from 'node:http'

/** A request to the double. */
export interface Requested {
  readonly method: string
  readonly host: string
  /** Below `/v3/`. */
  readonly path: string
  readonly query: URLSearchParams
  /** `shop:key`. */
  readonly authorization: string
  readonly key: string
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Response of the double. */
export interface DoubleAnswer {
  readonly status: number
  readonly body: unknown
}

/** Reads a request; the host is the first part of its path. */
export async function addressOf(request: IncomingMessage): Promise<Requested> {
  const url = new URL(request.url ?? '/', 'http://double')
  const [, host = '', ...rest] = url.pathname.split('/')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const [, basic = ''] = (request.headers.authorization ?? '').split('Basic ')
  return {
    method: request.method ?? '',
    host,
    path: rest.slice(1).join('/'),
    query: url.searchParams,
    authorization: Buffer.from(basic, 'base64').toString('utf8'),
    key: String(request.headers['idempotence-key'] ?? ''),
    text,
    body: text === '' ? {} : isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text),
  }
}

/** An error of the API. */
export const answerOf = (status: number, code: string, parameter?: string): DoubleAnswer => ({
  status,
  body: { type: 'error', id: 'double', code, description: code, ...(parameter === undefined ? {} : { parameter }) },
})

const rules: Readonly<Record<string, Readonly<Record<string, (value: unknown, body: Body) => boolean>>>> = {
  'POST payments': {
    amount: isAmount,
    capture: (value) => value === true,
    description: (value) => isText(value, 128),
    metadata: (value) => typeof value === 'object' && value !== null,
    confirmation: (value, body) =>
      body['payment_method_id'] === undefined
        ? /^https?:/.test(String((value as { return_url?: unknown } | undefined)?.return_url))
        : value === undefined,
    receipt: (value) => value === undefined || isReceipt(value),
  },
  'POST refunds': {
    amount: isAmount,
    payment_id: (value) => isText(value, 36),
    description: (value) => isText(value, 250),
    receipt: (value) => value === undefined || isReceipt(value),
  },
}
type Body = Readonly<Record<string, unknown>>

/** Returns the rules of the reference that a request breaks. */
export function problemsOf({ method, path, key, body, query }: Requested): string[] {
  const name = `${method} ${path}`
  if (method === 'GET') {
    const limit = Number(query.get('limit') ?? 10)
    return limit >= 1 && limit <= 100 ? [] : [`${name}: limit ${limit}`]
  }
  const known = rules[name]
  if (!known) return [`${name} does not exist`]
  return [
    ...(key.length > 0 && key.length <= 64 ? [] : [`${name}: Idempotence-Key '${key}'`]),
    ...Object.entries(known)
      .filter(([field, holds]) => !holds(body[field], body))
      .map(([field]) => `${name}: ${field} ${JSON.stringify(body[field])}`),
  ]
}

function isAmount(value: unknown): boolean {
  const { value: amount, currency } = (value ?? {}) as { value?: unknown; currency?: unknown }
  return typeof amount === 'string' && /^\d{1,10}\.\d{2}$/.test(amount) && currency === 'RUB'
}

const isText = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= max

function isReceipt(value: unknown): boolean {
  const {
    customer,
    items,
    tax_system_code: system,
  } = value as {
    customer?: { email?: unknown }
    items?: readonly Body[]
    tax_system_code?: unknown
  }
  const modes = ['advance', 'full_payment', 'full_prepayment']
  return (
    isText(customer?.email, 255) &&
    Number(system) >= 1 &&
    Number(system) <= 6 &&
    (items ?? []).length > 0 &&
    (items ?? []).every(
      (item) =>
        isAmount(item['amount']) &&
        isText(item['description'], 128) &&
        item['payment_subject'] === 'service' &&
        modes.includes(String(item['payment_mode'])) &&
        Number(item['vat_code']) >= 1,
    )
  )
}

/** Page where the customer pays or is declined. */
export const pageOf = ({ value, currency }: { readonly value: string; readonly currency: string }): string =>
  `<!doctype html><html lang="en"><title>YooKassa</title><h1>${value} ${currency}</h1>
  <form method="post"><button name="decision" value="pay">Pay</button>
  <button name="decision" value="decline">Decline</button></form></html>`
