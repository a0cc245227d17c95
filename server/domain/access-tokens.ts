// Access tokens: short-lived JWTs that name a person and a sign-in. A session that has ended makes them worthless.
import { webcrypto } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { derivedKey } from '#server/core/secrets.ts'
import type { Settings } from '#server/core/settings.ts'
import { type Param, prepared } from '#server/db/prepared.ts'

const algorithm = 'HS256'
const keys = new WeakMap<Settings, Promise<webcrypto.CryptoKey>>()
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

/** Whom an access token belongs to; null when it is forged, too old, or its session has ended. */
export async function authenticate(services: Services, token: string): Promise<User | null> {
  const claims = await claimsOf(services, token)
  if (!claims) return null
  const [family] = await findLiving(services.db, { id: claims.familyId, now: iso(services.clock.now()) })
  return family ? { id: claims.userId, sessionId: claims.familyId } : null
}

const findLiving = prepared((db, param: Param<{ id: number; now: string }>) =>
  db
    .selectFrom('token_families')
    .select('id')
    .where('id', '=', param('id'))
    .where('date_revoke', 'is', null)
    .where('date_max', '>', param('now')),
)

/** Signatures that were checked: the same token comes with every call. */
const known = new WeakMap<Settings, Map<string, Claims>>()

async function claimsOf({ config, clock }: Services, token: string): Promise<Claims | null> {
  const checked = known.get(config) ?? new Map<string, Claims>()
  known.set(config, checked)
  const claims = checked.get(token) ?? (await verify(config, token))
  if (!claims || claims.ends <= Math.floor(clock.now().getTime() / 1000)) return null
  if (checked.size >= knownMax) checked.clear()
  checked.set(token, claims)
  return claims
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
