// Sign-in leaves the dashboard and comes back with a code. What has to survive that is kept here.
import { auth, type Provider } from '#contract/areas/account/auth.ts'
import type * as z from 'zod/mini'
import { call } from '#src/api/call.ts'
import { paths } from '#src/lib/paths.ts'
import { safeReturnTo } from '#src/session/return-to.ts'
import { randomId } from '#src/session/wire.ts'

const key = 'relaydeck.sign-in'

/** The window that signs in over a page which must not be lost; it closes itself. */
export const popupName = 'relaydeck-sign-in'

/**
 * Notes what this browser has to recognise when it comes back. Before a window is opened, which gets a copy of it.
 * @param returnTo path of this dashboard
 * @returns the random value that the service will give back
 */
export function noteSignIn(returnTo: string): string {
  const state = `${randomId()}${randomId()}`
  sessionStorage.setItem(key, JSON.stringify({ state, returnTo }))
  return state
}

/** Asks the service where to sign in. */
export async function signInUrl(
  provider: z.output<typeof Provider>,
  state: string,
  invitation?: string,
): Promise<string> {
  const redirect = location.origin + paths.callback()
  const { url } = await call(auth.redirectUrl, { provider, state, redirect, refId: invitation })
  return url
}

/** What was noted when sign-in began in this window, once. Null when nothing was, or it is somebody else's answer. */
export function endSignIn(state: string | null): { state: string; returnTo: string } | null {
  const noted = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (!noted || !state) return null
  const known = JSON.parse(noted) as { state: string; returnTo: string }
  return known.state === state ? { state, returnTo: safeReturnTo(known.returnTo) } : null
}
