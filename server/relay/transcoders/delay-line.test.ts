import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { audio } from '#server/relay/testing/frames.ts'
import { DelayLine } from './delay-line.ts'

let out: number[]
let line: DelayLine
beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  out = []
})
afterEach(() => {
  line.clear()
  vi.useRealTimers()
})

const open = (ms: number) => (line = new DelayLine(ms, ({ timestamp }) => out.push(timestamp)))
const push = (timestamp: number) => line.push(audio(timestamp), Date.now())

test('everything comes out in order, as late as was wanted', () => {
  open(1000)
  push(1)
  vi.advanceTimersByTime(500)
  push(2)
  vi.advanceTimersByTime(480)
  expect(out).toEqual([])
  vi.advanceTimersByTime(40)
  expect(out).toEqual([1])
  vi.advanceTimersByTime(500)
  expect(out).toEqual([1, 2])
})

test('without a delay nothing waits, and what waited is left out', () => {
  open(1000)
  push(1)
  line.set(0)
  push(2)
  vi.advanceTimersByTime(2000)
  expect(out).toEqual([2])
})

test('what would take too much memory goes on early', () => {
  open(600_000)
  const large = { ...audio(7), payload: Buffer.alloc(100 * 1024 * 1024) }
  for (let count = 0; count < 4; count++) line.push(large, Date.now())
  vi.advanceTimersByTime(20)
  expect(out).toEqual([7, 7])
})
