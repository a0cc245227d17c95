// Binds a sign-in to the browser that began where the client gives no `state`: a cookie, and its hash as the state.
import { cookieIn } from '#server/core/cookies.ts'
import { hashOf, randomToken, sameText } from '#server/core/secrets.ts'

const mark = 'browser.'
/** Equals the lifetime of a sign-in. */
export const browserSeconds = 15 * 60

/** Returns a state for the browser with this `Cookie` header, and the value of its cookie `rd_sign_in`, old or new. */
export function browserState(header: string): { readonly state: string; readonly value: string } {
  const known = cookieIn(header, 'rd_sign_in') ?? ''
  const value = /^[\w-]{43}$/.test(known) ? known : randomToken()
  return { state: `${mark}${hashOf(value)}`, value }
}

/**
 * Returns the state that a client gave, empty if it gave none.
 * @returns null for the state of another browser, or without a state
 */
export function clientState(state: string, header: string): string | null {
  if (!state.startsWith(mark)) return state === '' ? null : state
  const value = cookieIn(header, 'rd_sign_in')
  return value !== null && sameText(state, `${mark}${hashOf(value)}`) ? '' : null
}
