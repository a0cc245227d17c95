// Objects of the Stripe double. The SDK's types check every field: an invented one does not compile.
import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'

/** Fields that the service reads, and those that tests check. */
type Part<T, K extends keyof T> = Pick<T, K> & Partial<T>

export type SessionDouble = Part<
  Stripe.Checkout.Session,
  'id' | 'object' | 'status' | 'payment_status' | 'amount_total' | 'currency' | 'url' | 'metadata' | 'created'
> & { payment_intent: string | null; save: boolean; success_url: string; customer: string }
export type IntentDouble = Part<
  Stripe.PaymentIntent,
  'id' | 'object' | 'status' | 'amount' | 'amount_received' | 'currency' | 'metadata' | 'created' | 'last_payment_error'
>
export type RefundDouble = Part<Stripe.Refund, 'id' | 'object' | 'amount' | 'status' | 'metadata' | 'created'> & {
  payment_intent: string
}
export type DisputeDouble = Part<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'status' | 'balance_transactions' | 'created'
> & { payment_intent: string }

/** Everything that the double remembers. */
export class StripeState {
  readonly sessions = new Map<string, SessionDouble>()
  readonly intents = new Map<string, IntentDouble>()
  readonly refunds = new Map<string, RefundDouble>()
  readonly disputes = new Map<string, DisputeDouble>()
  /** Test clock, seconds. */
  now: () => number = () => Math.floor(Date.now() / 1000)

  id = (prefix: string): string => `${prefix}_test_${randomUUID().replaceAll('-', '').slice(0, 20)}`

  /** Completes the payment of a session. */
  pay(session: SessionDouble): IntentDouble {
    const intent = this.intentOf(session)
    if (intent.status === 'succeeded' || session.status === 'expired') return intent
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      last_payment_error: null,
      payment_method: card(this.id('pm')),
      latest_charge: charge(this.id('ch'), intent),
    } satisfies Partial<Stripe.PaymentIntent>)
    Object.assign(session, { status: 'complete', payment_status: 'paid' } satisfies Partial<Stripe.Checkout.Session>)
    return intent
  }

  /** Returns the intent of a session, which exists once the customer has entered a card. */
  intentOf(session: SessionDouble): IntentDouble {
    const known = this.intents.get(session.payment_intent ?? '')
    if (known) return known
    const intent = this.intent(session.amount_total ?? 0, session.currency ?? 'usd', session.metadata ?? {})
    intent.setup_future_usage = session.save ? 'off_session' : null
    intent.customer = session.customer
    session.payment_intent = intent.id
    return intent
  }

  intent(amount: number, currency: string, metadata: Record<string, string>): IntentDouble {
    const intent: IntentDouble = {
      id: this.id('pi'),
      object: 'payment_intent',
      status: 'requires_payment_method',
      amount,
      amount_received: 0,
      currency,
      metadata,
      created: this.now(),
      last_payment_error: null,
      next_action: null,
      cancellation_reason: null,
    }
    this.intents.set(intent.id, intent)
    return intent
  }

  refund(payment_intent: string, amount: number, metadata: Record<string, string>): RefundDouble {
    const created = this.now()
    const { currency } = this.intents.get(payment_intent) ?? { currency: 'usd' }
    const refund = { object: 'refund', amount, currency, status: 'succeeded', metadata, created } as const
    const stored: RefundDouble = { ...refund, id: this.id('re'), payment_intent }
    this.refunds.set(stored.id, stored)
    return stored
  }

  /** Opens a dispute: the amount is withdrawn. */
  dispute(payment_intent: string, amount: number, currency = 'usd'): DisputeDouble {
    const created = this.now()
    const balance_transactions = [booked(this.id('txn'), -amount)]
    const dispute = { object: 'dispute', amount, currency, status: 'needs_response', created } as const
    const stored: DisputeDouble = { ...dispute, id: this.id('du'), balance_transactions, payment_intent }
    this.disputes.set(stored.id, stored)
    return stored
  }

  /** Closes a dispute. A won one is reinstated. */
  close(dispute: DisputeDouble, status: 'won' | 'lost'): void {
    dispute.status = status
    if (status === 'won') dispute.balance_transactions.push(booked(this.id('txn'), dispute.amount))
  }
}

const booked = (id: string, amount: number) =>
  ({
    id,
    object: 'balance_transaction',
    amount,
  }) satisfies Partial<Stripe.BalanceTransaction> as Stripe.BalanceTransaction

const card = (id: string) =>
  ({
    id,
    object: 'payment_method',
    type: 'card',
    card: { brand: 'visa', last4: '4242', exp_year: 2031, exp_month: 4 } as Stripe.PaymentMethod.Card,
  }) satisfies Partial<Stripe.PaymentMethod> as Stripe.PaymentMethod

function charge(id: string, { amount, currency }: IntentDouble): Stripe.Charge {
  const fee = Math.round(amount * 0.029) + 30
  const balance_transaction = { fee, currency, amount } satisfies Partial<Stripe.BalanceTransaction>
  return {
    id,
    balance_transaction: balance_transaction as Stripe.BalanceTransaction,
  } satisfies Partial<Stripe.Charge> as Stripe.Charge
}
