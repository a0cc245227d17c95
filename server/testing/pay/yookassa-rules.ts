// Refusals of the double of YooKassa, rules of the reference for requests, and the page.
import type { Body, DoubleAnswer, DoubleRequest } from './double-request.ts'

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

const closingRules: (typeof rules)[string] = {
  type: (value) => value === 'payment',
  payment_id: (value) => isText(value, 36),
  send: (value) => value === true,
  settlements: (value, body) => isSettled(value, body['items']),
  items: (_, body) =>
    isReceipt(body) && (body['items'] as readonly Body[]).every((item) => item['payment_mode'] === 'full_payment'),
}

/** Returns the rules of the reference that a request breaks. */
export function problemsOf({ method, path, key, body, query }: DoubleRequest): string[] {
  const name = `${method} ${path}`
  if (method === 'GET') {
    const limit = Number(query.get('limit') ?? 10)
    return limit >= 1 && limit <= 100 ? [] : [`${name}: limit ${limit}`]
  }
  const known = name === 'POST receipts' ? closingRules : rules[name]
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

/** Returns whether advances settle the sum of the positions. */
function isSettled(value: unknown, items: unknown): boolean {
  const settled = value as readonly { readonly type?: unknown; readonly amount?: unknown }[]
  const sum = (all: unknown) =>
    (all as readonly { readonly amount: { readonly value: string } }[]).reduce(
      (total, one) => total + Math.round(Number(one.amount.value) * 100),
      0,
    )
  return settled.every((one) => one.type === 'prepayment' && isAmount(one.amount)) && sum(settled) === sum(items)
}

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
