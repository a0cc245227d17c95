// Order of the messages of several pipes, by a fake clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Braid } from './braid.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function braid(pipes: number) {
  const left: number[] = []
  const one = new Braid(pipes, ({ timestamp }) => left.push(timestamp))
  const push = (pipe: number, ...times: readonly number[]) => {
    for (const timestamp of times) one.push(pipe, { type: 8, streamId: 1, timestamp, payload: Buffer.alloc(2) })
  }
  return { left, push, one }
}

test('messages leave in the order of their times when all pipes have passed them', () => {
  const { left, push } = braid(3)
  // A burst of one pipe waits for the others.
  push(0, 0, 40, 80, 3_000)
  push(1, 10, 60, 3_010)
  expect(left).toEqual([])
  push(2, 20, 50)
  expect(left).toEqual([0, 10, 20, 40, 50])
  push(2, 3_020)
  expect(left).toEqual([0, 10, 20, 40, 50, 60, 80, 3_000])
})

test('a pipe that stalls holds the others for half a second, and then not at all', () => {
  const { left, push } = braid(2)
  push(0, 0)
  push(1, 0)
  push(0, 40)
  expect(left).toEqual([0, 0])
  vi.advanceTimersByTime(500)
  push(0, 540)
  expect(left).toEqual([0, 0, 40])
  vi.advanceTimersByTime(500)
  push(0, 1_040)
  expect(left).toEqual([0, 0, 40, 540, 1_040])
})

test('a clock that is set back goes on, and memory is bounded', () => {
  const { left, push, one } = braid(2)
  push(0, 100_000)
  push(0, 5)
  push(1, 5)
  expect(left).toEqual([100_000, 5, 5])
  push(0, ...Array.from({ length: 10_000 }, (_, at) => 10 + at))
  expect(left.length).toBeGreaterThan(7_500)
  one.flush()
  expect(left).toHaveLength(10_003)
})
