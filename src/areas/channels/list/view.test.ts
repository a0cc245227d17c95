import { expect, test } from 'vitest'
import { isNarrow, readView, searchOf, writeView } from './view.ts'

const view = (query: string) => readView(new URLSearchParams(query))

test('a view survives its way through the address', () => {
  const seen = view('which=my&platform=twitch&name=gam&page=3')
  expect(seen).toEqual({ which: 'my', platform: 'twitch', name: 'gam', page: 3 })
  expect(
    readView(writeView(seen, {}).toString() === '' ? new URLSearchParams() : writeView(seen, { page: 3 })),
  ).toEqual(seen)
})

test('what makes no sense is as if it were not there', () => {
  expect(view('which=nobody&platform=radio&page=-2')).toEqual({ which: 'all', platform: '', name: '', page: 1 })
  expect(isNarrow(view(''))).toBe(false)
})

test('another question begins on its first page, and what is usual is left out', () => {
  expect(writeView(view('page=4'), { name: 'a' }).toString()).toBe('name=a')
  expect(writeView(view('name=a'), { name: '', page: 2 }).toString()).toBe('page=2')
})

test('the service is asked for what is on the page, and for no more letters than it takes', () => {
  expect(searchOf(7, view('page=2&name=abcdefghijklmn'))).toEqual({
    project_id: 7,
    type: 'all',
    name: 'abcdefghij',
    limit: 30,
    offset: 30,
  })
})
