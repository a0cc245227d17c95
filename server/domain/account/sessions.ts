// Sessions as their owner sees them. A session is a family of tokens (tokens.ts); what ends it ends its access tokens too,
// because every call looks whether the family lives.
import type { App } from '#contract/core/wire.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError, UnauthorizedError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import { forgetSignInCodes, issueCode, redeemCode } from './codes.ts'
import { deviceOf, type DeviceName } from './devices.ts'
import { endFamilies, endFamily, lockLiving } from './families.ts'
import { holdPerson } from './people.ts'
import { type Device, startSession, type TokenPair } from './tokens.ts'

/** A sign-in that lives. Times are ISO 8601, UTC. */
export interface LivingSession extends DeviceName {
  readonly id: number
  readonly app: App
  readonly address: string
  readonly created: string
  /** When it last got a new pair. Nothing is written for it: it is when its newest refresh token was made. */
  readonly seen: string
  readonly ends: string
}

const listedMax = 200

/** The living sessions of a person, the one seen last first. */
export async function listSessions(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  userId: number,
): Promise<LivingSession[]> {
  const now = iso(clock.now())
  const rows = await db
    .selectFrom('token_families as family')
    .innerJoin('refresh_tokens as token', 'token.family_id', 'family.id')
    .select(['family.id', 'family.app', 'family.user_agent', 'family.date_create', 'family.date_max'])
    .select(['token.address', 'token.date_create as seen', 'token.date_expire'])
    .where('family.user_id', '=', userId)
    .where('family.date_revoke', 'is', null)
    .where('family.date_max', '>', now)
    // The newest of a family is the one that was not used.
    .where('token.date_use', 'is', null)
    .where('token.date_expire', '>', now)
    .orderBy('seen', 'desc')
    .orderBy('family.id', 'desc')
    .limit(listedMax)
    .execute()
  return rows.map((row) => ({
    ...deviceOf(row.user_agent),
    id: row.id,
    app: row.app as App,
    address: row.address ?? '',
    created: row.date_create,
    seen: row.seen,
    ends: row.date_expire < row.date_max ? row.date_expire : row.date_max,
  }))
}

/**
 * Ends a session of the person, with those that were handed over from it; one that has ended already is fine.
 * @throws RuleError `SessionNotFound`, also for other people's
 */
export function closeSession(services: Services, { id: userId }: Pick<User, 'id'>, sessionId: number): Promise<void> {
  return transaction(services.db, async (trx) => {
    await holdPerson(trx, userId)
    const mine = await trx
      .selectFrom('token_families')
      .select('date_revoke')
      .where('id', '=', sessionId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!mine) throw new RuleError('SessionNotFound', 'There is no such session')
    if (mine.date_revoke !== null) return
    await endFamily(services, trx, sessionId, 'closed')
    await forgetSignInCodes(trx, userId)
    await audit(services, trx, 'session.closed', { userId, familyId: sessionId })
  })
}

/** Ends every session of the person but the one that asks. @returns how many lived */
export const closeOthers = (services: Services, user: User): Promise<number> =>
  transaction(services.db, (trx) => endOthers(services, trx, user, 'closed'))

/** As `closeOthers`, inside a transaction; all of them where no session asks. Codes that would begin one end as well. */
export async function endOthers(
  services: Services,
  trx: Trx,
  { id: userId, sessionId }: Pick<User, 'id'> & Partial<User>,
  reason: 'closed' | 'password',
): Promise<number> {
  await holdPerson(trx, userId)
  const others = await trx
    .selectFrom('token_families')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '!=', sessionId ?? 0)
    .where('date_revoke', 'is', null)
    .where('date_max', '>', iso(services.clock.now()))
    .execute()
  const ids = others.map(({ id }) => id)
  if (ids.length > 0) await endFamilies(services, trx, ids, reason)
  await forgetSignInCodes(trx, userId)
  await audit(services, trx, `session.others-${reason}`, {
    userId,
    ...(sessionId !== undefined && { familyId: sessionId }),
  })
  return ids.length
}

/**
 * A code with which another app of the person signs in: a part of this sign-in, with its age, its end and its fate.
 * @throws UnauthorizedError when the session that asks has just ended
 */
export const handOver = (services: Services, { id: userId, sessionId }: User, app: App): Promise<string> =>
  transaction(services.db, async (trx) => {
    await holdPerson(trx, userId)
    if (!(await lockLiving(services, trx, sessionId))) throw new UnauthorizedError()
    return issueCode(services, trx, 'exchange', { userId, familyId: sessionId, app })
  })

/**
 * Begins the session of a one-time code. Whatever comes of it, the code is used.
 * @param state of the browser that began, where the code is bound to one
 * @throws RuleError `CodeRejected`, also when the session that handed the code over has ended
 */
export async function exchangeCode(
  services: Services,
  { code, state }: { readonly code: string; readonly state: string | undefined },
  device: Device,
): Promise<TokenPair> {
  const pair = await transaction(services.db, async (trx) => {
    const row = await redeemCode(services, trx, 'exchange', code)
    const isBound = row && (row.state === null || (state !== undefined && row.state === hashOf(state)))
    if (!isBound || row.user_id === null || row.app !== device.app) return null
    await holdPerson(trx, row.user_id)
    const parent = row.family_id === null ? null : await lockLiving(services, trx, row.family_id)
    return parent === undefined ? null : startSession(services, trx, row.user_id, device, parent)
  })
  // Thrown outside: a code that was shown with a wrong state stays used.
  if (!pair) throw new RuleError('CodeRejected', 'The code is not valid. Sign in again.')
  return pair
}
