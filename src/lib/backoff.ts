// Delays between failed requests.
import { type Backoff, backoffMs, type Doubling } from '#contract/core/backoff.ts'

/** Delays of a failed read and of a failed preview. */
export const requestRetries = { firstMs: 1_000, mostMs: 30_000 } satisfies Doubling

/** Delays of what every client repeats after one fault. */
export const feedRetries: Backoff = { firstMs: 1_000, mostMs: 30_000, jitter: 0.5 }

export interface Retries {
  /** Returns the delay after a failure, milliseconds: from half a second to a second, then twice as long, up to 30 s. */
  readonly next: () => number
  /** Begins with the first delay again, after a success. */
  readonly reset: () => void
}

/** Creates delays. Their random part keeps clients apart that failed at the same time. */
export function createRetries(): Retries {
  let failures = 0
  return {
    next: () => backoffMs(feedRetries, ++failures),
    reset: () => {
      failures = 0
    },
  }
}
