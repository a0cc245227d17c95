import { expect, test } from 'vitest'
import { linesOf } from './graph-lines.ts'

test('draws one line per location, with gaps for missing reports', () => {
  const graph = {
    type: 'cpu' as const,
    timeLine: [0, 60, 120],
    countries: [{ countryName: 'Germany', cities: [{ cityName: 'Frankfurt', chartData: [5, null, 50] }] }],
  }
  const points = [
    { at: 0, value: 5 },
    { at: 60, value: null },
    { at: 120, value: 50 },
  ]
  expect(linesOf(graph)).toEqual([{ name: 'Frankfurt, Germany', points }])
})
