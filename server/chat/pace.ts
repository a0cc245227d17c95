// Pace of calls that a platform limits, for each key: a distance between two calls, and a number in a window.

/** Limits of one key. */
export interface PaceLimits {
  /** Distance between two calls, milliseconds. */
  readonly everyMs: number
  readonly windowMs: number
  /** Calls in a window. */
  readonly max: number
}

const keysMax = 10_000

/** Creates a pace. */
export function createPace({ everyMs, windowMs, max }: PaceLimits) {
  const turns = new Map<string, number[]>()
  return {
    /**
     * Takes the next turn of a key.
     * @param now milliseconds of a monotonic clock
     * @returns the wait until the turn, milliseconds; a wait of more than 5 s takes no turn
     */
    take(key: string, now: number): number {
      const recent = (turns.get(key) ?? []).filter((at) => at > now - windowMs)
      const afterLast = (recent.at(-1) ?? now - everyMs) + everyMs
      const afterWindow = recent.length < max ? now : (recent.at(-max) ?? now) + windowMs
      const wait = Math.max(0, afterLast - now, afterWindow - now)
      turns.delete(key)
      if (turns.size >= keysMax) turns.clear()
      turns.set(key, wait > 5000 ? recent : [...recent, now + wait])
      return wait
    },
  }
}
