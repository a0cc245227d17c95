import { expect, test } from 'vitest'
import { askOf, isNarrow, readView, writeView } from './broadcasts-view.ts'

const read = (text: string) => readView(new URLSearchParams(text))

test('replaces invalid values in the URL with defaults', () => {
  expect(read('')).toEqual({ from: '', to: '', platform: '', page: 1 })
  expect(read('from=yesterday&to=2026-13&platform=x&page=-3')).toEqual(read(''))
  expect(read('from=2026-03-01&platform=twitch&page=2')).toEqual({
    from: '2026-03-01',
    to: '',
    platform: 'twitch',
    page: 2,
  })
})

test('returns to page 1 when a filter changes, and keeps filters when the page changes', () => {
  const view = read('from=2026-03-01&page=3')
  expect(writeView(view, { platform: 'vk' }).toString()).toBe('from=2026-03-01&platform=vk')
  expect(writeView(view, { page: 4 }).toString()).toBe('from=2026-03-01&page=4')
  expect(isNarrow(view)).toBe(true)
  expect(isNarrow(read('page=3'))).toBe(false)
})

test('requests one page of matching broadcasts', () => {
  expect(askOf(1, read('from=2026-03-01&to=2026-03-01&page=2'))).toEqual({
    project_id: 1,
    limit: 20,
    offset: 20,
    order: 'desc',
    date_from: new Date(2026, 2, 1).toISOString(),
    date_to: new Date(2026, 2, 2).toISOString(),
  })
})
