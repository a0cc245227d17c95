import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation, useParams } from 'react-router'
import { accessTypes } from '#contract/entities/roles.ts'
import { freshSignIn } from '#src/api/fresh-sign-in.ts'
import { wakeQueriesAfter } from '#src/api/query-client.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { isSamePerson, leaveToHome } from '#src/api/same-person.ts'
import { FirstView } from '#src/api/settled.ts'
import { SessionQueryProvider } from '#src/api/session-query-provider.tsx'
import { UnknownProjectPage } from '#src/app/errors/unknown-project-page.tsx'
import { useRealtime } from '#src/realtime/use-realtime.ts'
import { forgetAbsent, notePartial, useIsPartial } from '#src/stores/absent.ts'
import { selectedProject, visitProject } from '#src/stores/selected-project.ts'
import { useAuth } from '#src/stores/session.ts'
import { PageSkeleton } from '#src/ui/page-skeleton.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { useDocumentTitle } from '#src/lib/use-document-title.ts'
import { Header } from './header.tsx'
import { nameOf } from './project-name.ts'
import { Rail } from './rail.tsx'
import { SessionEnd } from './session-end.tsx'
import styles from './shell.module.css'
import { useLockedProject, useProjects, useProjectsAfterRefusal, useStanding } from './use-projects.ts'
import { useQueryClient } from '@tanstack/react-query'
import { toApiError } from '#src/api/api-error.ts'
import { useStore } from 'zustand'
import { type Air, airStore } from '#src/stores/air.ts'
import { unreadStore } from '#src/stores/unread.ts'
import { paths } from '#src/lib/paths.ts'
import { useOffline } from '#src/lib/use-offline.ts'

const colours: Readonly<Record<Exclude<Air, 'off'>, string>> = {
  on: 'cf2534',
  lost: 'e0a030',
  paused: 'e0a030',
  held: 'e0a030',
  warning: 'e0a030',
  problem: 'e0a030',
}

/**
 * Sets the icon of the browser tab to the on-air state.
 * @returns the prefix of the title: the number of unread important notifications, and the on-air state
 */
function useTabSign(): string {
  const { t } = useTranslation()
  const air = useStore(airStore, ({ air: now }) => now) ?? 'off'
  const important = useStore(unreadStore, ({ important: count }) => count)
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (!link || air === 'off') return undefined
    const plain = link.href
    const dot = `<circle cx='47' cy='47' r='15' fill='#${colours[air]}' stroke='#fff' stroke-width='5'/></svg>`
    link.href = plain.replace('%3C/svg%3E', encodeURIComponent(dot))
    return () => {
      link.href = plain
    }
  }, [air])
  const count = important > 0 ? `(${important}) ` : ''
  return count + (air === 'off' ? '' : `● ${t(`onAir.${air}`)} · `)
}

const isMissing = (error: unknown): boolean => error !== null && toApiError(error).kind === 'missing'

/** Notes that the server of this session lacks operations, as soon as it refuses a read with that reason. */
function usePartialServer(): void {
  const queries = useQueryClient()
  useEffect(() => {
    forgetAbsent()
    const reads = queries.getQueryCache()
    if (reads.getAll().some(({ state }) => isMissing(state.error))) notePartial()
    return reads.subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && isMissing(event.action.error)) notePartial()
    })
  }, [queries])
}

const AbsentPages = lazy(() => import('./absent-pages.tsx'))
const LockedProjectPage = lazy(() => import('#src/app/errors/locked-project-page.tsx'))
const FreshSignIn = lazy(() => import('./fresh-sign-in.tsx'))

/** Layout around every page, with the query cache of the session. */
export function Component() {
  const { session } = apiRuntime()
  useEffect(() => wakeQueriesAfter(session), [session])
  return (
    <SessionQueryProvider session={session} isSamePerson={isSamePerson} leave={leaveToHome}>
      <Frame />
      <SessionEnd />
    </SessionQueryProvider>
  )
}

/** Rail, header, page, and the status bar. */
function Frame() {
  const { t } = useTranslation()
  const { projectId } = useParams()
  const isSignedIn = useAuth(({ status }) => status !== 'unauthenticated' && status !== 'initializing')
  const isLoading = useNavigation().state === 'loading'
  const { project, standing, view, isLocked } = useView(projectId, isSignedIn)
  const isKnown = standing === 'member' || standing === 'unsaid'
  const hasPages = project !== null && !isLocked
  const isPartial = useIsPartial()
  usePartialServer()
  useProjectsAfterRefusal()
  useRealtime(isSignedIn && standing !== 'stranger' && !isLocked ? numberOf(project) : null)
  useArrival('main', 'announcer')

  useEffect(() => {
    const id = Number(projectId)
    if (isKnown && Number.isSafeInteger(id) && id > 0) visitProject(id)
  }, [projectId, isKnown])

  return (
    <div className={styles.shell} data-rail={hasPages || undefined}>
      <WindowTitle instead={titleOf(view)} />
      <a className={styles.skip} href="#main">
        {t('shell.skip')}
      </a>
      <StatusBar />
      <Header projectId={project} isSignedIn={isSignedIn} isLocked={isLocked} />
      {hasPages && <Rail projectId={project} />}
      <main id="main" className={styles.main} tabIndex={-1} aria-busy={isLoading}>
        <SuspendedBar projectId={project} isSignedIn={isSignedIn} />
        <Suspense fallback={<PageSkeleton />}>
          <PageOf view={view} />
          <FirstView />
        </Suspense>
      </main>
      {hasPages && <BottomBar projectId={project} />}
      {isPartial && isSignedIn && numberOf(project) !== null && (
        <Suspense>
          <AbsentPages projectId={Number(project)} />
        </Suspense>
      )}
      <FreshSignInQuestion />
      {/* Announces each new page; see useArrival. */}
      <div id="announcer" className="visually-hidden" role="status" aria-live="polite" />
      <ScrollRestoration />
    </div>
  )
}

/** What the frame shows: the page of the address, or why its project has none. */
type View =
  | { readonly is: 'page' }
  | { readonly is: 'formerProject' | 'unknownProject'; readonly projectId: string }
  | { readonly is: 'locked'; readonly project: NonNullable<ReturnType<typeof useLockedProject>> }

/** The project that the frame leads to, the user's standing in that of the address, and what is shown. */
function useView(projectId: string | undefined, isSignedIn: boolean) {
  const first = useProjects(isSignedIn).data?.results[0]?.project_id ?? null
  const project = projectId ?? (isSignedIn ? (selectedProject() ?? first) : null)
  const standing = useStanding(projectId, isSignedIn)
  const locked = useLockedProject(project, isSignedIn)
  // The project that the user was a member of while its pages were open.
  const [own, setOwn] = useState<string>()
  if (standing === 'member' && own !== projectId) setOwn(projectId)
  const view: View =
    standing === 'stranger' && projectId !== undefined
      ? { is: own === projectId ? 'formerProject' : 'unknownProject', projectId }
      : locked && projectId !== undefined
        ? { is: 'locked', project: locked }
        : { is: 'page' }
  return { project, standing, view, isLocked: locked !== null }
}

/** Title in place of that of the page. */
function titleOf({ is }: View): string | undefined {
  if (is === 'page') return undefined
  return is === 'locked' ? 'projects:locked.title' : `common:errors.${is}.title`
}

function PageOf({ view }: { readonly view: View }) {
  if (view.is === 'page') return <Outlet />
  if (view.is !== 'locked')
    return <UnknownProjectPage projectId={view.projectId} wasMember={view.is === 'formerProject'} />
  const { project_id, project, access_type } = view.project
  const mayLeave = project.type !== 0 || access_type !== accessTypes.owner
  return <LockedProjectPage projectId={project_id} name={nameOf(project)} mayLeave={mayLeave} />
}

// Components that change often and render nothing: the frame does not render with them.

function WindowTitle({ instead }: { readonly instead: string | undefined }) {
  useDocumentTitle(instead, useTabSign())
  return null
}

/** Dialog of a write that needs a fresh sign-in. */
function FreshSignInQuestion() {
  const settle = useStore(freshSignIn, (state) => state.settle)
  return (
    settle && (
      <Suspense>
        <FreshSignIn onEnd={settle} />
      </Suspense>
    )
  )
}

/** A path may contain any text. */
function numberOf(projectId: number | string | null): number | null {
  const id = Number(projectId)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/**
 * Announces a new page to screen readers: reads its title and moves the keyboard focus into the page. Focus that is
 * already in the page, for instance on one of its tabs, stays, and so does focus that the user has moved while the
 * page was loading.
 * @param main id of the page's main landmark
 * @param announcer id of a live region
 */
function useArrival(main: string, announcer: string): void {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  const isOnItsWay = useNavigation().state !== 'idle'
  /** Focused element at the start of the navigation. */
  const asked = useRef<Element>(null)
  useEffect(() => {
    if (isOnItsWay) {
      asked.current ??= document.activeElement
      return
    }
    const hasMoved =
      asked.current !== null && ![asked.current, document.body].includes(document.activeElement ?? document.body)
    asked.current = null
    if (before.current === pathname) return
    before.current = pathname
    const page = document.querySelector<HTMLElement>(`#${main}`)
    const region = document.querySelector(`#${announcer}`)
    if (page && !hasMoved && !page.contains(document.activeElement)) page.focus({ preventScroll: true })
    if (region) region.textContent = document.title
  }, [pathname, isOnItsWay, main, announcer])
}

/** Says that an operator has suspended the project, and why. */
function SuspendedBar({
  projectId,
  isSignedIn,
}: {
  readonly projectId: string | number | null
  readonly isSignedIn: boolean
}) {
  const { t } = useTranslation()
  const { data } = useProjects(isSignedIn)
  const reason = data?.results.find((row) => String(row.project_id) === String(projectId))?.suspended
  if (typeof reason !== 'string') return null
  return (
    <div className={styles.bar} role="status">
      {t('suspended', { reason })}
    </div>
  )
}

/** Bar shown only during a connection problem: the reason, the next retry and a remedy. */
function StatusBar() {
  const { t } = useTranslation()
  const { status, retryAt, isRetryHeld, retry } = useAuth()
  const isOffline = useOffline()
  const { pathname, search } = useLocation()
  const seconds = useCountdown(status === 'degraded' ? retryAt : null)
  if (status !== 'degraded' && !isOffline) return null
  return (
    <div className={styles.bar} role="status">
      <span>
        {isOffline ? t('connection.offline') : t('connection.degraded')}
        {/* A screen reader announces the sentence once, not every second. */}
        {seconds !== null && !isOffline && (
          <span aria-hidden className="tabular">
            {' '}
            {t('connection.retryIn', { count: seconds })}
          </span>
        )}
      </span>
      {status === 'degraded' && (
        <>
          {!isRetryHeld && (
            <button type="button" className={styles.retry} onClick={() => void retry()}>
              {t('connection.retry')}
            </button>
          )}
          <Link className={styles.link} to={paths.signIn(pathname + search)}>
            {t('connection.signIn')}
          </Link>
        </>
      )}
    </div>
  )
}

/** Whole seconds until a point in time (milliseconds since 1970); null when there is none ahead. */
function useCountdown(until: number | null): number | null {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (until === null) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [until])
  return until === null || until <= now ? null : Math.ceil((until - now) / 1000)
}
