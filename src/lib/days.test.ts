import { expect, test } from 'vitest'
import { momentsOf, readDays } from './days.ts'

const read = (query: string) => readDays(new URLSearchParams(query))

test.each(['from=yesterday', 'to=2026-3-1', 'from=2026-13', 'to='])('ignores %s', (query) => {
  expect(read(query)).toEqual({ from: '', to: '' })
})

test('reads local days and includes the last one', () => {
  const { date_from: since = '', date_to: until } = momentsOf(read('from=2026-03-01&to=2026-03-01'))
  expect([since, until]).toEqual([new Date(2026, 2, 1).toISOString(), new Date(2026, 2, 2).toISOString()])
  expect(new Date(since).getHours()).toBe(0)
})

test('omits an open end', () => {
  expect(momentsOf(read(''))).toEqual({})
  expect(Object.keys(momentsOf(read('to=2026-03-01')))).toEqual(['date_to'])
})
