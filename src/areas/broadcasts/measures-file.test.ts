import { expect, test } from 'vitest'
import { measuresCsv, measuresOf } from './measures-file.ts'

const graph = (labels: number[], data: number[]) => ({ labels, data, setting: { step: 1, unit: '' } })

test('merges both graphs by time and leaves missing samples empty', () => {
  const measures = measuresOf(graph([0, 60], [4_000, 0]), graph([60, 120], [7, 8]))
  expect(measuresCsv(measures)).toBe(
    [
      '\uFEFFtime,kbps,viewers',
      '1970-01-01T00:00:00.000Z,4000,',
      '1970-01-01T00:01:00.000Z,0,7',
      '1970-01-01T00:02:00.000Z,,8',
      '',
    ].join('\r\n'),
  )
})

test('writes the bitrate without viewers', () => {
  expect(measuresOf(graph([0], [1]), undefined)).toEqual([{ time: '1970-01-01T00:00:00.000Z', kbps: 1, viewers: null }])
})
