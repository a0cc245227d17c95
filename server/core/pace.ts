// Pace of repeated messages: one of a key in a time.

export interface Pace {
  /** Returns whether the time of a key is over, or has not begun; then it begins. */
  begins(key: number): boolean
  /** Keys in memory: those of the last time. */
  size(): number
}

/** @param everyMs time of a key, milliseconds. @param now monotonic clock, milliseconds */
export function createPace(everyMs: number, now: () => number = () => performance.now()): Pace {
  /** Begin by key, the oldest first. */
  const begun = new Map<number, number>()
  return {
    begins(key) {
      const at = now()
      for (const [old, since] of begun) {
        if (at - since < everyMs) break
        begun.delete(old)
      }
      if (begun.has(key)) return false
      begun.set(key, at)
      return true
    },
    size: () => begun.size,
  }
}
