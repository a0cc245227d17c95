import { afterEach, expect, test, vi } from 'vitest'
import { beatAlong, clock } from './use-now.ts'

afterEach(() => void vi.useRealTimers())

/** When the clock beats, in milliseconds, while something is told each second from a moment on. */
function beatsWhileTold(fromMs: number, untilMs: number): number[] {
  vi.useFakeTimers({ now: 0 })
  const beats: number[] = []
  const off = clock(1_000).subscribe(() => beats.push(Date.now()))
  setTimeout(() => {
    beatAlong()
    const each = setInterval(() => beatAlong(), 1_000)
    setTimeout(() => clearInterval(each), untilMs)
  }, fromMs)
  vi.advanceTimersByTime(untilMs)
  off()
  return beats
}

test.each([50, 500, 950])('a clock falls in with what is told each second, %i ms after it', (offset) => {
  const beats = beatsWhileTold(5_000 + offset, 12_000)
  const late = beats.filter((at) => at > 8_000)
  expect(late.map((at) => at % 1_000)).toEqual(late.map(() => offset))
  const gaps = beats.slice(1).map((at, index) => at - (beats[index] ?? 0))
  expect(Math.max(...gaps)).toBeLessThanOrEqual(1_300)
})
