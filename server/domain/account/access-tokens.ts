// Access tokens: short-lived JWTs that name a person and a sign-in. A session that has ended makes them worthless.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { Services } from '#server/core/context.ts'
import { derivedKey } from '#server/core/secrets.ts'
import type { Settings } from '#server/core/settings.ts'

const algorithm = 'HS256'
const keys = new WeakMap<Settings, KeyObject>()
/** Signatures that were checked: the same token comes with every call. */
const known = new WeakMap<Settings, Map<string, Claims>>()
const knownMax = 10_000

interface Claims {
  readonly userId: number
  readonly familyId: number
  /** Second in which the token ends. */
  readonly ends: number
}

/**
 * Signs an access token. The same arguments give the same token.
 * Its life is rounded up to whole seconds, never down: a life of one second is at least that.
 */
export function signAccess(
  config: Settings,
  { userId, familyId, issued }: { readonly userId: number; readonly familyId: number; readonly issued: Date },
): string {
  const seconds = issued.getTime() / 1000
  const claims = {
    sid: familyId,
    sub: String(userId),
    iat: Math.floor(seconds),
    exp: Math.ceil(seconds + config.accessSeconds),
  }
  // Signed here, because the way through Web Crypto takes longer than all the rest of a refresh; verified by jose.
  const content = `${header}.${encoded(claims)}`
  return `${content}.${createHmac('sha256', keyOf(config)).update(content).digest('base64url')}`
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encoded({ alg: algorithm, typ: 'JWT' })

/**
 * What an access token says; null when it is forged or too old. Whether its session still lives is another question.
 * At once for a token that was checked before, which nearly all are.
 */
export function claimsOf({ config, clock }: Services, token: string): Claims | null | Promise<Claims | null> {
  const second = Math.floor(clock.now().getTime() / 1000)
  const alive = (claims: Claims | null) => (claims && claims.ends > second ? claims : null)
  const claims = known.get(config)?.get(token)
  return claims ? alive(claims) : verify(config, token).then(alive)
}

async function verify(config: Settings, token: string): Promise<Claims | null> {
  try {
    // The end is looked at by the caller, with the service's own clock.
    const currentDate = new Date(0)
    const { payload } = await jwtVerify(token, keyOf(config), { algorithms: [algorithm], currentDate })
    return keep(config, token, {
      userId: Number(payload.sub),
      familyId: Number(payload['sid']),
      ends: Number(payload.exp),
    })
  } catch {
    return null
  }
}

function keep(config: Settings, token: string, claims: Claims): Claims {
  const checked = known.get(config) ?? new Map<string, Claims>()
  if (checked.size >= knownMax) checked.clear()
  known.set(config, checked.set(token, claims))
  return claims
}

function keyOf(config: Settings): KeyObject {
  const made = keys.get(config) ?? createSecretKey(derivedKey(config.secret, 'access'))
  keys.set(config, made)
  return made
}
