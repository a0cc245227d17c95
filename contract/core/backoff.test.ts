import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

test('doubles from the first delay to the longest', () => {
  const backoff = { firstMs: 500, mostMs: 3_000 }
  expect([1, 2, 3, 4, 5, 5_000].map((failures) => backoffMs(backoff, failures))).toEqual([
    500, 1_000, 2_000, 3_000, 3_000, 3_000,
  ])
})

test('repeats the last delay of a list', () => {
  const backoff = { ladderMs: [5, 60, 600] } as const
  expect([1, 2, 3, 4, 99].map((failures) => backoffMs(backoff, failures))).toEqual([5, 60, 600, 600, 600])
})

test('keeps a delay between the fixed share and the whole', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, value) => {
      const whole = backoffMs({ firstMs: 250, mostMs: 30_000 }, failures)
      const delay = backoffMs({ firstMs: 250, mostMs: 30_000, jitter: 0.5 }, failures, () => value)
      expect(delay).toBeGreaterThanOrEqual(Math.floor(whole / 2))
      expect(delay).toBeLessThanOrEqual(whole)
    }),
  )
})
