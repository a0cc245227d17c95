// Effects of purchases and cancellations on the slots of a line and on the balance: pure. docs/tariffs.md has the state machine.
import { monthsIn, type Period } from '#contract/entities/plan.ts'
import { emptyBalance, type Balance, sumOf } from '#server/domain/money/balance.ts'
import { addMonths, prolongationMaxMonths } from './subscriptions-periods.ts'
import type { Instant } from '#server/core/clock.ts'
import {
  type BoughtTerm,
  endAfter,
  movedTo,
  type Slots,
  type Sold,
  type Term,
  unusedOf,
} from './subscriptions-slots.ts'

/** A setting of a plan with its monthly list price before discounts, minor units. */
export interface Offer {
  readonly planId: number
  readonly monthly: number
  /** Position in the catalogue. */
  readonly index: number
  /** Quantities that order settings of the same price, most important first: for restream channels, then bitrate. */
  readonly order: readonly number[]
}

/** Relation of the chosen offer to the running one (wire `status`). */
export type Comparison = 'new' | 'current' | 'current_upgrade' | 'current_downgrade' | 'upgrade' | 'downgrade'
/** Effect of a purchase (wire `choose_status`). */
export type Action = 'new' | 'prolongate' | 'upgrade' | 'downgrade'

export const actionOf: Readonly<Record<Comparison, Action>> = {
  new: 'new',
  current: 'prolongate',
  current_upgrade: 'upgrade',
  upgrade: 'upgrade',
  current_downgrade: 'downgrade',
  downgrade: 'downgrade',
}

/**
 * Compares offers at current list prices, independent of the price that was paid: by monthly price; at the same price by
 * position in the catalogue, then quantities. The period does not matter.
 * @param running null: nothing is bought
 */
export function compare(running: Offer | null, chosen: Offer): Comparison {
  if (running === null) return 'new'
  const difference =
    chosen.monthly - running.monthly || chosen.index - running.index || differenceOf(chosen.order, running.order)
  if (running.planId !== chosen.planId) return difference > 0 ? 'upgrade' : 'downgrade'
  if (difference === 0) return 'current'
  return difference > 0 ? 'current_upgrade' : 'current_downgrade'
}

/** Returns the first difference of two lists of quantities; 0 for equal ones. */
const differenceOf = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0

/** All effects of a purchase now: shown by the quote, executed by the purchase. Money in minor units. */
export interface Decision {
  readonly status: Comparison
  readonly action: Action
  readonly price: number
  /** Refund of the unused part of the running term. */
  readonly refundCurrent: Balance
  /** Refund of the whole queued term. */
  readonly refundNext: Balance
  /** Price minus refunds; negative when the refunds exceed the price. */
  readonly total: number
  /** Start of the paid period. */
  readonly start: Instant
  readonly end: Instant
  /** The queued term that a prolongation moves. */
  readonly movedNext: BoughtTerm<Sold> | null
}

/** A purchase that the rules forbid. */
export interface Refusal {
  readonly refused: 'ProlongationLimit'
  /** The latest end that can be bought now. */
  readonly endMax: Instant
}

/** Input of a decision: the current slots, both offers, and the price of the chosen period. */
export interface Purchase {
  readonly slots: Slots<Sold>
  /** Null: nothing is bought. */
  readonly running: Offer | null
  readonly chosen: Offer
  readonly period: Period
  /** Price of the whole period, minor units. */
  readonly price: number
  readonly now: Instant
}

/**
 * Decides a purchase.
 * - `new`, `upgrade`: starts now; refunds the unused part of the running term and the whole queued term
 * - `prolongate`: moves the end of the running term, and a queued term with it
 * - `downgrade`: starts at the end of the running term; replaces and refunds a queued one
 */
export function decide(purchase: Purchase): Decision | Refusal {
  const { slots, price } = purchase
  const status = compare(purchase.running, purchase.chosen)
  const action = actionOf[status]
  const plan = { status, action, price, refundCurrent: emptyBalance, refundNext: emptyBalance, movedNext: null }
  if (action === 'prolongate') return prolonged(purchase, plan)
  const starts = action === 'downgrade' ? (slots.current.end ?? purchase.now) : purchase.now
  const refundCurrent = action === 'downgrade' ? emptyBalance : unusedOf(slots.current, purchase.now)
  const refundNext = slots.next ? unusedOf(slots.next, purchase.now) : emptyBalance
  return {
    ...plan,
    refundCurrent,
    refundNext,
    total: price - sumOf(refundCurrent) - sumOf(refundNext),
    start: starts,
    end: addMonths(starts, monthsIn[purchase.period]),
  }
}

/** Narrows a term to a bought one. */
export const isBought = <A extends Sold>(term: Term<A> | null): term is BoughtTerm<A> =>
  term !== null && term.id !== null

function prolonged(
  { slots, period, price, now }: Purchase,
  plan: Omit<Decision, 'total' | 'start' | 'end'>,
): Decision | Refusal {
  const { current, next } = slots
  if (!isBought(current)) throw new Error('only a bought plan is prolonged')
  const end = endAfter(current, period)
  const endMax = addMonths(now, prolongationMaxMonths)
  if (end > endMax) return { refused: 'ProlongationLimit', endMax }
  return { ...plan, total: price, start: current.end, end, movedNext: isBought(next) ? movedTo(next, end) : null }
}
