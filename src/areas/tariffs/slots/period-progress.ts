// Progress of a billing period; pure functions. Values that the server did not report stay null.
import { dayMs } from '#src/lib/format.ts'

/** Number of days below which the period is amber. */
const endingDays = 7

/** Progress of a period at a given time. */
export interface PeriodProgress {
  /** Used share, 0..1; null without a start. */
  readonly share: number | null
  readonly isOver: boolean
  /** Ends within a week. */
  readonly isEnding: boolean
  /** Whole days, rounded like the relative date beside it. */
  readonly daysLeft: number
}

/**
 * Returns the progress of a period, or null without an end.
 * @param end ISO date
 * @param now Unix time in milliseconds
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
