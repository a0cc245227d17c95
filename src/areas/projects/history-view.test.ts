import { expect, test } from 'vitest'
import { askOf, isNarrow, readView, writeView } from './history-view.ts'

const read = (query: string) => readView(new URLSearchParams(query))

test('stores the filters in the URL', () => {
  const query = 'action=plan_bought&from=2026-03-01&to=2026-03-31&person=7&page=2'
  const view = read(query)
  expect(view).toEqual({ action: 'plan_bought', person: 7, from: '2026-03-01', to: '2026-03-31', page: 2 })
  expect(read(writeView(view, { page: 2 }).toString())).toEqual(view)
})

test('returns to page 1 when a filter changes, and omits defaults from the URL', () => {
  const view = read('page=3')
  expect(writeView(view, { person: 7 }).toString()).toBe('person=7')
  expect(writeView(view, {}).toString()).toBe('')
})

test.each(['action=burn', 'person=-1', 'person=x', 'from=yesterday', 'to=2026-3-1', 'page=0', 'page=1.5'])(
  'ignores the invalid query %s',
  (query) => {
    expect(read(query)).toEqual(read(''))
    expect(isNarrow(read(query))).toBe(false)
  },
)

test('requests one page of matching entries', () => {
  expect(askOf(5, read('from=2026-03-01')).date_from).toBe(new Date(2026, 2, 1).toISOString())
  expect(askOf(5, read('page=3'))).toEqual({ project_id: 5, limit: 50, offset: 100 })
})
