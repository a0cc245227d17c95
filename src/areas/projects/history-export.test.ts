import { expect, test } from 'vitest'
import type { HistoryItem } from '#contract/areas/projects/history.ts'
import { toCsv, toJson } from './history-export.ts'
import { detailsOf } from './history-words.ts'

const texts: Readonly<Record<string, string>> = { 'role.viewer': 'Viewer', 'role.editor': 'Editor' }
const t = (key: string, values: Record<string, unknown> = {}) =>
  texts[key] ?? (key === 'history.minutes' ? `${String(values['count'])} min` : key)

const row = (details: HistoryItem['details'], name = 'Ann'): HistoryItem => ({
  id: 1,
  action: 'user_project_change',
  project_id: 5,
  user_id: 7,
  group_id: null,
  date: '2026-03-01T10:00:00.000Z',
  user_: { user_id: 7, name, fename: '' },
  details,
})

test.each([
  [{ name: 'Vic', from: 0, to: 1 }, 'Vic: Viewer → Editor'],
  [{ access_type: 1, email: 'z…@example.com' }, 'z…@example.com: Editor'],
  [{ name: 'New', was: 'Old' }, 'Old → New'],
  [{ plan: 'Pro', period: 'month' }, 'Pro'],
  [{ name: 'Evening show', project: 'Guests', access_type: 0 }, 'Evening show (Guests): Viewer'],
  [{ minutes: 5 }, '5 min'],
  [{ from: 9, name: 3 }, ''],
  [null, ''],
])('%j reads as “%s”', (details, words) => {
  expect(detailsOf({ details }, t)).toBe(words)
})

test('a table that spreadsheets read as it is meant: quotes, commas, and no formulas', () => {
  const csv = toCsv([row({ name: 'a "b", c' }), row(null, '=HYPERLINK("http://x")'), row({ name: '-1+1' })], t)
  const lines = csv.split('\r\n')
  expect(csv.startsWith('\uFEFF')).toBe(true)
  expect(lines[1]).toContain('"a ""b"", c"')
  expect(lines[2]).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(lines[3]).toContain(`,'-1+1,`)
  expect(lines).toHaveLength(5)
})

test('JSON is what the service told', () => {
  const rows = [row({ name: 'Vic' })]
  expect(JSON.parse(toJson(rows))).toEqual(rows)
})
