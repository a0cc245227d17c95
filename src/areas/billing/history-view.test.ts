import { expect, test } from 'vitest'
import { askOf, isNarrow, readView, writeView } from './history-view.ts'

const read = (query: string) => readView(new URLSearchParams(query))

test('stores the filters in the URL', () => {
  const view = read('purpose=payout&balance=profit&from=2026-03-01&to=2026-03-31&page=2')
  expect(view).toEqual({ purpose: 'payout', balance: 'profit', from: '2026-03-01', to: '2026-03-31', page: 2 })
  expect(read(writeView(view, { page: 2 }).toString())).toEqual(view)
})

test('returns to page 1 when a filter changes, and omits defaults from the URL', () => {
  const view = read('page=3')
  expect(writeView(view, { balance: 'bonus' }).toString()).toBe('balance=bonus')
  expect(writeView(view, {}).toString()).toBe('')
})

test.each(['purpose=burn', 'balance=4', 'from=yesterday', 'page=0', 'page=1.5', 'page=x'])(
  'ignores the invalid query %s',
  (query) => {
    expect(read(query)).toEqual(read(''))
    expect(isNarrow(read(query))).toBe(false)
  },
)

test('requests one page of matching movements', () => {
  expect(askOf(5, read('purpose=payment&balance=profit&page=3'))).toEqual({
    project_id: 5,
    limit: 50,
    offset: 100,
    type: 'payment,payment_cancel',
    balance_type: '3',
  })
})
