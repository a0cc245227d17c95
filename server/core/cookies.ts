// Cookies of the sign-in pages: HttpOnly, SameSite=Lax, Secure if the page was loaded over HTTPS.
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Cookies of the service: form signature, device of an account, sign-in without `state`, answer of Telegram's widget, browser that
 * needs no second step.
 */
type CookieName = 'rd_form' | 'rd_device' | 'rd_sign_in' | 'rd_telegram' | 'rd_browser'

/** Returns the value of a cookie in a `Cookie` header; null when the header does not have it. */
export function cookieIn(header: string, name: CookieName): string | null {
  const pair = header.split(';').find((one) => one.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1) ?? null
}

/** Sets a cookie. @param seconds lifetime */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, path, seconds }: { name: CookieName; value: string; path: string; seconds: number },
): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`)
}
