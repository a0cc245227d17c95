import { expect, test } from 'vitest'
import { periodProgress } from './period-progress.ts'

const at = (iso: string) => Date.parse(iso)
const start = '2026-11-01T00:00:00.000Z'
const end = '2026-12-01T00:00:00.000Z'

test('is 50 % half way through a month', () => {
  expect(periodProgress(start, end, at('2026-11-16T00:00:00Z'))).toEqual({
    share: 0.5,
    isOver: false,
    isEnding: false,
    daysLeft: 15,
  })
})

test('counts the whole month right after the purchase', () => {
  const progress = periodProgress(start, end, at(start) + 3_000)
  expect(progress?.daysLeft).toBe(30)
  expect(progress?.share).toBeCloseTo(0, 5)
})

test('turns amber below seven days, not at seven', () => {
  expect(periodProgress(start, end, at('2026-11-24T00:00:00Z'))?.isEnding).toBe(false)
  expect(periodProgress(start, end, at('2026-11-24T00:00:01Z'))?.isEnding).toBe(true)
})

test('is over and full after the end, and not amber', () => {
  expect(periodProgress(start, end, at('2027-03-01T00:00:00Z'))).toEqual({
    share: 1,
    isOver: true,
    isEnding: false,
    daysLeft: 0,
  })
})

test('has no share without a start, and no progress without an end', () => {
  expect(periodProgress(null, end, at('2026-11-30T12:00:00Z'))).toMatchObject({ share: null, isEnding: true })
  expect(periodProgress(start, null, at(start))).toBeNull()
  expect(periodProgress(undefined, undefined, at(start))).toBeNull()
})

test('has no share when the start is not before the end', () => {
  expect(periodProgress(end, start, at(start))?.share).toBeNull()
})
