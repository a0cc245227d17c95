import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { notServed } from '#contract/not-served.ts'
import { comingPages, tabTo, textsOf } from './pages.ts'

const named = comingPages.flatMap(({ tabs }) => tabs.flatMap(({ groups }) => groups))
const waiting = notServed.map(({ area, name }) => `${area}.${name}`)

/** Groups that wait elsewhere: on the pages of areas that are served in part, or on none. */
const elsewhere: Readonly<Record<string, string>> = {
  account: 'on the account page',
  broadcasts: 'on the page of broadcasts',
  channels: 'on the channels page',
  help: 'on the help page',
  ingest: 'on the page of stream setup',
  projects: 'on the project page',
  tariffs: 'on the tariff page',
  realtime: 'nothing to see: other pages are kept up to date by it',
  webinars: 'not offered; the reference shows it',
}

test('every group that is not served has its place', () => {
  const missing = waiting.filter((id) => !named.includes(id) && !((id.split('.')[0] ?? '') in elsewhere))
  expect(missing).toEqual([])
  expect(named.filter((id) => !waiting.includes(id))).toEqual([])
  expect(new Set(named).size).toBe(named.length)
})

test('every page and tab has an address of its own, and its texts', () => {
  const addresses = comingPages.flatMap((page) => page.tabs.map((tab) => tabTo(page, tab, 7)))
  expect(new Set(addresses).size).toBe(addresses.length)
  const file = new URL('../../locales/en/coming.json', import.meta.url)
  expect(existsSync(file)).toBe(true)
  const texts: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const at = (path: string) =>
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], texts)
  const keys = comingPages.flatMap(({ key, tabs }) => [
    `${key}.intro`,
    ...tabs.flatMap((tab) => [`${textsOf(key, tab)}.title`, `${textsOf(key, tab)}.text`]),
  ])
  expect(keys.filter((key) => typeof at(key) !== 'string')).toEqual([])
})
