// State of a payment in the terms of its page; pure.
import type { Payment } from '#contract/entities/payment.ts'

/** Key of the texts of the page (`pay:outcome`). */
export type Outcome =
  | 'review'
  | 'pending'
  | 'left'
  | 'invoice'
  | 'toppedUp'
  | 'debtPaid'
  | 'bought'
  | 'kept'
  | 'error'
  | 'expired'
  | 'cancel'
  | 'givenUp'

/**
 * Returns the outcome of a payment, the tone of its text, and the reason where it has one.
 * @param hasLeft the customer came back from the provider's page without paying
 */
export function outcomeOf(
  payment: Payment,
  hasLeft: boolean,
): {
  readonly outcome: Outcome
  readonly tone: 'neutral' | 'ok' | 'warn' | 'live'
  readonly reason: string | null
} {
  const { status, review, purchase, instructions, reason, credited, debt_paid } = payment
  if (status === 'pending' && review) return { outcome: 'review', tone: 'warn', reason: null }
  if (status === 'pending' && instructions !== null) return { outcome: 'invoice', tone: 'neutral', reason: null }
  if (status === 'pending') return { outcome: hasLeft ? 'left' : 'pending', tone: 'neutral', reason: null }
  if (status === 'cancel' && reason === 'given_up') return { outcome: 'givenUp', tone: 'neutral', reason: null }
  if (status === 'cancel') return { outcome: 'cancel', tone: 'neutral', reason: null }
  if (status === 'error' && reason === 'expired') return { outcome: 'expired', tone: 'warn', reason: null }
  if (status === 'error') return { outcome: 'error', tone: 'live', reason }
  const isSpent = debt_paid > 0 && debt_paid === credited
  if (purchase === null) return { outcome: isSpent ? 'debtPaid' : 'toppedUp', tone: 'ok', reason: null }
  return purchase.outcome === 'bought'
    ? { outcome: 'bought', tone: 'ok', reason: null }
    : { outcome: isSpent ? 'debtPaid' : 'kept', tone: 'warn', reason: purchase.reason }
}

/** Interval of the requests for a pending payment, ms: short while the customer waits, longer afterwards. */
export const pollMs = (requests: number): number => (requests < 40 ? 3000 : 15_000)
