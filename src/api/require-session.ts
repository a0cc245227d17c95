// Route middleware for pages that need a session and pages that need none.
import { createContext, redirect, type MiddlewareFunction } from 'react-router'
import { safeReturnTo } from '#src/session/return-to.ts'
import type { AuthSession, AuthSnapshot } from '#src/session/types.ts'
import { apiRuntime } from './runtime.ts'

/** The snapshot that `requireSession` let through, for loaders: `context.get(sessionContext)`. */
export const sessionContext = createContext<AuthSnapshot | null>(null)

/**
 * Admits signed-in users, also while their session is being renewed or cannot be; redirects the others to sign-in, and
 * from there back.
 * @param session the session to check; default the configured one, so that it may change while the routes stay
 * @example { path: 'p/:projectId', middleware: [requireSession()], children }
 */
export function requireSession(
  session: () => AuthSession = () => apiRuntime().session,
  { signInPath = '/sign-in' }: { signInPath?: string } = {},
): MiddlewareFunction {
  return async ({ request, context }) => {
    const snapshot = await session().initialize()
    if (snapshot.status === 'unauthenticated') {
      const { pathname, search } = new URL(request.url)
      const why = snapshot.reason === 'expired' ? { ended: '1' } : {}
      throw redirect(`${signInPath}?${new URLSearchParams({ returnTo: pathname + search, ...why })}`)
    }
    context.set(sessionContext, snapshot)
  }
}

/**
 * For the sign-in page: redirects a signed-in user to the requested page. Not while the session cannot be renewed:
 * then signing in again is the user's only option.
 */
export function redirectIfAuthenticated(
  session: () => AuthSession = () => apiRuntime().session,
  { fallback = '/' }: { fallback?: string } = {},
): MiddlewareFunction {
  return async ({ request }) => {
    const snapshot = await session().initialize()
    if (snapshot.status !== 'unauthenticated' && snapshot.status !== 'degraded')
      throw redirect(safeReturnTo(new URL(request.url).searchParams.get('returnTo'), fallback))
  }
}
