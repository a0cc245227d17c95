// Reports of PayPal in the terms of the port. Pure.
import type { PaypalCapture, PaypalDispute, PaypalOrder, PaypalRefund } from './api.ts'
import type { ProviderPayment, ProviderDispute, ProviderRefund } from '#server/domain/billing/providers/provider.ts'
import { decimalOf, minorOf } from '#server/domain/money/decimal.ts'

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Returns an id of ours in a field that other software may fill as well; null for anything else. */
export const uuidOf = (text: string | undefined): string | null =>
  text !== undefined && uuidPattern.test(text) ? text : null

type Status = Pick<ProviderPayment, 'status' | 'reason'>

/** Returns the state of an order. A declined capture may be followed by another one. */
export function paypalPayment(order: PaypalOrder, disputes: readonly PaypalDispute[]): ProviderPayment {
  const [unit] = order.purchase_units
  const capture = captureOf(order)
  const money = capture?.amount ?? unit?.amount
  return {
    payId: order.id,
    payRef: capture?.id ?? null,
    uuid: uuidOf(capture?.custom_id ?? unit?.custom_id),
    ...statusOf(order, capture),
    amountMinor: money ? minorOfPaypal(money) : 0,
    currency: money?.currency_code.toLowerCase() ?? '',
    feeMinor: feeOf(capture),
    method: null,
    actionUrl: null,
    refunds: (unit?.payments?.refunds ?? []).flatMap(refundOf),
    disputes: disputes.flatMap((dispute) => disputesOf(dispute, money?.currency_code)),
    isCapped: true,
  }
}

const paid: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'])

/** Returns the capture that took the money, else one that may still take it, else the last declined one. */
export function captureOf({ purchase_units: [unit] }: PaypalOrder): PaypalCapture | undefined {
  const captures = unit?.payments?.captures ?? []
  return (
    captures.find(({ status }) => paid.has(status)) ??
    captures.find(({ status }) => status === 'PENDING') ??
    captures.at(-1)
  )
}

function statusOf(order: PaypalOrder, capture: PaypalCapture | undefined): Status {
  const reason = capture?.status_details?.reason?.toLowerCase() ?? null
  if (capture && paid.has(capture.status)) return { status: 'success', reason: null }
  // An e-check or a review: PayPal decides within days.
  if (capture?.status === 'PENDING') return { status: 'pending', reason }
  if (capture) return { status: 'error', reason: reason ?? 'declined' }
  if (order.status === 'APPROVED') return { status: 'approved', reason: null }
  if (order.status === 'VOIDED') return { status: 'cancel', reason: 'voided' }
  return { status: 'pending', reason: null }
}

function feeOf(capture: PaypalCapture | undefined): number | null {
  const fee = capture?.seller_receivable_breakdown?.paypal_fee
  return fee && fee.currency_code === capture?.amount.currency_code ? minorOfPaypal(fee) : null
}

function refundOf({ id, status, amount, custom_id }: PaypalRefund): ProviderRefund[] {
  if (!amount) return []
  const takenMinor = minorOfPaypal(amount)
  const isBack = status === 'CANCELLED' || status === 'FAILED'
  const currency = amount.currency_code.toLowerCase()
  const isPending = status === 'PENDING'
  return [{ id, key: uuidOf(custom_id), takenMinor, returnedMinor: isBack ? takenMinor : 0, currency, isPending }]
}

/** Outcomes after which the seller keeps the money. */
const kept: ReadonlySet<string> = new Set([
  'RESOLVED_SELLER_FAVOUR',
  'RESOLVED_WITH_PAYOUT',
  'CANCELED_BY_BUYER',
  'DENIED',
])

/**
 * Withdrawn is what left the seller's account: a dispute without a settlement moves nothing. Fees are not the customer's.
 * Movements in another currency than that of the payment are a dispute of their own, because the service cannot book them.
 */
function disputesOf(dispute: PaypalDispute, paidIn: string | undefined): ProviderDispute[] {
  const movements = movementsOf(dispute)
  const others = new Set(movements.flatMap(({ amount }) => amount?.currency_code ?? []))
  if (paidIn !== undefined) others.delete(paidIn)
  const { dispute_id: id, status: state } = dispute
  const outcome = dispute.dispute_outcome?.outcome_code
  const disputeIn = (code: string | undefined): Omit<ProviderDispute, 'id'> => {
    const moved = (type: 'DEBIT' | 'CREDIT') =>
      movements
        .filter((one) => one.type === type && one.amount?.currency_code === code)
        .reduce((sum, { amount }) => sum + (amount ? minorOfPaypal(amount) : 0), 0)
    const [withdrawnMinor, reinstatedMinor] = [moved('DEBIT'), moved('CREDIT')]
    const isWon = outcome === undefined || outcome === 'NONE' ? withdrawnMinor <= reinstatedMinor : kept.has(outcome)
    return { withdrawnMinor, reinstatedMinor, status: state === 'RESOLVED' ? (isWon ? 'won' : 'lost') : 'open' }
  }
  return [
    { id, ...disputeIn(paidIn) },
    ...[...others].map((code) => {
      const currency = code.toLowerCase()
      return { id: `${id}:${currency}`, ...disputeIn(code), currency }
    }),
  ]
}

/** `fund_movements` has replaced `money_movements`. */
function movementsOf({ fund_movements: funds, money_movements: money }: PaypalDispute) {
  const movements = funds ?? (money ?? []).map(({ affected_party: party, ...movement }) => ({ ...movement, party }))
  return movements.filter(({ party, reason = '' }) => party === 'SELLER' && !reason.endsWith('_FEE'))
}

/** An amount as PayPal writes it. */
interface PaypalMoney {
  /** ISO 4217, upper case. */
  readonly currency_code: string
  readonly value: string
}

/**
 * Currencies of PayPal payments, with their decimals (developer.paypal.com/api/rest/reference/currency-codes). PayPal refuses
 * decimals in HUF, JPY and TWD, and takes no payments in roubles.
 */
const decimals: Readonly<Record<string, 0 | 2>> = {
  ...Object.fromEntries(
    'aud brl cad cny czk dkk eur hkd ils myr mxn nzd nok php pln gbp sgd sek chf thb usd'
      .split(' ')
      .map((currency) => [currency, 2 as const]),
  ),
  huf: 0,
  jpy: 0,
  twd: 0,
}

/** Returns whether PayPal takes payments in a currency. @param currency ISO 4217, lower case */
export const isPaypalCurrency = (currency: string): boolean => Object.hasOwn(decimals, currency)

/** Amount of hundredths, also for currencies without decimals. @param currency ISO 4217, lower case */
export const paypalMoney = (minor: number, currency: string): PaypalMoney => ({
  currency_code: currency.toUpperCase(),
  value: decimals[currency] === 0 ? decimalOf(minor / 100, 0) : decimalOf(minor),
})

/** Hundredths of an amount, also for currencies without decimals. @throws Error for text that is no amount of the currency */
export const minorOfPaypal = ({ currency_code, value }: PaypalMoney): number =>
  decimals[currency_code.toLowerCase()] === 0 ? 100 * minorOf(value, 0) : minorOf(value)
