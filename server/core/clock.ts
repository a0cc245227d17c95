// Clocks: the system clock, and a movable one for tests. No other module reads the time.

export interface Clock {
  now(): Date
}

/** Clock of the operating system. */
export const systemClock: Clock = { now: () => new Date() }

/** Clock that stands still until a test moves it. */
export interface MovableClock extends Clock {
  advance(ms: number): void
  set(date: Date): void
}

/**
 * Creates a clock for tests.
 * @example const clock = movableClock(new Date('2026-01-01T00:00:00Z')); clock.advance(30_000)
 */
export function movableClock(start: Date): MovableClock {
  let ms = start.getTime()
  return {
    now: () => new Date(ms),
    advance: (by) => void (ms += by),
    set: (date) => void (ms = date.getTime()),
  }
}

/** A time in the format of the database and the wire: `2026-11-21T06:00:00.000Z`. Sorts as text. */
export type Instant = string

/** Formats a time as the database and the wire store it. */
export function iso(date: Date): Instant {
  const ms = date.getTime()
  if (ms !== last.ms) last = { ms, text: date.toISOString() }
  return last.text
}
/** Cache of the last text: calls within one millisecond share it, and comparing is cheaper than formatting. */
let last = { ms: Number.NaN, text: '' }

/** Adds milliseconds to a time. */
export const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms)

/** Converts a date, or a time with any offset, to UTC, as the database stores it. */
export const utc = (text: string): string => iso(new Date(text))

/** An hour, milliseconds. */
export const hourMs = 3_600_000

/** A day, milliseconds. */
export const dayMs = 86_400_000
