// The plans of a project in time. Only what was bought is kept, as terms that follow each other; the slots are a view
// of them at a moment, and where no term reaches there is the free plan. So reading needs no job to have run before.
import type { Period } from '#contract/entities/plan.ts'
import { emptyBalance, plus, shareOf, type Balance } from './balance.ts'
import { addMonths, hoursAhead, type Instant, monthsIn } from './subscriptions-periods.ts'

/** What a plan gives. Bitrate in kbps. It is kept with what was sold, so that a new catalogue changes nothing sold. */
export interface Allowance {
  readonly planId: number
  readonly channels: number
  readonly bitrate: number
  readonly customChannels: boolean
  readonly customVideo: number
}

/** A stretch of a term that was paid for at once; the first purchase is one, every prolongation another. */
export interface PaidPeriod {
  readonly period: Period
  readonly start: Instant
  readonly end: Instant
  /** What each purse gave for it, minor units. */
  readonly paid: Balance
}

/** One plan without interruption. */
export interface Term extends Allowance {
  /** Null for the free plan, which is never bought. */
  readonly id: number | null
  /** Null: since the project exists. */
  readonly start: Instant | null
  /** Null: without end. */
  readonly end: Instant | null
  readonly periods: readonly PaidPeriod[]
}

/** A term that was bought. */
export interface BoughtTerm extends Term {
  readonly id: number
  readonly start: Instant
  readonly end: Instant
}

/** What a project had, has, and has bought for later. */
export interface Slots<T = Term> {
  readonly before: T | null
  readonly current: T
  readonly next: T | null
}

/**
 * The slots at a moment. A term runs from its start to just before its end.
 * @param terms bought and not cancelled, in the order of time; the last three are enough
 * @param free what a project has where no term reaches
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

/** What comes back when a term ends now: of each paid period the hours ahead, to the purses that paid for it. */
export function unusedOf(term: Term, now: Instant): Balance {
  return term.periods.reduce((sum, { start, end, paid }) => {
    const { ahead, all } = hoursAhead(start, end, now)
    return plus(sum, shareOf(paid, ahead, all))
  }, emptyBalance)
}

/**
 * Where a term ends when it is prolonged. Counted from the start of the term, so that a term begun on the 31st ends on
 * the last day of short months and on the 31st of the others, however it was bought.
 */
export function endAfter(
  term: { readonly start: Instant; readonly periods: readonly PaidPeriod[] },
  more: Period,
): Instant {
  const months = term.periods.reduce((sum, { period }) => sum + monthsIn[period], 0)
  return addMonths(term.start, months + monthsIn[more])
}

/** The periods of a queued term when it starts at another moment. */
export function movedTo(term: BoughtTerm, start: Instant): BoughtTerm {
  let months = 0
  const periods = term.periods.map((paid) => {
    const from = addMonths(start, months)
    months += monthsIn[paid.period]
    return { ...paid, start: from, end: addMonths(start, months) }
  })
  return { ...term, start, end: addMonths(start, months), periods }
}
