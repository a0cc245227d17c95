import { expect, test } from 'vitest'
import { linesOf } from './graph-lines.ts'

const graph = (chartData: (number | null)[]) => ({
  type: 'cpu' as const,
  timeLine: [0, 60, 120, 180, 240],
  countries: [{ countryName: 'Germany', cities: [{ cityName: 'Frankfurt', chartData }] }],
})
const size = { width: 400, height: 100 }

test('a line has a gap where nothing was reported, and a dot for what stands alone', () => {
  expect(linesOf(graph([0, 100, null, 50, null]), size)).toEqual([
    { name: 'Frankfurt, Germany', path: 'M0 100L100 0M300 50h0', mean: 50, max: 100 },
  ])
})

test('a place that was silent all the time has no figures', () => {
  expect(linesOf(graph([null, null, null, null, null]), size)).toMatchObject([{ path: '', mean: null, max: null }])
})
