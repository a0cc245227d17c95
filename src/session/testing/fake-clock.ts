// Manual clock and repeatable random numbers.
import type { Clock } from '#src/session/types.ts'

const node = globalThis as unknown as { setImmediate(run: () => void): unknown }

/** Repeatable random numbers (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A clock that stands still until `advance`. */
export function createFakeClock(start = Date.UTC(2026, 10, 21)) {
  let now = start
  /** Offset of the wall clock from the elapsed time, set by the test. */
  let shift = 0
  const timers = new Set<{ at: number; run: () => void }>()
  const settle = () =>
    new Promise<void>((resolve) => {
      node.setImmediate(resolve)
    })
  const next = (end: number) => {
    let first: { at: number; run: () => void } | undefined
    for (const timer of timers) if (timer.at <= end && (!first || timer.at < first.at)) first = timer
    return first
  }
  const clock: Clock = {
    now: () => now + shift,
    elapsed: () => now - start,
    setTimeout(run, ms) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return timer
    },
    clearTimeout: (timer) => void timers.delete(timer as { at: number; run: () => void }),
  }
  return {
    ...clock,
    timers,
    /** Changes the wall clock without running timers. */
    jump(ms: number) {
      now += ms
    },
    /** Sets the wall clock; the elapsed time is not affected. */
    setBack(ms: number) {
      shift -= ms
    },
    /** Advances the time, timer by timer. */
    async advance(ms: number) {
      const end = now + ms
      for (;;) {
        await settle()
        const timer = next(end)
        if (!timer) break
        timers.delete(timer)
        now = Math.max(now, timer.at)
        timer.run()
      }
      now = end
      await settle()
    },
  }
}

export type FakeClock = ReturnType<typeof createFakeClock>
