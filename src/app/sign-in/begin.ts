// State of a sign-in, stored while the browser is at the service and returns with a code.
import { safeReturnTo } from '#src/session/return-to.ts'
import { randomId } from '#src/session/wire.ts'

const key = 'relaydeck.sign-in'

/** Window for sign-in over a page with unsaved input; it closes itself. */
export const popupName = 'relaydeck-sign-in'

/**
 * Stores the state that the returning browser is checked against. Call before opening a window, which gets a copy of
 * it.
 * @throws DOMException `SecurityError` when the browser blocks site data
 * @param returnTo path of this dashboard
 * @returns the random value that the service sends back
 */
export function noteSignIn(returnTo: string): string {
  const state = `${randomId()}${randomId()}`
  sessionStorage.setItem(key, JSON.stringify({ state, returnTo }))
  return state
}

/**
 * Takes the stored state of this window's sign-in, once. Null without one, or when the response belongs to another
 * sign-in.
 * @throws DOMException as `noteSignIn`
 */
export function endSignIn(state: string | null): { state: string; returnTo: string } | null {
  const noted = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (!noted || !state) return null
  const known = JSON.parse(noted) as { state: string; returnTo: string }
  return known.state === state ? { state, returnTo: safeReturnTo(known.returnTo) } : null
}
