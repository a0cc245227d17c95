// Addresses of a user: browsers with web push, and a linked chat of Telegram.
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { iso, later } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { UnauthorizedError } from '#server/core/errors.ts'
import { isPublicAddress } from '#server/core/public-address.ts'
import { derivedKey, hashOf, seal, tryUnseal } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { lockLiving } from '#server/domain/account/families.ts'
import { insertLinkToken, listPush, removeExcessPush, removePush, upsertPush } from './addresses-store.ts'

/** A browser that subscribed to web push. The endpoint is a secret: its holder can send to the browser. */
export interface PushTarget {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Browsers of one user; the oldest one leaves. */
const devicesMax = 10
const linkLifeMs = 15 * 60_000

const keyOf = ({ config }: Pick<Services, 'config'>) => derivedKey(config.secret, 'notifications')

/**
 * Returns whether the service may post to an address: HTTPS without a password, and no private address in digits; on closed networks and
 * in tests all of HTTP. Names are resolved, and checked, with each message.
 */
export function mayPostTo({ config }: Pick<Services, 'config'>, address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.username !== '' || url.password !== '') return false
  if (config.allowPrivateDestinations) return /^https?:$/.test(url.protocol)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return url.protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host))
}

/**
 * Stores a browser of the calling session, whose end removes it.
 * @returns its token: the hash of the endpoint
 * @throws UnauthorizedError when the session has just ended
 */
export async function addPush(
  services: Pick<Services, 'db' | 'clock' | 'config'>,
  { id: user_id, sessionId: family_id }: User,
  { device, ...target }: PushTarget & { readonly device: string },
): Promise<string> {
  const token = hashOf(target.endpoint)
  await transaction(services.db, async (trx) => {
    if (!(await lockLiving(services, trx, family_id))) throw new UnauthorizedError()
    const sealed = seal(keyOf(services), JSON.stringify(target))
    const date_create = iso(services.clock.now())
    await upsertPush(trx, { user_id, family_id, token, sealed, device, date_create })
    await removeExcessPush(trx, user_id, devicesMax)
  })
  return token
}

/** Returns the browsers of a user with their endpoints, oldest first. Removes those that cannot be read. */
export async function pushTargets(
  services: Pick<Services, 'db' | 'clock' | 'config' | 'log'>,
  userId: number,
): Promise<readonly (PushTarget & { readonly token: string })[]> {
  const rows = await listPush(services.db, userId, iso(services.clock.now()))
  const targets: (PushTarget & { readonly token: string })[] = []
  for (const { token, sealed } of rows) {
    const text = unsealKey(services, sealed)
    if (text !== null) targets.push({ token, ...(JSON.parse(text) as PushTarget) })
    else {
      services.log.warn({ userId }, 'SECRET has changed: a browser of this user has to be added again')
      await removePush(services.db, token, null)
    }
  }
  return targets
}

/** Creates a token that links one private chat to a user: 128 bits, once, for 15 minutes. Older ones of the user end. */
export async function issueLinkToken(
  services: Pick<Services, 'db' | 'clock'>,
  userId: number,
): Promise<{ readonly token: string; readonly end: string }> {
  const token = randomBytes(16).toString('base64url')
  const end = iso(later(services.clock.now(), linkLifeMs))
  await transaction(services.db, (trx: Trx) =>
    insertLinkToken(trx, { hash: hashOf(token), user_id: userId, date_expire: end }),
  )
  return { token, end }
}

/** Encrypts a key of the installation. */
export const sealKey = (services: Pick<Services, 'config'>, text: string): string => seal(keyOf(services), text)
/** Decrypts a key of the installation; null when `SECRET` has changed since. */
export const unsealKey = (services: Pick<Services, 'config'>, sealed: string): string | null =>
  tryUnseal(keyOf(services), sealed)
