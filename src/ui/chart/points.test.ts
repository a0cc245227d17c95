import { expect, test } from 'vitest'
import { figuresOf, roundUp, stepOf, withGaps } from './points.ts'

const at = (...seconds: number[]) => seconds.map((second) => ({ at: second, value: 1 }))
const gaps = (points: ReturnType<typeof withGaps>) => points.filter(({ value }) => value === null)

test('has a gap in the line where nothing was measured', () => {
  expect(withGaps(at(0, 1, 9, 10), 5)).toEqual([...at(0, 1), { at: 5, value: null }, ...at(9, 10)])
})

test('draws coarse old values without a gap', () => {
  expect(gaps(withGaps(at(0, 10, 20, 30, 31, 32, 33), 5))).toEqual([])
})

test('computes the figures from measured values only', () => {
  const points = [100, null, 200, 900].map((value, second) => ({ at: second, value }))
  expect(figuresOf(points)).toEqual({ mean: 400, min: 100, max: 900 })
  expect(figuresOf([{ at: 0, value: null }])).toBeNull()
})

test('rounds the upper edge to a readable number', () => {
  expect([0, 10, 11, 3500, 6001, 9999].map(roundUp)).toEqual([10, 10, 20, 4000, 8000, 10_000])
})

test('moves from point to point by keyboard, and stops at the ends', () => {
  expect(stepOf('ArrowLeft', null, 9)).toBe(8)
  expect(stepOf('ArrowRight', 9, 9)).toBe(9)
  expect(stepOf('PageDown', 5, 9)).toBe(0)
  expect(stepOf('End', 0, 9)).toBe(9)
  expect(stepOf('Tab', 0, 9)).toBeNull()
})
