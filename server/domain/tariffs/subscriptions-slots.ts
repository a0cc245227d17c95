// Slots of a project in a product line: the previous, running and queued plan at a moment, computed from the bought terms.
// Outside of them the project has the base of the line: for restream the free plan. Correct without a job.
import { monthsIn, type Period } from '#contract/entities/plan.ts'
import { emptyBalance, plus, shareOf, type Balance } from '#server/domain/money/balance.ts'
import { addMonths, hoursAhead } from './subscriptions-periods.ts'
import type { Instant } from '#server/core/clock.ts'

/** Sold allowance of a plan, stored with the sale: a new catalogue does not change sold plans. */
export interface Sold {
  readonly planId: number
}

/** Allowance of a restream plan. Bitrate in kbps. */
export interface Allowance extends Sold {
  readonly channels: number
  readonly bitrate: number
  readonly customChannels: boolean
  readonly customVideo: number
}

/** A part of a term that was paid in one purchase: the first purchase, or a prolongation. */
export interface PaidPeriod {
  readonly period: Period
  readonly start: Instant
  readonly end: Instant
  /** Paid amount by balance type, minor units. */
  readonly paid: Balance
}

/** One plan without interruption. */
export type Term<A extends Sold = Allowance> = A & {
  /** Null for the base of the line. */
  readonly id: number | null
  /** Null: since the creation of the project. */
  readonly start: Instant | null
  /** Null: unlimited. */
  readonly end: Instant | null
  readonly periods: readonly PaidPeriod[]
}

/** A bought term. */
export type BoughtTerm<A extends Sold = Allowance> = A & {
  readonly id: number
  readonly start: Instant
  readonly end: Instant
  readonly periods: readonly PaidPeriod[]
}

/** The previous, running and queued plan of a project. */
export interface Slots<A extends Sold = Allowance> {
  readonly before: Term<A> | null
  readonly current: Term<A>
  readonly next: Term<A> | null
}

/**
 * Returns the slots at a moment. A term includes its start and excludes its end.
 * @param terms bought and not cancelled, in order of time; the last three are sufficient
 * @param base allowance outside of terms
 */
export function slotsAt<A extends Sold>(terms: readonly BoughtTerm<A>[], base: A, now: Instant): Slots<A> {
  const past = terms.findLast((term) => term.end <= now) ?? null
  const running = terms.find((term) => term.start <= now && now < term.end) ?? null
  const next = terms.find((term) => term.start > now) ?? null
  const baseFromTo = (start: Instant | null, end: Instant | null): Term<A> => ({
    ...base,
    id: null,
    start,
    end,
    periods: [],
  })
  if (!running) return { before: past, current: baseFromTo(past?.end ?? null, null), next }
  const before = past?.end === running.start ? past : baseFromTo(past?.end ?? null, running.start)
  return { before, current: running, next }
}

/** Returns the refund of a term that ends now: of each paid period the remaining hours, by balance type. */
export function unusedOf(term: Pick<Term, 'periods'>, now: Instant): Balance {
  return term.periods.reduce((sum, { start, end, paid }) => {
    const { ahead, all } = hoursAhead(start, end, now)
    return plus(sum, shareOf(paid, ahead, all))
  }, emptyBalance)
}

/**
 * Returns the end of a prolonged term. Counted from the start of the term, so that a term of the 31st ends on the last day
 * of short months and on the 31st of the others, for every sequence of purchases.
 */
export function endAfter(
  term: { readonly start: Instant; readonly periods: readonly PaidPeriod[] },
  more: Period,
): Instant {
  const months = term.periods.reduce((sum, { period }) => sum + monthsIn[period], 0)
  return addMonths(term.start, months + monthsIn[more])
}

/** Returns a queued term with its periods moved to another start. */
export function movedTo<A extends Sold>(term: BoughtTerm<A>, start: Instant): BoughtTerm<A> {
  let months = 0
  const periods = term.periods.map((paid) => {
    const from = addMonths(start, months)
    months += monthsIn[paid.period]
    return { ...paid, start: from, end: addMonths(start, months) }
  })
  return { ...term, start, end: addMonths(start, months), periods }
}
