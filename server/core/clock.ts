// The time. Nothing else in the service reads it, so that tests can move it.

export interface Clock {
  now(): Date
}

/** The machine's own time. */
export const systemClock: Clock = { now: () => new Date() }

/** A clock that stands still until it is moved. */
export interface MovableClock extends Clock {
  advance(ms: number): void
  set(date: Date): void
}

/**
 * A clock for tests.
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

/** A time as the database and the wire have it: `2026-11-21T06:00:00.000Z`. */
export function iso(date: Date): string {
  const ms = date.getTime()
  if (ms !== last.ms) last = { ms, text: date.toISOString() }
  return last.text
}
/** Calls of the same moment ask for the same text, and writing it takes longer than comparing. */
let last = { ms: Number.NaN, text: '' }

/** The time a while after another. */
export const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms)
