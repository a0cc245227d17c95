// State of a payment as Stripe's objects tell it.
import type Stripe from 'stripe'
import type {
  ProviderPayment,
  ProviderDispute,
  ProviderMethod,
  ProviderRefund,
} from '#server/domain/billing/providers/provider.ts'

type Intent = Stripe.PaymentIntent
type Status = Pick<ProviderPayment, 'status' | 'reason'>

/** Objects of one payment, with `latest_charge.balance_transaction` and `payment_method` of the intent expanded. */
export interface StripeObjects {
  readonly payId: string
  /** The Checkout session; null for a charge of a saved method. */
  readonly session: Stripe.Checkout.Session | null
  /** Null before the customer has entered a method. */
  readonly intent: Intent | null
  readonly refunds: readonly Stripe.Refund[]
  readonly disputes: readonly Stripe.Dispute[]
}

/** Returns the state of a payment. Amounts of Stripe are minor units in `usd` and `rub`. */
export function stripePayment({ payId, session, intent, refunds, disputes }: StripeObjects): ProviderPayment {
  return {
    payId,
    payRef: intent?.id ?? null,
    uuid: intent?.metadata['payment'] ?? session?.metadata?.['payment'] ?? null,
    ...statusOf(session, intent),
    ...moneyOf(session, intent),
    feeMinor: feeOf(intent),
    method: intent?.setup_future_usage === 'off_session' ? methodOf(intent) : null,
    actionUrl: intent?.next_action?.redirect_to_url?.url ?? null,
    refunds: refunds.map(refundOf),
    disputes: disputes.map(disputeOf),
  }
}

/** Returns what was paid; before success what was requested. */
function moneyOf(session: Stripe.Checkout.Session | null, intent: Intent | null) {
  const requested = session?.amount_total ?? intent?.amount ?? 0
  const amountMinor = intent?.status === 'succeeded' ? intent.amount_received : requested
  return { amountMinor, currency: intent?.currency ?? session?.currency ?? '' }
}

/** A completed session may be unpaid: bank debits take days (`payment_status`). */
function statusOf(session: Stripe.Checkout.Session | null, intent: Intent | null): Status {
  if (intent?.status === 'succeeded') return { status: 'success', reason: null }
  if (session?.status === 'expired') return { status: 'cancel', reason: 'expired' }
  if (intent?.status === 'canceled') return { status: 'cancel', reason: intent.cancellation_reason }
  const isOver = session === null || session.status === 'complete'
  if (intent?.status === 'requires_payment_method' && isOver) return { status: 'error', reason: declineOf(intent) }
  return { status: 'pending', reason: null }
}

/** Returns the code of the last decline. */
export const declineOf = ({ last_payment_error: error }: Pick<Intent, 'last_payment_error'>): string =>
  error?.decline_code ?? error?.code ?? 'declined'

function feeOf(intent: Intent | null): number | null {
  const charge = intent?.latest_charge
  const booked = typeof charge === 'object' ? charge?.balance_transaction : null
  return typeof booked === 'object' && booked?.currency === intent?.currency ? (booked?.fee ?? null) : null
}

function methodOf({ payment_method: method, customer }: Intent): ProviderMethod | null {
  if (typeof method !== 'object' || method === null || customer === null) return null
  const { card, id, type } = method
  const token = `${id} ${typeof customer === 'string' ? customer : customer.id}`
  if (!card) return { token, title: type, expires: null }
  const brand = card.brand.charAt(0).toUpperCase() + card.brand.slice(1)
  const expires = `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}`
  return { token, title: `${brand} •••• ${card.last4}`, expires }
}

function refundOf({ id, amount, currency, status, metadata }: Stripe.Refund): ProviderRefund {
  const isBack = status === 'failed' || status === 'canceled'
  const isPending = status === 'pending' || status === 'requires_action'
  const returnedMinor = isBack ? amount : 0
  return { id, key: metadata?.['refund'] ?? null, takenMinor: amount, returnedMinor, currency, isPending }
}

/** Inquiries withdraw nothing: the balance transactions tell whether money moved. */
function disputeOf({ id, amount, currency, status, balance_transactions: booked }: Stripe.Dispute): ProviderDispute {
  return {
    id,
    withdrawnMinor: booked.some((one) => one.amount < 0) ? amount : 0,
    reinstatedMinor: booked.some((one) => one.amount > 0) ? amount : 0,
    status: status === 'won' || status === 'warning_closed' ? 'won' : status === 'lost' ? 'lost' : 'open',
    currency,
  }
}
