// Refusals of the double of PayPal, rules of the reference for requests, and the page.
import type { Body, DoubleAnswer, DoubleRequest } from './double-request.ts'

/** An error of the API. */
export const refusal = (status: number, name: string, issue?: string): DoubleAnswer => ({
  status,
  body: { name, message: 'Refused by the double', ...(issue !== undefined && { details: [{ issue }] }) },
})

/** An error of a rule: 422. */
export const unprocessable = (issue: string): DoubleAnswer => refusal(422, 'UNPROCESSABLE_ENTITY', issue)

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
export function problemsOf({ path, key, body }: DoubleRequest): string[] {
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
