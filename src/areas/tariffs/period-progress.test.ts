import { expect, test } from 'vitest'
import { periodProgress } from './period-progress.ts'

const at = (iso: string) => Date.parse(iso)
const start = '2026-11-01T00:00:00.000Z'
const end = '2026-12-01T00:00:00.000Z'

test('half way through a month', () => {
  expect(periodProgress(start, end, at('2026-11-16T00:00:00Z'))).toEqual({
    share: 0.5,
    isOver: false,
    isEnding: false,
    daysLeft: 15,
  })
})

test('just bought counts the whole month, and is not yet used', () => {
  const progress = periodProgress(start, end, at(start) + 3_000)
  expect(progress?.daysLeft).toBe(30)
  expect(progress?.share).toBeCloseTo(0, 5)
})

test('amber begins under seven days, not at seven', () => {
  expect(periodProgress(start, end, at('2026-11-24T00:00:00Z'))?.isEnding).toBe(false)
  expect(periodProgress(start, end, at('2026-11-24T00:00:01Z'))?.isEnding).toBe(true)
})

test('a past end is over, full, and not ending', () => {
  expect(periodProgress(start, end, at('2027-03-01T00:00:00Z'))).toEqual({
    share: 1,
    isOver: true,
    isEnding: false,
    daysLeft: 0,
  })
})

test('without a start there are days left and no share; without an end there is no period', () => {
  expect(periodProgress(null, end, at('2026-11-30T12:00:00Z'))).toMatchObject({ share: null, isEnding: true })
  expect(periodProgress(start, null, at(start))).toBeNull()
  expect(periodProgress(undefined, undefined, at(start))).toBeNull()
})

test('a start that is not before the end gives no share', () => {
  expect(periodProgress(end, start, at(start))?.share).toBeNull()
})
