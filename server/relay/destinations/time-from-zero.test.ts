import { expect, test } from 'vitest'
import { timeFromZero } from './time-from-zero.ts'

const wrap = 2 ** 32

test('starts the first packet at 0, and one slightly before it too', () => {
  const timeOf = timeFromZero()
  expect([60_000, 59_980, 60_020, 60_040].map(timeOf)).toEqual([0, 0, 20, 40])
})

test('continues where the 32 bits of the stream wrap', () => {
  const timeOf = timeFromZero()
  expect([wrap - 40, wrap - 20, 0, 20].map(timeOf)).toEqual([0, 20, 40, 60])
})

test('continues where its own 32 bits wrap, after seven weeks', () => {
  const timeOf = timeFromZero()
  let at = 1000
  let time = 0
  for (let left = 2 ** 12; left > 0; left--) time = timeOf((at = (at + 2 ** 20) % wrap))
  expect(time).toBe(wrap - 2 ** 20)
  expect(timeOf((at + 2 ** 20) % wrap)).toBe(0)
  expect(timeOf((at + 2 ** 20 + 40) % wrap)).toBe(40)
})
