import { expect, test } from 'vitest'
import { askOf, isNarrow, readView, writeView } from './history-view.ts'

const read = (query: string) => readView(new URLSearchParams(query))

test('what is looked for survives the address', () => {
  const query = 'action=plan_bought&from=2026-03-01&to=2026-03-31&person=7&page=2'
  const view = read(query)
  expect(view).toEqual({ action: 'plan_bought', person: 7, from: '2026-03-01', to: '2026-03-31', page: 2 })
  expect(read(writeView(view, { page: 2 }).toString())).toEqual(view)
})

test('another filter begins on the first page, and what is usual is left out', () => {
  const view = read('page=3')
  expect(writeView(view, { person: 7 }).toString()).toBe('person=7')
  expect(writeView(view, {}).toString()).toBe('')
})

test.each(['action=burn', 'person=-1', 'person=x', 'from=yesterday', 'to=2026-3-1', 'page=0', 'page=1.5'])(
  '%s is as if it were not there',
  (query) => {
    expect(read(query)).toEqual(read(''))
    expect(isNarrow(read(query))).toBe(false)
  },
)

test('the service is asked for a page of what fits', () => {
  expect(askOf(5, read('from=2026-03-01')).date_from).toBe(new Date(2026, 2, 1).toISOString())
  expect(askOf(5, read('page=3'))).toEqual({ project_id: 5, limit: 50, offset: 100 })
})
