// Tests of pages of a list in URL parameters.
import { expect, test } from 'vitest'
import { pageOf, paramsOf, windowOf } from './page-params.ts'

test.each([
  ['page=3', 3],
  ['', 1],
  ['page=0', 1],
  ['page=-2', 1],
  ['page=1.5', 1],
  ['page=x', 1],
  ['page=10001', 1],
])('reads the page of “%s” as %d', (query, page) => {
  expect(pageOf(new URLSearchParams(query))).toBe(page)
})

test('writes no empty values and no page 1', () => {
  expect(paramsOf({ status: '', project: '7', page: 1 }).toString()).toBe('project=7')
  expect(paramsOf({ status: 'paid', page: 2 }).toString()).toBe('status=paid&page=2')
})

test('returns the rows of a page', () => {
  expect(windowOf(3, 20)).toEqual({ limit: 20, offset: 40 })
})
