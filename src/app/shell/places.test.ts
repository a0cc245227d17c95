// The palette knows every page: a new route needs no entry of its own.
import type { RouteObject } from 'react-router'
import { beforeAll, expect, test, vi } from 'vitest'
import { tabs } from '#src/areas/operator/tabs.ts'
import { paths } from '#src/lib/paths.ts'
import { navigation } from './navigation.ts'
import { listPlaces, type Place } from './places.ts'

let inFrame: RouteObject[]
let places: readonly Place[]
beforeAll(async () => {
  vi.stubGlobal('localStorage', undefined)
  ;({ inFrame } = await import('#src/app/routes.tsx'))
  places = listPlaces(inFrame)
})

/** Addresses of the routes that need no number but that of the project. */
function addressesOf(routes: readonly RouteObject[], base = ''): string[] {
  return routes.flatMap(({ path = '', index, children }) => {
    const joined = path.startsWith('/') ? path : [base, path].filter(Boolean).join('/')
    const full = `/${joined.replace(/^\/+/, '')}`.replace(':projectId', '7')
    if (children) return addressesOf(children, full)
    return (index || path) && !/[*:]/.test(full.replace('/:line?', '')) ? [full.replace('/:line?', '')] : []
  })
}

test('opens every page of the table of routes', () => {
  const known = new Set([
    ...places.map(({ to }) => to(7)),
    ...navigation.map(({ to }) => to(7)),
    ...tabs.map(({ path }) => paths.operator(path)),
    paths.reference(),
  ])
  const all = addressesOf(inFrame)
  expect(all.length).toBeGreaterThan(35)
  expect(all.filter((address) => !known.has(address))).toEqual([])
})

test('finds a page that is planted', () => {
  const planted = { path: '/p/:projectId/project/planted', handle: { title: 'projects:planted' } }
  const place = listPlaces([planted]).find(({ title }) => title === 'projects:planted')
  expect([place?.group, place?.to(7)]).toEqual(['nav.project', '/p/7/project/planted'])
})

const texts = import.meta.glob<Record<string, unknown>>('/locales/*/*.json', { import: 'default', eager: true })
const textOf = (language: string, key: string) => {
  const [namespace = '', path = ''] = key.includes(':') ? key.split(':') : ['common', key]
  const at = (value: unknown, name: string) => (value as Record<string, unknown> | undefined)?.[name]
  return path.split('.').reduce(at, texts[`/locales/${language}/${namespace}.json`] as unknown)
}

test.each(['en', 'ru', 'cn'])('every place and its page have a name in %s', (language) => {
  const nameless = places.filter(({ title, group }) =>
    [title, group].some((key) => typeof textOf(language, key) !== 'string'),
  )
  expect(nameless).toEqual([])
})

test('names each place once on its page', () => {
  const names = places.map(({ title, group }) => `${String(textOf('en', group))}: ${String(textOf('en', title))}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
