import { expect, test } from 'vitest'
import { askOf, isNarrow, readView, writeView } from './broadcasts-view.ts'

const read = (text: string) => readView(new URLSearchParams(text))

test('what makes no sense in the address is as if it were not there', () => {
  expect(read('')).toEqual({ from: '', to: '', platform: '', page: 1 })
  expect(read('from=yesterday&to=2026-13&platform=x&page=-3')).toEqual(read(''))
  expect(read('from=2026-03-01&platform=twitch&page=2')).toEqual({
    from: '2026-03-01',
    to: '',
    platform: 'twitch',
    page: 2,
  })
})

test('another question begins on its first page, and a page keeps the question', () => {
  const view = read('from=2026-03-01&page=3')
  expect(writeView(view, { platform: 'vk' }).toString()).toBe('from=2026-03-01&platform=vk')
  expect(writeView(view, { page: 4 }).toString()).toBe('from=2026-03-01&page=4')
  expect(isNarrow(view)).toBe(true)
  expect(isNarrow(read('page=3'))).toBe(false)
})

test('the service is asked for a page of what fits', () => {
  expect(askOf(1, read('from=2026-03-01&to=2026-03-01&page=2'))).toEqual({
    project_id: 1,
    limit: 20,
    offset: 20,
    order: 'desc',
    date_from: new Date(2026, 2, 1).toISOString(),
    date_to: new Date(2026, 2, 2).toISOString(),
  })
})
