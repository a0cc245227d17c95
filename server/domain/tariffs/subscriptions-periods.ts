// The calendar of bought periods: pure, in UTC.
import type { Period } from '#contract/entities/plan.ts'

/** A point in time as the database and the wire write it: `2026-11-21T06:00:00.000Z`. Sorts as text. */
export type Instant = string

export const monthsIn: Readonly<Record<Period, number>> = { month: 1, year: 12 }

/** How far from now the end of a running plan may be bought, months. */
export const prolongationMaxMonths = 36

const hourMs = 3_600_000

/**
 * The same day of the month and time of day some months later; where that month is shorter, its last day.
 * @example addMonths('2027-01-31T10:00:00.000Z', 1) // '2027-02-28T10:00:00.000Z'
 */
export function addMonths(from: Instant, months: number): Instant {
  const date = new Date(from)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(day, daysInMonth(date)))
  return date.toISOString()
}

/**
 * Hours of a stretch of time that lie ahead, and all of its hours. The running hour counts as ahead, so that a plan
 * changed within its first hour costs nothing. Periods are whole hours, because months are counted in UTC.
 */
export function hoursAhead(start: Instant, end: Instant, now: Instant): { ahead: number; all: number } {
  const all = hoursBetween(start, end)
  return { ahead: Math.min(all, Math.max(0, hoursBetween(now, end))), all }
}

const hoursBetween = (from: Instant, to: Instant) => Math.ceil((Date.parse(to) - Date.parse(from)) / hourMs)

const daysInMonth = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
