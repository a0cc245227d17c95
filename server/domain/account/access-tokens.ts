// Access tokens: short-lived JWTs that name a user and a session. The end of the session makes them invalid.
import type { Services } from '#server/core/context.ts'
import { type Jwt, jwtOf, type SignedClaims } from '#server/core/jwt.ts'
import { derivedKey } from '#server/core/secrets.ts'
import type { Settings } from '#server/core/settings.ts'
import { env, settings, whole } from '#server/core/variables.ts'

export const accessSettings = settings({
  accessSeconds: env('ACCESS_TTL', whole(1, 86_400), '600', 'Lifetime of an access token, seconds'),
})

const jwts = new WeakMap<Settings, Jwt>()

interface Claims {
  readonly userId: number
  readonly familyId: number
}

/**
 * Signs an access token. The same arguments give the same token.
 * Its lifetime is rounded up to whole seconds.
 */
export function signAccess(
  config: Settings,
  { userId, familyId, issued }: { readonly userId: number; readonly familyId: number; readonly issued: Date },
): string {
  const seconds = issued.getTime() / 1000
  const claims: SignedClaims & { readonly sid: number } = {
    sid: familyId,
    sub: String(userId),
    iat: Math.floor(seconds),
    exp: Math.ceil(seconds + config.accessSeconds),
  }
  return jwtFor(config).sign(claims)
}

/** Reads an access token. @returns null when it is forged or expired; the session may have ended all the same */
export function claimsOf({ config, clock }: Pick<Services, 'config' | 'clock'>, token: string): Claims | null {
  const claims = jwtFor(config).verify(token)
  const isAlive = claims !== null && Number(claims['exp']) > Math.floor(clock.now().getTime() / 1000)
  return isAlive ? { userId: Number(claims['sub']), familyId: Number(claims['sid']) } : null
}

function jwtFor(config: Settings): Jwt {
  const made = jwts.get(config) ?? jwtOf(derivedKey(config.secret, 'access'))
  jwts.set(config, made)
  return made
}
