// Access tokens: short-lived JWTs that name a person and a sign-in. A session that has ended makes them worthless.
import { webcrypto } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Services } from '#server/core/context.ts'
import { derivedKey } from '#server/core/secrets.ts'
import type { Settings } from '#server/core/settings.ts'

const algorithm = 'HS256'
const keys = new WeakMap<Settings, Promise<webcrypto.CryptoKey>>()
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
export async function signAccess(
  config: Settings,
  { userId, familyId, issued }: { readonly userId: number; readonly familyId: number; readonly issued: Date },
): Promise<string> {
  const seconds = issued.getTime() / 1000
  return new SignJWT({ sid: familyId })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setSubject(String(userId))
    .setIssuedAt(Math.floor(seconds))
    .setExpirationTime(Math.ceil(seconds + config.accessSeconds))
    .sign(await keyOf(config))
}

/** What an access token says; null when it is forged or too old. Whether its session still lives is another question. */
export async function claimsOf({ config, clock }: Services, token: string): Promise<Claims | null> {
  const checked = known.get(config) ?? new Map<string, Claims>()
  known.set(config, checked)
  let claims = checked.get(token) ?? null
  if (!claims) {
    claims = await verify(config, token)
    if (checked.size >= knownMax) checked.clear()
    if (claims) checked.set(token, claims)
  }
  return claims && claims.ends > Math.floor(clock.now().getTime() / 1000) ? claims : null
}

async function verify(config: Settings, token: string): Promise<Claims | null> {
  try {
    // The end is looked at by the caller, with the service's own clock.
    const currentDate = new Date(0)
    const { payload } = await jwtVerify(token, await keyOf(config), { algorithms: [algorithm], currentDate })
    return { userId: Number(payload.sub), familyId: Number(payload['sid']), ends: Number(payload.exp) }
  } catch {
    return null
  }
}

function keyOf(config: Settings): Promise<webcrypto.CryptoKey> {
  const made = keys.get(config) ?? importKey(config)
  keys.set(config, made)
  return made
}

const importKey = (config: Settings) =>
  webcrypto.subtle.importKey('raw', derivedKey(config.secret, 'access'), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])
