import { Suspense } from 'react'
import { Outlet, useParams } from 'react-router'
import { apiRuntime } from '#src/api/runtime.ts'
import { isSamePerson, leaveToHome } from '#src/api/same-person.ts'
import { SessionQueryProvider } from '#src/api/session-query-provider.tsx'
import { FirstView } from '#src/api/settled.ts'
import { useDocumentTitle } from '#src/lib/use-document-title.ts'
import { useRealtime } from '#src/realtime/use-realtime.ts'
import { PageSkeleton } from '#src/ui/page-skeleton.tsx'
import { SessionEnd } from './session-end.tsx'

/** A page without navigation, in a window of its own. */
export function Component() {
  const { session } = apiRuntime()
  return (
    <SessionQueryProvider session={session} isSamePerson={isSamePerson} leave={leaveToHome}>
      <Frame />
      <SessionEnd />
    </SessionQueryProvider>
  )
}

function Frame() {
  const id = Number(useParams()['projectId'])
  useDocumentTitle()
  useRealtime(Number.isSafeInteger(id) && id > 0 ? id : null)
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Outlet />
      <FirstView />
    </Suspense>
  )
}
