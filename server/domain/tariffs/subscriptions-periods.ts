// Calendar of bought periods: pure, in UTC.
import type { Instant } from '#server/core/clock.ts'

/** Latest end of a running plan that can be bought, months from now. */
export const prolongationMaxMonths = 36

const hourMs = 3_600_000

/**
 * Adds months, with the same day and time of day; in a shorter month the last day.
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
 * Returns the remaining hours of an interval, and all of its hours. The current hour counts as remaining, so that a plan
 * changed within its first hour costs nothing. Periods are whole hours, because months are counted in UTC.
 */
export function hoursAhead(start: Instant, end: Instant, now: Instant): { ahead: number; all: number } {
  const all = hoursBetween(start, end)
  return { ahead: Math.min(all, Math.max(0, hoursBetween(now, end))), all }
}

const hoursBetween = (from: Instant, to: Instant) => Math.ceil((Date.parse(to) - Date.parse(from)) / hourMs)

const daysInMonth = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
