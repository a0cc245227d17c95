// Delays between retries: one rule for the service, the relay and the dashboard.

/** Delays that double from `firstMs` to `mostMs`, or a list of delays whose last one repeats. Milliseconds. */
export type Backoff = (
  | { readonly firstMs: number; readonly mostMs: number }
  | { readonly ladderMs: readonly [number, ...number[]] }
) & {
  /** Share of a delay that is random, 0 to 1, so that clients of one fault do not retry together. Default: 0. */
  readonly jitter?: number
}

/**
 * Returns the delay before the next attempt, milliseconds.
 * @param failures failures in a row so far, at least 1
 * @param random returns 0 to 1, for tests
 * @example backoffMs({ firstMs: 500, mostMs: 30_000, jitter: 0.5 }, 3) // 1,000 to 2,000
 */
export function backoffMs(backoff: Backoff, failures: number, random: () => number = Math.random): number {
  const longest = delayOf(backoff, Math.max(1, failures))
  return Math.round(longest * (1 - (backoff.jitter ?? 0) * random()))
}

function delayOf(backoff: Backoff, failures: number): number {
  if ('firstMs' in backoff) return Math.min(backoff.firstMs * 2 ** Math.min(failures - 1, 40), backoff.mostMs)
  return backoff.ladderMs[Math.min(failures, backoff.ladderMs.length) - 1] ?? backoff.ladderMs[0]
}
