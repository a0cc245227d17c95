// Places that the command palette opens: each page of the table of routes, and single settings of pages.
import type { RouteObject } from 'react-router'
import { panels } from '#src/areas/chat/chat-view.ts'
import { paths, plansTabs } from '#src/lib/paths.ts'
import { navigation } from './navigation.ts'

type ProjectId = number | string

/** A place. @example { title: 'channels:add.title', group: 'nav.channels', to: (id) => `/p/${id}/channels/add` } */
export interface Place {
  /** Key of its name, with the namespace. */
  readonly title: string
  /** Key of the page that it belongs to, in the common texts. */
  readonly group: string
  readonly to: (projectId: ProjectId) => string
  /** Shown only where plans do not apply. */
  readonly isWithoutPlans?: true
}

const own = ':projectId'

/** Pages that lie under no entry of the navigation. */
const others: readonly (readonly [path: string, group: string])[] = [
  [paths.notifications(own), 'nav.notifications'],
  [paths.account(), 'palette.account'],
  [paths.blog(), 'nav.help'],
]

const isBelow = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`)

/** Returns the group of an address; null: the navigation has the page itself, or a table of its own lists it. */
function groupOf(path: string): string | null {
  if (path === paths.notifications(own)) return 'palette.pages'
  const other = others.find(([top]) => isBelow(path, top))
  if (other) return other[1]
  // Every page of a project lies below Home.
  const entry = navigation.find(
    ({ key, to, also }) => key !== 'home' && [to(own), also?.(own) ?? to(own)].some((top) => isBelow(path, top)),
  )
  return !entry || entry.needs || path === entry.to(own) ? null : `nav.${entry.key}`
}

/** Returns the pages of a table of routes that need no other number than that of the project. */
function pagesOf(routes: readonly RouteObject[], base = ''): Place[] {
  return routes.flatMap(({ path = '', handle, children }) => {
    const address = path.startsWith('/') ? path : [base, path].filter(Boolean).join('/')
    const full = address.startsWith('/') ? address : `/${address}`
    if (children) return pagesOf(children, full)
    const title = (handle as { readonly title?: string } | undefined)?.title
    const group = groupOf(full)
    const isOne = /[*]|:/.test(full.replace(own, ''))
    if (title === undefined || group === null || isOne) return []
    return [{ title, group, to: (projectId: ProjectId) => full.replace(own, String(projectId)) }]
  })
}

const account = 'palette.account'

/** Settings of pages, by the titles that they have there. */
const settings: readonly Place[] = [
  { title: 'ingest:settings.record', group: 'nav.ingest', to: (id) => paths.ingest(id) },
  { title: 'ingest:settings.wait', group: 'nav.ingest', to: (id) => paths.ingest(id) },
  { title: 'ingest:server.title', group: 'nav.ingest', to: (id) => paths.ingest(id) },
  { title: 'ingest:rotate.button', group: 'nav.ingest', to: (id) => paths.ingest(id) },
  { title: 'ingest:guide.title', group: 'nav.ingest', to: (id) => paths.ingest(id) },
  { title: 'ingest:pull.create', group: 'nav.ingest', to: (id) => paths.ingest(id, 'pull') },
  { title: 'media:upload.title', group: 'nav.media', to: paths.media },
  { title: 'media:slates.title', group: 'nav.media', to: paths.media },
  ...panels.map((panel) => ({
    title: `chat:side.${panel}`,
    group: 'nav.chat',
    to: (id: ProjectId) => `${paths.chat(id)}?${new URLSearchParams({ panel })}`,
  })),
  { title: 'projects:invite.title', group: 'nav.project', to: (id) => paths.project(id, 'members') },
  { title: 'projects:leave.title', group: 'nav.project', to: (id) => paths.project(id, 'members') },
  { title: 'projects:rename.title', group: 'nav.project', to: (id) => paths.project(id) },
  { title: 'projects:factor.demand', group: 'nav.project', to: (id) => paths.project(id) },
  { title: 'projects:limits.title', group: 'nav.project', to: (id) => paths.project(id), isWithoutPlans: true },
  {
    title: 'notifications:telegram.title',
    group: 'nav.notifications',
    to: (id) => paths.notifications(id, 'settings'),
  },
  { title: 'notifications:push.title', group: 'nav.notifications', to: (id) => paths.notifications(id, 'settings') },
  { title: 'notifications:quiet.title', group: 'nav.notifications', to: (id) => paths.notifications(id, 'settings') },
  { title: 'account:language.title', group: account, to: () => paths.account() },
  { title: 'account:password.title', group: account, to: () => paths.account('socials') },
  { title: 'account:email.title', group: account, to: () => paths.account('socials') },
  { title: 'account:socials.title', group: account, to: () => paths.account('socials') },
  { title: 'account:security.app.title', group: account, to: () => paths.account('security') },
  { title: 'account:security.passkeys.title', group: account, to: () => paths.account('security') },
  { title: 'account:security.codes.title', group: account, to: () => paths.account('security') },
  { title: 'account:security.browsers.title', group: account, to: () => paths.account('security') },
  { title: 'account:tokens.create', group: account, to: () => paths.account('tokens') },
  { title: 'apps:connected.title', group: account, to: () => paths.account('apps') },
  { title: 'apps:own.title', group: account, to: () => paths.account('apps') },
]

/** Returns all places. @param routes table of the pages inside the frame */
export const listPlaces = (routes: readonly RouteObject[]): readonly Place[] => [
  ...pagesOf(routes),
  ...plansTabs.map(({ key, to }) => ({ title: `common:plansTab.${key}`, group: 'nav.plans', to }) as const),
  ...settings,
]
