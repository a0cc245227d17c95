// Cookie of a browser on which an account has signed in (`known-devices.ts`).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieIn, setCookie } from '#server/core/cookies.ts'
import type { Settings } from '#server/core/settings.ts'
import { knownDevice, rememberedDevice } from '#server/domain/account/known-devices.ts'

/** Longest lifetime that browsers grant. */
const seconds = 400 * 86_400

const valueOf = ({ headers }: FastifyRequest): string | null => cookieIn(headers.cookie ?? '', 'rd_device')

/** Returns the id of the caller's device; null when the account of this e-mail has not signed in on it. */
export const deviceIn = ({ secret }: Pick<Settings, 'secret'>, request: FastifyRequest, email: string): string | null =>
  knownDevice(secret, valueOf(request), email)

/** Marks the browser as a device of the account, after a sign-in. */
export function rememberDevice(
  { secret }: Pick<Settings, 'secret'>,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): void {
  const value = rememberedDevice(secret, valueOf(request), email)
  setCookie(request, reply, { name: 'rd_device', value, path: '/auth/local', seconds })
}
