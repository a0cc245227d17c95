import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { apiRuntime } from '#src/api/runtime.ts'
import { unsubscribe } from '#src/areas/notifications/push.ts'
import { paths } from '#src/lib/paths.ts'
import { forgetProjects } from '#src/stores/selected-project.ts'
import { hasUnsaved } from '#src/stores/unsaved.ts'

const SignInDialog = lazy(() => import('#src/app/sign-in/sign-in-dialog.tsx'))

/** Pages that work without a session. */
const isPublic = (path: string) => /^\/(reference|help|dock)(\/|$)/.test(path)

/**
 * Handles the end of a session: over unsaved input sign-in opens as a dialog, otherwise the sign-in page opens and
 * returns here afterwards.
 */
export function SessionEnd() {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { session } = apiRuntime()

  useEffect(
    () =>
      session.onAuthStateChange((event) => {
        if (event.type === 'signed_in' || event.type === 'session_changed') setDialogOpen(false)
        if (event.type !== 'signed_out') return
        if (event.reason === 'user') {
          forgetProjects()
          // The next user of this browser must not see notifications of this one.
          void unsubscribe()
        }
        if (isPublic(pathname)) return
        if (event.reason === 'expired' && hasUnsaved()) setDialogOpen(true)
        else
          void navigate(
            event.reason === 'user'
              ? paths.signIn()
              : paths.signIn(pathname + search, { ended: event.reason === 'expired' }),
          )
      }),
    [session, navigate, pathname, search],
  )

  if (!isDialogOpen) return null
  return (
    <Suspense>
      <SignInDialog onClose={() => setDialogOpen(false)} />
    </Suspense>
  )
}
