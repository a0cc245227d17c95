import { expect, test } from 'vitest'
import { cellsOf, columns, comparedOf, type Row, sumUp, toggled } from './figures.ts'

const row = (id: number, change: Partial<Row> = {}): Row => ({
  id,
  created_at: '2026-03-01T10:00:00.000Z',
  finish_at: '2026-03-01T11:00:00.000Z',
  reconnects: 0,
  bitrate: { avg: 4_000, min: 1_000, max: 6_000 },
  viewers: null,
  channels: 2,
  platforms: ['twitch', 'vk'],
  warnings: 0,
  errors: 0,
  ...change,
})
const now = Date.parse('2026-03-01T12:00:00.000Z')

test('weights averages by duration and skips missing values', () => {
  const running = row(2, { finish_at: null, bitrate: { avg: 7_000, min: 0, max: 9_000 }, errors: 2 })
  const silent = row(3, { bitrate: null, viewers: { avg: 3, min: 1, max: 9 } })
  expect(sumUp([row(1), running, silent], now)).toEqual({ ms: 4 * 3_600_000, kbps: 6_000, viewers: 9, troubles: 2 })
  expect(sumUp([silent], now)).toMatchObject({ kbps: null })
})

test('compares the latest two broadcasts by default, and drops the oldest selection when full', () => {
  const rows = [row(3), row(2), row(1)]
  expect(comparedOf(rows, { compared: null }).map(({ id }) => id)).toEqual([3, 2])
  expect(comparedOf(rows, { compared: [1, 99] }).map(({ id }) => id)).toEqual([1])
  expect(toggled([1, 2, 3, 4], 5)).toEqual([2, 3, 4, 5])
  expect(toggled([1, 2], 1)).toEqual([2])
})

test('writes a cell for every column', () => {
  const cells = cellsOf(row(1), now)
  expect(cells).toHaveLength(columns.length)
  expect(cells[columns.indexOf('seconds')]).toBe(3_600)
  expect(cells[columns.indexOf('viewers_avg')]).toBeNull()
})
