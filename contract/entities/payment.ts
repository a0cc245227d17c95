// Payments: money that a project pays at a provider.
import * as z from 'zod/mini'
import { DateTime } from '#contract/core/lenient.ts'
import { Period } from './plan.ts'
import { Currency } from './project.ts'

/** Status of a payment, as in the event `payment-update`. */
export const PaymentStatus = z.enum(['pending', 'success', 'error', 'cancel'])

/** Purpose of a payment: the balance, or a plan of a product line. */
export const PaymentType = z.enum(['topup', 'restream', 'transcoding', 'storage'])

/** Outcome of the purchase that a payment was made for; `kept`: the money is in the balance, and `reason` says why. */
export const PaymentPurchase = z.object({ outcome: z.enum(['bought', 'kept']), reason: z.nullable(z.string()) })

/** A payment (published `PaymentStatusResponse`, and our fields). Amounts in minor units. */
export const Payment = z.object({
  payment_id: z.int(),
  amount: z.int(),
  currency: Currency,
  plan_period: z.nullable(Period),
  status: PaymentStatus,
  type: PaymentType,
  title: z.optional(z.string()),
  pay_name: z.string(),
  pay_system_id: z.int(),
  reason: z.nullable(z.string()),
  review: z.boolean(),
  purchase: z.nullable(PaymentPurchase),
  credited: z.int(),
  debt_paid: z.int(),
  refunded: z.int(),
  disputed: z.int(),
  instructions: z.nullable(z.string()),
  date: DateTime,
  date_end: z.nullable(DateTime),
})
export type Payment = z.output<typeof Payment>

/**
 * Filter of the list: a status; or `review`: waits for the operator's decision; `transfer`: an opened invoice without money;
 * `overdue`: such a one that is older than 14 days; `dispute`: has an open dispute.
 */
export const paymentFilters = [
  'review',
  'transfer',
  'overdue',
  'dispute',
  'pending',
  'success',
  'error',
  'cancel',
] as const

/**
 * Money that arrived and was not booked; `return`: a refund or dispute in another currency; `reinstated`: such a one gave its
 * money back; `refund`: one that the provider has not confirmed in 30 days. Amount in hundredths of the currency.
 */
const ReviewCase = z.object({
  reason: z.enum(['amount', 'currency', 'return', 'reinstated', 'refund']),
  amount: z.int(),
  currency: z.string(),
})

/** A payment with its project and what an operator decides on. */
export const OperatorPayment = z.extend(Payment, {
  project_id: z.int(),
  project_name: z.string(),
  left: z.int(),
  may_dispute: z.boolean(),
  open_dispute: z.int(),
  review_case: z.nullable(ReviewCase),
})
export type OperatorPayment = z.output<typeof OperatorPayment>

/** Notes on the fields of `Payment`. */
export const paymentNotes = {
  amount: 'minor units',
  reason: 'code of the provider for `error`, or `expired`; null: none',
  review: 'another amount or currency arrived or was taken back: the operator decides',
  purchase: 'outcome of the purchase of a plan; null: a top-up, or not paid yet',
  credited: 'amount that arrived and was booked, minor units; 0: none',
  debt_paid: 'part of it that paid a debt of the project, minor units',
  refunded: 'returned to the customer, minor units',
  disputed: 'withdrawn by a chargeback, minor units',
  instructions: 'how to pay an invoice; null for other providers',
} as const
