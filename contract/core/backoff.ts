// Delays between retries: one rule for the service, the relay and the dashboard.

/** Delays that double from `firstMs` to `mostMs`, milliseconds. */
export interface Doubling {
  readonly firstMs: number
  readonly mostMs: number
}

/** Doubling delays, or a list of delays whose last one repeats. Milliseconds. */
export type Backoff = (Doubling | { readonly ladderMs: readonly [number, ...number[]] }) & {
  /** Share of a delay that is random, 0 to 1, so that clients of one fault do not retry together. Default: 0. */
  readonly jitter?: number
}

/**
 * Returns the delay before the next attempt without a random part, milliseconds.
 * @param failures failures in a row so far, at least 1
 */
export const doubledMs = (delays: Doubling, failures: number): number =>
  Math.min(delays.mostMs, delays.firstMs * 2 ** (failures - 1))

/**
 * Returns the delay before the next attempt, milliseconds.
 * @param failures failures in a row so far, at least 1
 * @param random returns 0 to 1, for tests
 * @example backoffMs({ firstMs: 500, mostMs: 30_000, jitter: 0.5 }, 3) // 1,000 to 2,000
 */
export function backoffMs(backoff: Backoff, failures: number, random: () => number = Math.random): number {
  const longest =
    'firstMs' in backoff
      ? doubledMs(backoff, failures)
      : (backoff.ladderMs[failures - 1] ?? backoff.ladderMs.at(-1) ?? 0)
  return Math.round(longest * (1 - (backoff.jitter ?? 0) * random()))
}
