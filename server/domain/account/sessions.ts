// Sessions of a user: list, end, hand over, begin from a code. A session is a token family (tokens.ts); its end voids its
// access tokens too, because every call checks the family.
import type { App } from '#contract/core/wire.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError, UnauthorizedError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import { forgetSignInCodes, issueCode, redeemCode } from './codes.ts'
import { deviceOf, type DeviceName } from './devices.ts'
import { endFamilies, endFamily, lockLiving } from './families.ts'
import { findFamily, listDevices, listLivingFamilies, listOtherFamilies } from './sessions-store.ts'
import { lockUser } from './store.ts'
import { type Device, startSession, type TokenPair } from './tokens.ts'

/** A session that has neither ended nor expired. Times are ISO 8601, UTC. */
export interface LivingSession extends DeviceName {
  readonly id: number
  readonly app: App
  readonly address: string
  readonly created: string
  /** Last refresh: the creation of its newest refresh token. */
  readonly seen: string
  readonly ends: string
}

const listedMax = 200

/** Returns the living sessions of a user, last seen first. */
export async function listSessions(
  { clock }: Pick<Services, 'clock'>,
  db: ReadDb,
  userId: number,
): Promise<LivingSession[]> {
  const rows = await listLivingFamilies(db, userId, iso(clock.now()), listedMax)
  return rows.map((row) => ({
    ...deviceOf(row.user_agent),
    id: row.id,
    app: row.app,
    address: row.address ?? '',
    created: row.date_create,
    seen: row.seen,
    ends: row.date_expire < row.date_max ? row.date_expire : row.date_max,
  }))
}

/**
 * Ends a session of the user and those that were handed over from it. No effect on a session that has ended.
 * @throws RuleError `SessionNotFound`, also for sessions of other users
 * @throws UnauthorizedError when the calling session has just ended
 */
export function closeSession(services: Services, user: User, sessionId: number): Promise<void> {
  const { id: userId } = user
  return transaction(services.db, async (trx) => {
    await lockUser(trx, userId)
    await mustLive(services, trx, user)
    const session = await findFamily(trx, sessionId, userId)
    if (!session) throw new RuleError('SessionNotFound')
    if (session.date_revoke !== null) return
    await endFamily(services, trx, sessionId, 'closed')
    await forgetSignInCodes(trx, userId)
    await audit(services, trx, 'session.closed', { userId, familyId: sessionId })
  })
}

/**
 * Ends every session of the user except the calling one.
 * @returns how many were ended
 * @throws UnauthorizedError when the calling session has just ended
 */
export const closeOthers = (services: Services, user: User): Promise<number> =>
  transaction(services.db, (trx) => endOthers(services, trx, user, 'closed'))

/** As `closeOthers` with its errors, inside a transaction; without `sessionId` all sessions. Codes that would begin a session end as well. */
export async function endOthers(
  services: Services,
  trx: Trx,
  { id: userId, sessionId }: Pick<User, 'id'> & Partial<User>,
  reason: 'closed' | 'password' | 'factor',
): Promise<number> {
  await lockUser(trx, userId)
  if (sessionId !== undefined) await mustLive(services, trx, { sessionId })
  const ids = await listOtherFamilies(trx, userId, sessionId ?? 0, iso(services.clock.now()))
  if (ids.length > 0) await endFamilies(services, trx, ids, reason)
  await forgetSignInCodes(trx, userId)
  await audit(services, trx, `session.others-${reason}`, {
    userId,
    ...(sessionId !== undefined && { familyId: sessionId }),
  })
  return ids.length
}

/** Refuses a caller whose session ended after the request was authorized: two sessions may end each other. */
async function mustLive(services: Services, trx: Trx, { sessionId }: Pick<User, 'sessionId'>): Promise<void> {
  if (!(await lockLiving(services, trx, sessionId))) throw new UnauthorizedError()
}

/**
 * Issues a code that signs another app of the user in. The new session inherits the sign-in time and the end of this one.
 * @throws UnauthorizedError when the calling session has just ended
 */
export const handOver = (services: Services, { id: userId, sessionId }: User, app: App): Promise<string> =>
  transaction(services.db, async (trx) => {
    await lockUser(trx, userId)
    await mustLive(services, trx, { sessionId })
    return issueCode(services, trx, 'exchange', { userId, familyId: sessionId, app })
  })

/**
 * Begins a session by a one-time code. The call uses up the code, also when it fails.
 * @param onSignIn called in the transaction of a sign-in with a device that the user has not used before; returns what to do after it
 * @param state of the browser that began the sign-in, where the code is bound to one
 * @throws RuleError `CodeRejected`, also when the session that issued the code has ended
 */
export async function exchangeCode(
  services: Services,
  { code, state }: { readonly code: string; readonly state: string | undefined },
  device: Device,
  onSignIn: (trx: Trx, userId: number) => Promise<() => void>,
): Promise<TokenPair> {
  let afterwards = (): void => undefined
  const pair = await transaction(services.db, async (trx) => {
    const row = await redeemCode(services, trx, 'exchange', code)
    const isBound = row && (row.state === null || (state !== undefined && row.state === hashOf(state)))
    if (!isBound || row.user_id === null || row.app !== device.app) return null
    await lockUser(trx, row.user_id)
    const parent = row.family_id === null ? null : await lockLiving(services, trx, row.family_id)
    if (parent === undefined) return null
    // A session that is handed over is no sign-in.
    if (parent === null && (await isNewDevice(trx, row.user_id, device))) afterwards = await onSignIn(trx, row.user_id)
    return startSession(services, trx, row.user_id, device, parent)
  })
  // Thrown outside the transaction: a code that was presented with a wrong state stays used.
  if (!pair) throw new RuleError('CodeRejected_session')
  afterwards()
  return pair
}

/** Uses up a code of a sign-in that begins no session. @returns the user; null for a code that is wrong or bound to another state */
export const userOfCode = (
  services: Services,
  { code, state }: { readonly code: string; readonly state: string },
): Promise<number | null> =>
  transaction(services.db, async (trx) => {
    const row = await redeemCode(services, trx, 'exchange', code)
    return row && row.state === hashOf(state) && row.family_id === null ? row.user_id : null
  })

/** Returns whether a user with earlier sessions has none on this device. */
async function isNewDevice(trx: ReadDb, userId: number, { fingerprint, userAgent }: Device): Promise<boolean> {
  const known = await listDevices(trx, userId)
  const mark = fingerprint === '' ? null : hashOf(fingerprint)
  const { browser, system } = deviceOf(userAgent)
  const isSame = ({ fingerprint: stored, user_agent }: (typeof known)[number]) => {
    const one = deviceOf(user_agent)
    return mark === null ? one.browser === browser && one.system === system : stored === mark
  }
  return known.length > 0 && !known.some(isSame)
}
