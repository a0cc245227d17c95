// All routes of the dashboard, joined from the areas.
// Modules shared by sign-in and the pages, bundled into the entry file.
import '#src/lib/use-document-title.ts'
import '#src/lib/use-language.ts'
import '#src/ui/logo.tsx'
import { createBrowserRouter, redirect, type RouteObject } from 'react-router'
import { redirectIfAuthenticated, requireSession } from '#src/api/require-session.ts'
import { routes as accountRoutes } from '#src/areas/account/account.routes.tsx'
import { routes as billingRoutes } from '#src/areas/billing/billing.routes.tsx'
import { routes as broadcastsRoutes } from '#src/areas/broadcasts/broadcasts.routes.tsx'
import { routes as channelsRoutes } from '#src/areas/channels/channels.routes.tsx'
import { routes as chatRoutes, windowRoutes } from '#src/areas/chat/chat.routes.tsx'
import { routes as helpRoutes } from '#src/areas/help/help.routes.tsx'
import { routes as ingestRoutes } from '#src/areas/ingest/ingest.routes.tsx'
import { routes as notificationsRoutes } from '#src/areas/notifications/notifications.routes.tsx'
import { routes as operatorRoutes } from '#src/areas/operator/operator.routes.tsx'
import { routes as projectsRoutes } from '#src/areas/projects/projects.routes.tsx'
import { routes as tariffsRoutes } from '#src/areas/tariffs/tariffs.routes.tsx'
import { paths } from '#src/lib/paths.ts'
import { selectedProject } from '#src/stores/selected-project.ts'
import { pages } from './pages.gen.ts'
import { NotFoundPage } from './errors/not-found-page.tsx'
import { RouteError } from './errors/route-error.tsx'

/** Pages that declare their own `pagePath`, with their `handle` and `Component`. @param isOfProject those of a project, or all others */
function pagesWhere(isOfProject: boolean): RouteObject[] {
  const entries = Object.entries(pages).filter(([path]) => path.startsWith('/p/:projectId/') === isOfProject)
  return entries.map(([path, lazy]) => ({ path, lazy }))
}

/** The routes below `/p/:projectId`. */
const inProject: RouteObject[] = [
  { index: true, handle: { title: 'common:nav.home' }, lazy: () => import('./home/home-page.tsx') },
  ...tariffsRoutes,
  ...billingRoutes,
  ...projectsRoutes,
  ...channelsRoutes,
  ...broadcastsRoutes,
  ...pagesWhere(true),
  ...ingestRoutes,
  ...notificationsRoutes,
  ...chatRoutes,
  { path: '*', handle: { title: 'common:errors.notFound.title' }, Component: NotFoundPage },
]

/** The routes of pages with header and navigation. The command palette lists them. */
export const inFrame: RouteObject[] = [
  { path: 'p/:projectId', middleware: [requireSession()], loader: checkProject, children: inProject },
  { middleware: [requireSession()], loader: () => null, children: [...accountRoutes, ...operatorRoutes] },
  ...helpRoutes,
  ...pagesWhere(false),
  { path: '*', handle: { title: 'common:errors.notFound.title' }, Component: NotFoundPage },
]

/** The kit, in development and in the build that its tests make (`vite build --mode kit`). */
const inDevelopment: RouteObject[] =
  import.meta.env.DEV || import.meta.env.MODE === 'kit'
    ? [{ path: 'dev/kit', lazy: () => import('./dev/kit-page.tsx') }]
    : []

export const routes: RouteObject[] = [
  {
    path: '/',
    ErrorBoundary: RouteError,
    HydrateFallback: () => null,
    children: [
      { index: true, middleware: [requireSession()], loader: toProject },
      {
        path: 'sign-in',
        handle: { title: 'sign-in:title' },
        middleware: [redirectIfAuthenticated()],
        loader: () => null,
        lazy: async () => ({ Component: (await import('./sign-in/sign-in-page.tsx')).SignInPage }),
      },
      {
        path: 'invite',
        handle: { title: 'sign-in:invitation.title' },
        lazy: () => import('./sign-in/invite-page.tsx'),
      },
      {
        path: 'channel-invite',
        handle: { title: 'sharing:link.title' },
        lazy: () => import('./sign-in/channel-invite-page.tsx'),
      },
      {
        path: 'auth/callback',
        handle: { title: 'sign-in:title' },
        lazy: () => import('./sign-in/callback-page.tsx'),
      },
      { path: 'connect/expired', middleware: [requireSession()], loader: toAccounts },
      ...inDevelopment,
      { lazy: () => import('./shell/window.tsx'), children: windowRoutes },
      {
        lazy: () => import('./shell/shell.tsx'),
        children: [
          // An error in a page keeps the navigation.
          { ErrorBoundary: RouteError, children: inFrame },
        ],
      },
    ],
  },
]

export const createRouter = () => createBrowserRouter(routes)

/** Redirects `/` to the last visited project, else to the user's first one. */
async function toProject({ request }: { request: Request }) {
  const project = await ownProject(request)
  return redirect(project === null ? paths.account() : paths.home(project))
}

/** Redirects to the connected accounts, which name the reason why none was added: no ticket has this name. */
async function toAccounts({ request }: { request: Request }) {
  const project = await ownProject(request)
  return redirect(
    project === null ? paths.account() : `${paths.channels(project, 'accounts')}#connect=expired-connection`,
  )
}

async function ownProject(request: Request): Promise<number | null> {
  const known = selectedProject()
  if (known !== null) return known
  const [{ call }, { projects }] = await Promise.all([
    import('#src/api/call.ts'),
    import('#contract/areas/projects/projects.ts'),
  ])
  const { results } = await call(projects.list, { limit: 1 }, { signal: request.signal })
  return results[0]?.project_id ?? null
}

/** A project is named by its number; anything else is an unknown page. */
function checkProject({ params }: { params: { projectId?: string } }) {
  if (!/^[1-9]\d{0,15}$/.test(params.projectId ?? '')) throw new Response(null, { status: 404 })
  return null
}
