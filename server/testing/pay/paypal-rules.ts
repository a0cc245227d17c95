// Requests of the double of PayPal: how they are read, and what the reference requires of them.
import type { IncomingMessage } from 'node:http'

export type Body = Readonly<Record<string, unknown>>

/** A request to the double. */
export interface PaypalRequest {
  readonly method: string
  /** First part of the path. */
  readonly host: string
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string
  /** `PayPal-Request-Id`. */
  readonly key: string
  readonly text: string
  readonly body: Body
}

/** Response of the double. */
export interface PaypalAnswer {
  readonly status: number
  readonly body: unknown
}

/** Reads a request; the host is the first part of its path. */
export async function requestOf(request: IncomingMessage): Promise<PaypalRequest> {
  const url = new URL(request.url ?? '/', 'http://double')
  const [, host = '', ...rest] = url.pathname.split('/')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  return {
    method: request.method ?? '',
    host,
    path: rest.join('/'),
    query: url.searchParams,
    authorization: request.headers.authorization ?? '',
    key: String(request.headers['paypal-request-id'] ?? ''),
    text,
    body: text === '' ? {} : isForm ? Object.fromEntries(new URLSearchParams(text)) : (JSON.parse(text) as Body),
  }
}

/** An error of the API. */
export const refusal = (status: number, name: string, issue?: string): PaypalAnswer => ({
  status,
  body: { name, message: 'Refused by the double', ...(issue !== undefined && { details: [{ issue }] }) },
})

/** An error of a rule: 422. */
export const unprocessable = (issue: string): PaypalAnswer => refusal(422, 'UNPROCESSABLE_ENTITY', issue)

const wholeOnly = new Set(['HUF', 'JPY', 'TWD'])
const codes = new Set(
  'AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD'.split(' '),
)

/** Returns whether an amount is one that PayPal accepts. */
export function isMoney(value: unknown): boolean {
  const { currency_code: code, value: text } = (value ?? {}) as { currency_code?: unknown; value?: unknown }
  const pattern = wholeOnly.has(String(code)) ? /^[1-9]\d{0,9}$/ : /^\d{1,10}\.\d{2}$/
  return codes.has(String(code)) && typeof text === 'string' && pattern.test(text)
}

const isText = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= max

/** Returns the rules of the reference that a POST breaks. */
export function problemsOf({ path, key, body }: PaypalRequest): string[] {
  const problems: string[] = []
  const check = (holds: boolean, what: string) => void (holds || problems.push(`POST ${path}: ${what}`))
  check(isText(key, 108), `PayPal-Request-Id '${key}'`)
  if (path.endsWith('/refund')) {
    check(isMoney(body['amount']), `amount ${JSON.stringify(body['amount'])}`)
    check(isText(body['custom_id'], 127), 'custom_id')
  } else if (!path.endsWith('/capture')) {
    const [unit = {}] = (body['purchase_units'] ?? []) as Body[]
    const source = body['payment_source'] as { paypal?: { experience_context?: Body } } | undefined
    check(body['intent'] === 'CAPTURE', 'intent')
    check(isMoney(unit['amount']), `amount ${JSON.stringify(unit['amount'])}`)
    for (const [name, max] of [
      ['custom_id', 255],
      ['invoice_id', 127],
      ['description', 127],
    ] as const)
      check(isText(unit[name], max), name)
    for (const name of ['return_url', 'cancel_url'])
      check(/^https?:/.test(String(source?.paypal?.experience_context?.[name])), name)
  }
  return problems
}

const button = (action: string, label: string) => `<button name="action" value="${action}">${label}</button>`

/** Page where the customer approves, pays with a card that is declined, or returns without paying. */
export const paypalPage = (amount: string): string => `<!doctype html><html lang="en"><title>PayPal</title>
<h1>Pay ${amount}</h1><form method="post">${button('approve', 'Complete purchase')}
${button('decline', 'Pay with a declined card')} ${button('cancel', 'Cancel and return')}</form></html>`
