import { expect, test } from 'vitest'
import { isNarrow, readView, searchOf, writeView } from './view.ts'

const view = (query: string) => readView(new URLSearchParams(query))

test('keeps a view through the URL', () => {
  const seen = view('which=my&platform=twitch&name=gam&page=3')
  expect(seen).toEqual({ which: 'my', platform: 'twitch', name: 'gam', page: 3 })
  expect(
    readView(writeView(seen, {}).toString() === '' ? new URLSearchParams() : writeView(seen, { page: 3 })),
  ).toEqual(seen)
})

test('replaces invalid values with defaults', () => {
  expect(view('which=nobody&platform=radio&page=-2')).toEqual({ which: 'all', platform: '', name: '', page: 1 })
  expect(isNarrow(view(''))).toBe(false)
})

test('returns to page 1 when a filter changes, and omits defaults from the URL', () => {
  expect(writeView(view('page=4'), { name: 'a' }).toString()).toBe('name=a')
  expect(writeView(view('name=a'), { name: '', page: 2 }).toString()).toBe('page=2')
})

test('requests one page and cuts the search to the maximum length', () => {
  expect(searchOf(7, view('page=2&name=abcdefghijklmn'))).toEqual({
    project_id: 7,
    type: 'all',
    name: 'abcdefghij',
    limit: 30,
    offset: 30,
  })
})
