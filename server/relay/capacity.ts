// Capacity of a relay. All media passes through one thread: when it is busy all the time, every stream suffers.
import { performance } from 'node:perf_hooks'

/** Above this share of the thread's time, on average over ten seconds, a relay accepts no new projects. */
const fullShare = 0.85
const seconds = 10

export interface Capacity {
  /** Measures the last second; call it each second. */
  measure(): void
  /** True while the relay accepts no new projects. Projects on air are not affected. */
  isFull(): boolean
}

/** Creates a function that returns the share of time in which the thread of the caller was busy since the last call, 0 to 1. */
export function threadLoad(): () => number {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  }
}

/**
 * @param load share of time in which the thread was busy since the last call
 * @param onChange called when the relay begins or ceases to be full
 */
export function createCapacity(load: () => number = threadLoad(), onChange: () => void = () => {}): Capacity {
  let last: readonly number[] = []
  let isFull = false
  return {
    measure() {
      last = [...last, load()].slice(-seconds)
      const was = isFull
      isFull = last.length === seconds && last.reduce((sum, one) => sum + one, 0) / seconds > fullShare
      if (isFull !== was) onChange()
    },
    isFull: () => isFull,
  }
}
