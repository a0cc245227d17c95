// Reports of YooKassa in the terms of the port. Pure.
import { minorOf } from '#server/domain/money/decimal.ts'
import type {
  Charged,
  ProviderPayment,
  ProviderMethod,
  ProviderReceipt,
  ProviderRefund,
} from '#server/domain/billing/providers/provider.ts'
import type { YooPayment, YooReceipt, YooRefund } from './api.ts'

const statuses = { pending: 'pending', waiting_for_capture: 'pending', succeeded: 'success' } as const

/** Reasons after which another charge of the same method cannot succeed (reference: cancellation_details). */
const finalReasons = new Set([
  'card_expired',
  'country_forbidden',
  'fraud_suspected',
  'identification_required',
  'invalid_card_number',
  'payment_method_restricted',
  'permission_revoked',
  'unsupported_mobile_operator',
])

/** Reasons of a cancellation by the customer or by time, not by a bank. */
const withdrawn = new Set(['canceled_by_merchant', 'expired_on_confirmation', 'expired_on_capture'])

/** State of a payment with its refunds. */
export function providerPaymentOf(payment: YooPayment, refunds: readonly YooRefund[]): ProviderPayment {
  const reason = payment.cancellation_details?.reason ?? null
  const amountMinor = minorOf(payment.amount.value)
  const { income_amount, metadata, confirmation, receipt_registration: receipt } = payment
  const uuid = metadata?.['uuid']
  return {
    payId: payment.id,
    payRef: null,
    uuid: typeof uuid === 'string' ? uuid : null,
    status:
      payment.status === 'canceled' ? (withdrawn.has(reason ?? '') ? 'cancel' : 'error') : statuses[payment.status],
    reason,
    amountMinor,
    currency: payment.amount.currency.toLowerCase(),
    feeMinor: income_amount ? amountMinor - minorOf(income_amount.value) : null,
    method: methodOf(payment),
    actionUrl: payment.status === 'pending' ? (confirmation?.confirmation_url ?? null) : null,
    refunds: refunds.map(refundOf),
    disputes: [],
    hasReceipt: receipt === 'pending' || receipt === 'succeeded',
  }
}

/** State of a receipt. */
export const providerReceiptOf = ({ id, status, type, settlements = [] }: YooReceipt): ProviderReceipt => ({
  id,
  status,
  amountMinor: settlements.reduce((sum, { amount }) => sum + minorOf(amount.value), 0),
  isClosing: type === 'payment' && settlements.some((one) => one.type === 'prepayment'),
})

/** Outcome of a charge without the customer. */
export function chargedOf(payment: YooPayment): Charged {
  const payId = payment.id
  if (payment.status === 'succeeded') return { payId, outcome: 'done' }
  if (payment.status !== 'canceled') return { payId, outcome: 'wait' }
  const reason = payment.cancellation_details?.reason ?? 'general_decline'
  return { payId, outcome: 'declined', reason, final: finalReasons.has(reason), actionUrl: null }
}

const networks: Readonly<Record<string, string>> = { MasterCard: 'Mastercard', Mir: 'Mir', Visa: 'Visa' }

function methodOf({ payment_method: method }: YooPayment): ProviderMethod | null {
  if (!method?.saved) return null
  const { card } = method
  const title = card
    ? `${networks[card.card_type] ?? card.card_type} •••• ${card.last4}`
    : (method.title ?? method.type)
  const expires = card?.expiry_year && card.expiry_month ? `${card.expiry_year}-${card.expiry_month}` : null
  return { token: method.id, title, expires }
}

const keyPattern = /\[([\w-]{8,64})\]$/

/** Description of a refund, with our key at its end. */
export const refundText = (key: string): string => `Refund [${key}]`

/** A refund that is not decided counts as taken, so that it is neither sent nor spent again. */
const refundOf = ({ id, amount, description, status }: YooRefund): ProviderRefund => ({
  id,
  key: keyPattern.exec(description ?? '')?.[1] ?? null,
  takenMinor: minorOf(amount.value),
  returnedMinor: status === 'canceled' ? minorOf(amount.value) : 0,
  currency: amount.currency.toLowerCase(),
  isPending: status === 'pending',
})
