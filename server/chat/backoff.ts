// Full-jitter exponential backoff.

const firstMs = 1_000
const lastMs = 60_000

/**
 * Returns the time before an attempt, milliseconds: random up to a limit that doubles from 1 s to 60 s.
 * @param attempt 0 is the first one after a success
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  return Math.round(Math.min(lastMs, firstMs * 2 ** Math.min(attempt, 10)) * random())
}
