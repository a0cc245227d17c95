import { afterEach, expect, test, vi } from 'vitest'
import { clock } from './use-now.ts'

afterEach(() => void vi.useRealTimers())

test('shares one timer among the subscribers of an interval, and stops it with the last one', () => {
  vi.useFakeTimers({ now: 0 })
  const seen: number[] = []
  const one = clock(1_000).subscribe(() => seen.push(clock(1_000).getState()))
  const other = clock(1_000).subscribe(() => {})
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(3_000)
  expect(seen.map((at, index) => at - (seen[index - 1] ?? at))).toEqual([0, 1_000, 1_000])
  one()
  expect(vi.getTimerCount()).toBe(1)
  other()
  expect(vi.getTimerCount()).toBe(0)
})

test('shows the current time on a clock without subscribers', () => {
  vi.useFakeTimers({ now: 0 })
  clock(2_000).getState()
  vi.setSystemTime(60_000)
  expect(clock(2_000).getState()).toBe(60_000)
})
