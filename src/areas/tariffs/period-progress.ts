// How far a period has run: pure. Where something was not reported, nothing is made up for it.
import { dayMs } from '#src/lib/format.ts'

/** Under this many days the end is near enough to be amber. */
const endingDays = 7

/** A period at a moment. */
export interface PeriodProgress {
  /** The part that is used, 0..1; null when the start was not reported. */
  readonly share: number | null
  readonly isOver: boolean
  /** Ends within a week. */
  readonly isEnding: boolean
  /** Whole days, rounded as the relative date beside it is. */
  readonly daysLeft: number
}

/**
 * Where a period stands.
 * @param end without one there is no period, and the answer is null
 * @param now milliseconds since 1970
 */
export function periodProgress(
  start: string | null | undefined,
  end: string | null | undefined,
  now: number,
): PeriodProgress | null {
  if (!end) return null
  const left = Date.parse(end) - now
  const from = start ? Date.parse(start) : Number.NaN
  const length = Date.parse(end) - from
  return {
    share: length > 0 ? Math.min(1, Math.max(0, (now - from) / length)) : null,
    isOver: left <= 0,
    isEnding: left > 0 && left < endingDays * dayMs,
    daysLeft: Math.max(0, Math.round(left / dayMs)),
  }
}
