import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, ScrollRestoration, useNavigation, useParams } from 'react-router'
import { wakeQueriesAfter } from '#src/api/query-client.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { isSamePerson } from '#src/api/same-person.ts'
import { FirstView } from '#src/api/settled.ts'
import { SessionQueryProvider } from '#src/api/session-query-provider.tsx'
import { UnknownProjectPage } from '#src/app/errors/unknown-project-page.tsx'
import { useRealtime } from '#src/realtime/use-realtime.ts'
import { useIsPartial } from '#src/stores/absent.ts'
import { selectedProject, visitProject } from '#src/stores/selected-project.ts'
import { useAuth } from '#src/stores/session.ts'
import { PageSkeleton } from '#src/ui/page-skeleton.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { useDocumentTitle } from '#src/lib/use-document-title.ts'
import { Header } from './header.tsx'
import { Rail } from './rail.tsx'
import { SessionEnd } from './session-end.tsx'
import styles from './shell.module.css'
import { StatusBar } from './status-bar.tsx'
import { useArrival } from './use-arrival.ts'
import { useTabSign } from './use-tab-sign.ts'
import { usePartialServer } from './use-partial-server.ts'
import { useProjectsAfterRefusal, useStanding } from './use-projects.ts'

const AbsentPages = lazy(() => import('./absent-pages.tsx'))

/** Layout around every page, with the query cache of the session. */
export function Component() {
  const { session } = apiRuntime()
  useEffect(() => wakeQueriesAfter(session), [session])
  return (
    <SessionQueryProvider session={session} isSamePerson={isSamePerson}>
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
  const project = projectId ?? (isSignedIn ? selectedProject() : null)
  const standing = useStanding(projectId, isSignedIn)
  const isUnknown = standing === 'stranger'
  // The project that the user was a member of while its pages were open.
  const [own, setOwn] = useState<string>()
  if (standing === 'member' && own !== projectId) setOwn(projectId)
  const wasMember = own === projectId
  const isPartial = useIsPartial()
  usePartialServer()
  useProjectsAfterRefusal()
  useRealtime(isSignedIn && !isUnknown ? numberOf(project) : null)
  useArrival('main', 'announcer')

  useEffect(() => {
    const id = Number(projectId)
    if (!isUnknown && Number.isSafeInteger(id) && id > 0) visitProject(id)
  }, [projectId, isUnknown])

  return (
    <div className={styles.shell} data-rail={project !== null || undefined}>
      <WindowTitle
        instead={isUnknown ? `common:errors.${wasMember ? 'formerProject' : 'unknownProject'}.title` : undefined}
      />
      <a className={styles.skip} href="#main">
        {t('shell.skip')}
      </a>
      <StatusBar />
      <Header projectId={project} isSignedIn={isSignedIn} />
      {project !== null && <Rail projectId={project} />}
      <main id="main" className={styles.main} tabIndex={-1} aria-busy={isLoading}>
        <Suspense fallback={<PageSkeleton />}>
          {isUnknown && projectId !== undefined ? (
            <UnknownProjectPage projectId={projectId} wasMember={wasMember} />
          ) : (
            <Outlet />
          )}
          <FirstView />
        </Suspense>
      </main>
      {project !== null && <BottomBar projectId={project} />}
      {isPartial && isSignedIn && numberOf(project) !== null && (
        <Suspense>
          <AbsentPages projectId={Number(project)} />
        </Suspense>
      )}
      {/* Announces each new page; see useArrival. */}
      <div id="announcer" className="visually-hidden" role="status" aria-live="polite" />
      <ScrollRestoration />
    </div>
  )
}

// Components that change often and render nothing: the frame does not render with them.

function WindowTitle({ instead }: { readonly instead: string | undefined }) {
  useDocumentTitle(instead, useTabSign())
  return null
}

/** A path may contain any text. */
function numberOf(projectId: number | string | null): number | null {
  const id = Number(projectId)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}
