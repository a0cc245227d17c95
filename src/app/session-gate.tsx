import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { DataRouter } from 'react-router'
import { SessionQueryProvider } from '#src/api/session-query-provider.tsx'
import { apiRuntime } from '#src/api/runtime.ts'
import { paths } from '#src/lib/paths.ts'
import { forgetProjects } from '#src/stores/selected-project.ts'
import { hasUnsaved } from '#src/stores/unsaved.ts'

const SignInDialog = lazy(() => import('./sign-in/sign-in-dialog.tsx'))

/** Pages that work without a session. */
const isPublic = (path: string) => /^\/(sign-in|auth|reference|help)(\/|$)/.test(path)

/**
 * Gives the pages the cache of their session, and decides what the end of a session looks like: over unsaved input
 * sign-in opens as a dialog, otherwise the sign-in page comes, and leads back.
 */
export function SessionGate({ router, children }: { router: DataRouter; children: ReactNode }) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const { session } = apiRuntime()

  useEffect(
    () =>
      session.onAuthStateChange((event) => {
        if (event.type === 'signed_in' || event.type === 'session_changed') setDialogOpen(false)
        if (event.type !== 'signed_out') return
        const { pathname, search } = router.state.location
        if (event.reason === 'user') forgetProjects()
        if (isPublic(pathname)) return
        if (event.reason === 'expired' && hasUnsaved()) setDialogOpen(true)
        else void router.navigate(event.reason === 'user' ? paths.signIn() : paths.signIn(pathname + search))
      }),
    [session, router],
  )

  return (
    <SessionQueryProvider session={session}>
      {children}
      {isDialogOpen && (
        <Suspense>
          <SignInDialog onClose={() => setDialogOpen(false)} />
        </Suspense>
      )}
    </SessionQueryProvider>
  )
}
