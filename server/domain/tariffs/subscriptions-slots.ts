// Slots of a project: the previous, running and queued plan at a moment, computed from the bought terms. Outside of them
// the project has the free plan. Correct without a job.
import type { Period } from '#contract/entities/plan.ts'
import { emptyBalance, plus, shareOf, type Balance } from './balance.ts'
import { addMonths, hoursAhead, type Instant, monthsIn } from './subscriptions-periods.ts'

/** Allowance of a plan, stored with the sale: a new catalogue does not change sold plans. Bitrate in kbps. */
export interface Allowance {
  readonly planId: number
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
export interface Term extends Allowance {
  /** Null for the free plan. */
  readonly id: number | null
  /** Null: since the creation of the project. */
  readonly start: Instant | null
  /** Null: unlimited. */
  readonly end: Instant | null
  readonly periods: readonly PaidPeriod[]
}

/** A bought term. */
export interface BoughtTerm extends Term {
  readonly id: number
  readonly start: Instant
  readonly end: Instant
}

/** The previous, running and queued plan of a project. */
export interface Slots<T = Term> {
  readonly before: T | null
  readonly current: T
  readonly next: T | null
}

/**
 * Returns the slots at a moment. A term includes its start and excludes its end.
 * @param terms bought and not cancelled, in order of time; the last three are sufficient
 * @param free allowance outside of terms
 */
export function slotsAt(terms: readonly BoughtTerm[], free: Allowance, now: Instant): Slots {
  const past = terms.findLast((term) => term.end <= now) ?? null
  const running = terms.find((term) => term.start <= now && now < term.end) ?? null
  const next = terms.find((term) => term.start > now) ?? null
  const freeFromTo = (start: Instant | null, end: Instant | null): Term => ({
    ...free,
    id: null,
    start,
    end,
    periods: [],
  })
  if (!running) return { before: past, current: freeFromTo(past?.end ?? null, null), next }
  const before = past?.end === running.start ? past : freeFromTo(past?.end ?? null, running.start)
  return { before, current: running, next }
}

/** Returns the refund of a term that ends now: of each paid period the remaining hours, by balance type. */
export function unusedOf(term: Term, now: Instant): Balance {
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
export function movedTo(term: BoughtTerm, start: Instant): BoughtTerm {
  let months = 0
  const periods = term.periods.map((paid) => {
    const from = addMonths(start, months)
    months += monthsIn[paid.period]
    return { ...paid, start: from, end: addMonths(start, months) }
  })
  return { ...term, start, end: addMonths(start, months), periods }
}
