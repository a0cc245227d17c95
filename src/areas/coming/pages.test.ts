import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { notServed } from '#contract/not-served.ts'
import { comingPages, tabTo, textsOf } from './pages.ts'

const named = comingPages.flatMap(({ tabs }) => tabs.flatMap(({ groups }) => groups))
const waiting = notServed.map(({ area, name }) => `${area}.${name}`)

/** Waiting groups that have no row in the table: their area is served in part, or has no page. */
const elsewhere: Readonly<Record<string, string>> = {
  account: 'on the account page',
  billing: 'on the Billing page',
  broadcasts: 'on the page of broadcasts',
  channels: 'on the channels page',
  help: 'on the help page',
  ingest: 'on the page of stream setup',
  projects: 'on the project page',
  tariffs: 'on the tariff page',
  realtime: 'no page: it keeps other pages up to date',
  webinars: 'not offered; listed in the reference',
}

test('lists every waiting group on a page', () => {
  const missing = waiting.filter((id) => !named.includes(id) && !((id.split('.')[0] ?? '') in elsewhere))
  expect(missing).toEqual([])
  expect(named.filter((id) => !waiting.includes(id))).toEqual([])
  expect(new Set(named).size).toBe(named.length)
})

test('gives every page and tab a unique address and texts', () => {
  const addresses = comingPages.flatMap((page) => page.tabs.map((tab) => tabTo(page, tab, 7)))
  expect(new Set(addresses).size).toBe(addresses.length)
  const file = new URL('../../../locales/en/coming.json', import.meta.url)
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
