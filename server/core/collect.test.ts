import { expect, test, vi } from 'vitest'
import { collector } from './collect.ts'

test('passes the first item on immediately, later ones each interval, and reports silence', () => {
  vi.useFakeTimers()
  try {
    const passed: number[][] = []
    let silences = 0
    const add = collector<number>(
      100,
      (items) => passed.push(items),
      () => silences++,
    )
    add([])
    expect(passed).toEqual([])
    add([1])
    expect(passed).toEqual([[1]])
    add([2, 3])
    add([4])
    vi.advanceTimersByTime(99)
    expect(passed).toEqual([[1]])
    vi.advanceTimersByTime(1)
    expect(passed).toEqual([[1], [2, 3, 4]])
    vi.advanceTimersByTime(100)
    expect([passed.length, silences]).toEqual([2, 1])
    add([5])
    expect(passed[2]).toEqual([5])
  } finally {
    vi.useRealTimers()
  }
})

test('takes any number of items in one call', () => {
  const passed: number[] = []
  const add = collector<number>(100, (items) => void passed.push(items.length))
  add(Array.from({ length: 200_000 }, (_, at) => at))
  expect(passed).toEqual([200_000])
})
