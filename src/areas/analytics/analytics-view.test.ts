import { expect, test } from 'vitest'
import { beginningOf, readView, writeView } from './analytics-view.ts'

const read = (text: string) => readView(new URLSearchParams(text))

test('replaces invalid values in the URL with defaults', () => {
  expect(read('')).toEqual({ period: 30, metric: 'bitrate', compared: null })
  expect(read('days=12&metric=money&compare=x')).toEqual({ period: 30, metric: 'bitrate', compared: [] })
  expect(read('days=7&metric=viewers&compare=3,3,5,-1,7,9,11').compared).toEqual([3, 5, 7, 9])
})

test('omits defaults from the URL, and keeps an empty selection', () => {
  const view = read('days=90&compare=4')
  expect(writeView(view, { period: 30 }).toString()).toBe('compare=4')
  expect(writeView(view, { compared: [] }).toString()).toBe('days=90&compare=')
  expect(read('compare=').compared).toEqual([])
})

test('starts a period at local midnight and includes today', () => {
  const now = new Date(2026, 2, 1, 15, 30)
  expect(beginningOf(7, now)).toBe(new Date(2026, 1, 23).toISOString())
})
