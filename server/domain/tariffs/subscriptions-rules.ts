// What buying and cancelling do to the slots and to the purses: pure. The state machine is drawn in docs/tariffs.md.
import type { Period } from '#contract/entities/plan.ts'
import { emptyBalance, type Balance, sumOf } from './balance.ts'
import { addMonths, type Instant, monthsIn, prolongationMaxMonths } from './subscriptions-periods.ts'
import { type BoughtTerm, endAfter, movedTo, type Slots, type Term, unusedOf } from './subscriptions-slots.ts'

/** A setting of a plan with what it costs a month today before any discount, minor units. */
export interface Offer {
  readonly planId: number
  readonly channels: number
  readonly bitrate: number
  readonly monthly: number
  /** Place in the catalogue. */
  readonly index: number
  readonly free: boolean
}

/** How a chosen offer stands to the running one (wire `status`). */
export type Comparison = 'new' | 'current' | 'current_upgrade' | 'current_downgrade' | 'upgrade' | 'downgrade'
/** What buying does (wire `choose_status`). */
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
 * Compares at today's list prices, so that what was paid once does not matter: higher is what costs more a month; at
 * the same price what stands later in the catalogue, then more channels, then more bitrate. The period plays no part.
 */
export function compare(running: Offer, chosen: Offer): Comparison {
  if (running.free) return 'new'
  const difference =
    chosen.monthly - running.monthly ||
    chosen.index - running.index ||
    chosen.channels - running.channels ||
    chosen.bitrate - running.bitrate
  if (running.planId !== chosen.planId) return difference > 0 ? 'upgrade' : 'downgrade'
  if (difference === 0) return 'current'
  return difference > 0 ? 'current_upgrade' : 'current_downgrade'
}

/** Everything a purchase would do now: what the quote shows and what buying carries out. Money in minor units. */
export interface Decision {
  readonly status: Comparison
  readonly action: Action
  readonly price: number
  /** The unused part of the running term. */
  readonly refundCurrent: Balance
  /** The queued term, whole. */
  readonly refundNext: Balance
  /** Price less refunds; negative when more comes back than it costs. */
  readonly total: number
  /** The period that is paid for. */
  readonly start: Instant
  readonly end: Instant
  /** A queued term that a prolongation moves. */
  readonly movedNext: BoughtTerm | null
}

/** A purchase that the rules do not allow. */
export interface Refusal {
  readonly refused: 'ProlongationLimit'
  /** The latest end that may be bought now. */
  readonly endMax: Instant
}

/** What is decided about: the slots now, both offers, and what the chosen period costs. */
export interface Purchase {
  readonly slots: Slots
  readonly running: Offer
  readonly chosen: Offer
  readonly period: Period
  /** Of the whole period, minor units. */
  readonly price: number
  readonly now: Instant
}

/**
 * Decides a purchase.
 * - `new`, `upgrade`: starts now; the unused part of the running term and the whole queued term come back
 * - `prolongate`: the running term ends later, and a queued term moves with its end
 * - `downgrade`: starts at the end of the running term, in place of a queued one, which comes back whole
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

/** Narrows a term to one that was bought. */
export const isBought = (term: Term | null): term is BoughtTerm => term !== null && term.id !== null

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
