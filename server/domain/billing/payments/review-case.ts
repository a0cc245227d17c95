// Cases that wait for the operator (`payments.review`): money that arrived otherwise than requested, and returns (refunds and
// disputes) that the service cannot book. Pure.
import { balanceMaxMinor, type Wallet } from '#server/domain/money/ledger.ts'
import type {
  CaseReturn,
  Move,
  PaymentRow,
  ReturnMove,
  ProviderPayment,
} from '#server/domain/billing/providers/provider.ts'

/** Reason of a payment whose case the operator closed without a booking. */
export const reviewLeft = 'review_left'

/** The last case of a payment. Amount in hundredths of its currency. */
export interface Review {
  /** `refund`: a refund that the provider has not confirmed. */
  readonly reason: Extract<Move, { kind: 'review' }>['reason'] | 'refund'
  readonly amount: number
  readonly currency: string
  /** Amounts of returns in all cases of the payment, with this one. */
  readonly returns?: readonly CaseReturn[]
}

/** Returns the case that a step opens. */
export const reviewOf = ({ reason, amountMinor, currency, returns }: Extract<Move, { kind: 'review' }>): Review => ({
  reason,
  amount: amountMinor,
  currency,
  ...(returns && { returns }),
})

/** Reads `payments.review`. */
export const parseReview = (text: string): Review => JSON.parse(text) as Review

/** Returns whether a payment waits for the operator. */
export const isInReview = ({ review, reason }: Pick<PaymentRow, 'review' | 'reason'>): boolean =>
  review !== null && reason !== reviewLeft

/** Returns whether the operator has left this money: a later report of it books nothing. */
export function isLeft(
  { review, reason }: Pick<PaymentRow, 'review' | 'reason'>,
  seen: Pick<ProviderPayment, 'amountMinor' | 'currency'>,
) {
  if (review === null || reason !== reviewLeft) return false
  const left = parseReview(review)
  return left.amount === seen.amountMinor && left.currency === seen.currency
}

/** Returns the amounts of returns in the cases of a payment, which the service does not book. */
export const returnsInCases = ({ review }: Pick<PaymentRow, 'review'>): readonly CaseReturn[] =>
  review === null ? [] : (parseReview(review).returns ?? [])

/**
 * Returns the case of the first return that took or gave money; undefined without one. While a case is open there is no other:
 * the next one opens when it is closed.
 */
export function caseOf(
  payment: Pick<PaymentRow, 'currency' | 'review' | 'reason'>,
  moves: readonly ReturnMove[],
): Move | undefined {
  if (isInReview(payment)) return undefined
  const parts = moves.map((move) => partOf(move, payment.currency))
  const totals = [...Map.groupBy(parts, ({ kind, id }) => `${kind} ${id}`).values()].map(totalOf)
  const [first] = totals.filter(({ takenMinor, returnedMinor }) => takenMinor !== returnedMinor)
  if (!first) return undefined
  const net = first.takenMinor - first.returnedMinor
  return {
    kind: 'review',
    reason: net > 0 ? 'return' : 'reinstated',
    amountMinor: Math.abs(net),
    currency: first.currency,
    returns: [...returnsInCases(payment), first],
  }
}

function partOf(move: ReturnMove, own: string): CaseReturn {
  const [kind, one] = 'refund' in move ? (['refund', move.refund] as const) : (['dispute', move.dispute] as const)
  const isTaken = move.kind === 'refund' || move.kind === 'withdraw'
  const [takenMinor, returnedMinor] = isTaken ? [move.amountMinor, 0] : [0, move.amountMinor]
  return { kind, id: one.id, currency: one.currency ?? own, takenMinor, returnedMinor }
}

const totalOf = (parts: readonly CaseReturn[]): CaseReturn =>
  parts.reduce((sum, { takenMinor, returnedMinor }) => ({
    ...sum,
    takenMinor: sum.takenMinor + takenMinor,
    returnedMinor: sum.returnedMinor + returnedMinor,
  }))

/**
 * Returns the steps that the wallet can take. Money above the maximum of a balance, or in another currency than the project
 * has by now, waits for the operator.
 */
export function bookable(
  wallet: Pick<Wallet, 'currency' | 'held'>,
  payment: Pick<PaymentRow, 'currency' | 'review' | 'reason'>,
  moves: readonly Move[],
): readonly Move[] {
  const [first] = moves
  if (first === undefined || first.kind === 'end' || first.kind === 'review') return moves
  const isOther = payment.currency !== wallet.currency
  const isTooMuch = first.kind === 'credit' && wallet.held.payment + first.amountMinor > balanceMaxMinor
  if (!isOther && !isTooMuch) return moves
  if (first.kind === 'credit') {
    if (payment.review !== null) return []
    const reason = isOther ? 'currency' : 'amount'
    return [{ kind: 'review', reason, amountMinor: first.amountMinor, currency: payment.currency }]
  }
  const isReturn = (move: Move): move is ReturnMove => 'refund' in move || 'dispute' in move
  const one = caseOf(payment, moves.filter(isReturn)) ?? moves.find(({ kind }) => kind === 'review')
  return one ? [one] : []
}
