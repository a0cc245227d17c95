// Every path of the dashboard opens a page of its own, and every page has a title.
import { matchRoutes, type RouteObject } from 'react-router'
import { beforeAll, expect, test, vi } from 'vitest'
import { tabs } from '#src/areas/operator/tabs.ts'
import { paths } from '#src/lib/paths.ts'
import { pages } from './pages.gen.ts'

const spelled: readonly string[] = [
  ...Object.values(paths).map((path) => (path as (first?: string) => string)('7')),
  paths.root(),
  paths.signIn().split('?')[0] ?? '',
  paths.tariffs(7),
  paths.tariffs(7, 'restream'),
  paths.tariffs(7, 'transcoding'),
  paths.tariffs(7, 'storage'),
  ...(['history', 'cards', 'payouts', 'referrals'] as const).map((tab) => paths.billing(7, tab)),
  paths.project(7),
  paths.project(7, 'members'),
  paths.project(7, 'history'),
  paths.channels(7),
  paths.channels(7, 'accounts'),
  paths.channels(7, 'shared'),
  paths.channels(7, 'add'),
  paths.channel(7, 8),
  paths.broadcasts(7),
  paths.broadcasts(7, 'recordings'),
  paths.broadcast(7, 8),
  paths.payment(7, 8),
  paths.ingest(7),
  paths.ingest(7, 'pull'),
  paths.ingest(7, 'servers'),
  paths.ingest(7, 'transcoders'),
  paths.account(),
  paths.help(),
  paths.help('start/obs', 'key'),
  paths.blog(),
  paths.account('sessions'),
  paths.account('socials'),
  paths.account('tokens'),
  paths.account('apps'),
  ...tabs.map(({ path }) => paths.operator(path)),
].filter((path) => !['/account/7', '/operator/7'].includes(path))

const texts = import.meta.glob<Record<string, unknown>>('/locales/en/*.json', { import: 'default', eager: true })

/** The English text of a key with its namespace. */
function textOf(key: string): unknown {
  const [namespace = '', path = ''] = key.split(':')
  let found: unknown = texts[`/locales/en/${namespace}.json`]
  for (const name of path.split('.')) found = (found as Record<string, unknown> | undefined)?.[name]
  return found
}

/** Title of a route; pages of pages.gen.ts have theirs in their own file. */
async function titleOf({ path = '', handle, lazy }: RouteObject): Promise<string | undefined> {
  const own = path in pages && typeof lazy === 'function' ? (await lazy()).handle : handle
  return (own as { title?: string } | undefined)?.title
}

let routes: RouteObject[]

beforeAll(async () => {
  vi.stubGlobal('localStorage', undefined)
  ;({ routes } = await import('./routes.tsx'))
})

test.each([...new Set(spelled)])('%s has a page and a title', async (path) => {
  const matches = matchRoutes(routes, path.split('?')[0] ?? '') ?? []
  expect(matches.at(-1)?.route.path, 'the page of an address that is none').not.toBe('*')
  const titles = await Promise.all(matches.map(({ route }) => titleOf(route)))
  // These have no page: they redirect to the last visited project.
  if (![paths.root(), paths.connectExpired()].includes(path))
    expect(textOf(titles.findLast(Boolean) ?? '')).toMatch(/\w/)
})

test.each(['/nothing', '/p/7/nothing', '/p/7/channels/nothing/deeper', '/p/7/tariffs/nothing/deeper'])(
  '%s has none, and says so',
  (path) => {
    const last = matchRoutes(routes, path)?.at(-1)?.route
    expect(last).toMatchObject({ path: '*', handle: { title: 'common:errors.notFound.title' } })
  },
)
