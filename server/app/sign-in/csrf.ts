// CSRF protection of forms: a cookie, and its signature in the form.
import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieIn, setCookie } from '#server/core/cookies.ts'
import { derivedKey, randomToken, sameText } from '#server/core/secrets.ts'

/** Signs the cookie of a browser, and gives it one when it has none. */
export function formToken(request: FastifyRequest, reply: FastifyReply, secret: Uint8Array): string {
  const value = cookieOf(request) ?? randomToken()
  setCookie(request, reply, { name: 'rd_form', value, path: '/auth/local', seconds: 86_400 })
  return sign(value, secret)
}

/** Does a posted form belong to a page that this browser was given? */
export function isOwnForm(request: FastifyRequest, token: string, secret: Uint8Array): boolean {
  const site = request.headers['sec-fetch-site']
  const value = cookieOf(request)
  return value !== null && (site === undefined || site === 'same-origin') && sameText(token, sign(value, secret))
}

const sign = (value: string, secret: Uint8Array): string =>
  createHmac('sha256', derivedKey(secret, 'form')).update(value).digest('base64url')

function cookieOf(request: FastifyRequest): string | null {
  const value = cookieIn(request.headers.cookie ?? '', 'rd_form')
  return value !== null && /^[\w-]{43}$/.test(value) ? value : null
}
