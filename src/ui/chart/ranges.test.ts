import { expect, test } from 'vitest'
import { rangeUnder, showing, stretched, within } from './ranges.ts'

const seen = [100, 200] as const

test('moves the range with one finger', () => {
  expect(rangeUnder([{ x: 30, value: 120 }], 100, seen)).toEqual([90, 190])
})

test('zooms in with two fingers that part, each keeping its moment', () => {
  const fingers = [
    { x: 0, value: 120 },
    { x: 100, value: 180 },
  ]
  expect(rangeUnder(fingers, 100, seen)).toEqual([120, 180])
})

test('does not zoom when the fingers meet', () => {
  const fingers = [
    { x: 50, value: 120 },
    { x: 50, value: 180 },
  ]
  expect(rangeUnder(fingers, 100, seen)).toEqual([70, 170])
})

test.each([
  [0.5, undefined, [125, 175]],
  [0.5, 110, [105, 155]],
  [2, 150, [50, 250]],
  [0.001, 150, [147.5, 152.5]],
])('nearer by %s around %s', (share, at, range) => {
  expect(stretched(seen, share, at)).toEqual(range)
})

test.each([
  [
    [-50, 50],
    [0, 100],
  ],
  [
    [950, 1050],
    [900, 1000],
  ],
  [
    [10, 11],
    [10, 15],
  ],
  [[0, 1000], null],
  [[-10, 1500], null],
])('%j within a whole of 1000 is %j', (range, kept) => {
  expect(within(range as [number, number], [0, 1000])).toEqual(kept)
})

test('centres a moment outside the range', () => {
  expect(showing(seen, 150)).toEqual(seen)
  expect(showing(seen, 300)).toEqual([250, 350])
})
