// Delays between failed requests.

const ms = { first: 1_000, most: 30_000 }

export interface Backoff {
  /** Returns the delay after a failure, milliseconds: from half a second to a second, then twice as long, up to 30 s. */
  readonly next: () => number
  /** Begins with the first delay again, after a success. */
  readonly reset: () => void
}

/** Creates delays. Their random part keeps clients apart that failed at the same time. */
export function createBackoff(): Backoff {
  let longest = ms.first
  return {
    next: () => {
      const delay = longest * (0.5 + Math.random() / 2)
      longest = Math.min(ms.most, longest * 2)
      return delay
    },
    reset: () => {
      longest = ms.first
    },
  }
}
