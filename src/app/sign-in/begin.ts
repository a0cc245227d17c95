// Sign-in leaves the dashboard and comes back with a code. What has to survive that is kept here.
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

/** What was noted when sign-in began in this window, once. Null when nothing was, or it is somebody else's answer. */
export function endSignIn(state: string | null): { state: string; returnTo: string } | null {
  const noted = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (!noted || !state) return null
  const known = JSON.parse(noted) as { state: string; returnTo: string }
  return known.state === state ? { state, returnTo: safeReturnTo(known.returnTo) } : null
}
