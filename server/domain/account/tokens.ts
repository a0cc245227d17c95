// Rotation of token pairs: a family of refresh tokens per session. Rules: docs/decisions/0005-accounts-and-tokens.md.
import type { App } from '#contract/core/wire.ts'
import { dayMs, iso, later, systemClock } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import { hashOf, keyFrom, randomToken, seal, unseal } from '#server/core/secrets.ts'
import { env, settings, whole } from '#server/core/variables.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { signAccess } from './access-tokens.ts'
import { audit } from './audit.ts'
import { maskAddress } from './devices.ts'
import { endFamily } from './families.ts'
import {
  findRefreshToken,
  insertFamily,
  insertRefreshToken,
  lockRefreshToken,
  type ParentSession,
  type TokenRow,
  updateTokenUsed,
} from './sessions-store.ts'
import { lockUser } from './store.ts'

export const refreshSettings = settings({
  refreshIdleDays: env('REFRESH_IDLE_DAYS', whole(1, 3650), '30', 'Days without use after which a sign-in ends'),
  refreshMaxDays: env('REFRESH_MAX_DAYS', whole(1, 3650), '180', 'Days after which a sign-in ends in any case'),
  /** Time in which a used refresh token gives the same pair again, milliseconds. */
  refreshReplayMs: env(
    'REFRESH_REPLAY',
    whole(0, 3600),
    '120',
    'Seconds in which a refresh token returns the same pair again after a lost response, while that pair is unused',
    (seconds) => seconds * 1000,
  ),
})

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

/** The device that signs in. */
export interface Device {
  readonly app: App
  readonly fingerprint: string
  readonly userAgent: string
  /** Address of the caller. */
  readonly address: string
}

/** The services, and the address of the caller. */
type FromAddress = Services & Pick<Device, 'address'>

/** Outcome of presenting a refresh token. */
type Verdict =
  | {
      readonly kind: 'pair'
      readonly userId: number
      readonly familyId: number
      readonly token: string
      readonly date: string
    }
  /** `isReuse`: the session has ended with it. */
  | { readonly kind: 'rejected'; readonly isReuse: boolean }

const refreshPerMinute = { address: 600, session: 60 }

/** The same error for every invalid refresh token, so that it reveals no reason. */
const rejection = () => new RuleError('RefreshTokenRejected')

/**
 * Begins a session inside the transaction that proved the sign-in.
 * @param parent session that is handed over (`lockLiving`): the new session takes over its sign-in time and its end
 */
export async function startSession(
  services: Services,
  trx: Trx,
  userId: number,
  { app, fingerprint, userAgent, address }: Device,
  parent: ParentSession | null = null,
): Promise<TokenPair> {
  await lockUser(trx, userId)
  const now = services.clock.now()
  const { id: familyId } = await insertFamily(trx, {
    user_id: userId,
    app,
    fingerprint: fingerprint === '' ? null : hashOf(fingerprint),
    user_agent: userAgent.slice(0, 500),
    date_create: iso(now),
    date_auth: parent?.date_auth ?? iso(now),
    parent_id: parent?.id ?? null,
    date_max: parent?.date_max ?? iso(later(now, services.config.refreshMaxDays * dayMs)),
    date_revoke: null,
    revoke_reason: null,
  })
  const token = randomToken()
  await insertToken({ ...services, address }, trx, familyId, token)
  return { accessToken: signAccess(services.config, { userId, familyId, issued: now }), refreshToken: token }
}

/**
 * Exchanges a refresh token for its successor. The same token again within `REFRESH_REPLAY` seconds, while the successor
 * has not been presented itself, gives the identical pair: responses get lost, and browsers repeat a request automatically
 * when a connection breaks. Any other second use means that the token was copied: the family ends.
 * @throws RuleError `RefreshTokenRejected` for every reason
 */
export async function refresh(services: FromAddress, presented: string, fingerprint: string): Promise<TokenPair> {
  services.limits.count(`refresh ${networkOf(services.address)}`, refreshPerMinute.address)
  const verdict = await transaction(services.db, (trx) => judge(services, trx, presented, fingerprint))
  if (verdict.kind === 'rejected') {
    if (verdict.isReuse) services.realtime.recheck()
    throw rejection()
  }
  const { userId, familyId, token, date } = verdict
  // The row alone determines the access token: a replay gives the same one, and it is stored nowhere.
  return {
    accessToken: signAccess(services.config, { userId, familyId, issued: new Date(date) }),
    refreshToken: token,
  }
}

/** Ends the family of a refresh token, used or not. An unknown token is already signed out. */
export function signOut(services: Services, presented: string): Promise<void> {
  return transaction(services.db, async (trx) => {
    const token = await lockToken(trx, presented)
    if (token && token.date_revoke === null) await revoke(services, trx, token, 'sign-out')
  })
}

/** Difference of two clocks that may be the time of the query, milliseconds. */
const sameClockMs = 2_000

/** Returns the time by the clock of the database: two replicas whose clocks differ agree on how long ago a token was used. */
function sharedNow({ clock }: Services, { database_ms }: TokenRow): Date {
  const aheadMs = Number(database_ms) - systemClock.now().getTime()
  return Math.abs(aheadMs) < sameClockMs ? clock.now() : later(clock.now(), aheadMs)
}

async function judge(services: FromAddress, trx: Trx, presented: string, fingerprint: string): Promise<Verdict> {
  const token = await lockToken(trx, presented)
  if (!token || token.date_revoke !== null) return rejected
  const now = sharedNow(services, token)
  services.limits.count(`refresh session ${token.family_id}`, refreshPerMinute.session)
  if (token.date_expire <= iso(now) || token.date_max <= iso(now)) return rejected
  if (token.fingerprint !== null && token.fingerprint !== hashOf(fingerprint)) return rejected
  if (token.date_use === null) return rotate(services, trx, token, { presented, now })

  const successor = await findRefreshToken(trx, token.successor_id)
  const sinceMs = Math.max(0, now.getTime() - Date.parse(token.date_use))
  const inTime = sinceMs < services.config.refreshReplayMs
  if (successor && successor.date_use === null && inTime && token.successor_sealed !== null) {
    return pairOf(token, unseal(sealingKey(presented), token.successor_sealed), successor.date_create)
  }
  await revoke(services, trx, token, 'reuse')
  return { kind: 'rejected', isReuse: true }
}

async function rotate(
  services: FromAddress,
  trx: Trx,
  token: TokenRow,
  { presented, now }: { readonly presented: string; readonly now: Date },
): Promise<Verdict> {
  const date = iso(now)
  const next = randomToken()
  const successorId = await insertToken({ ...services, clock: { now: () => now } }, trx, token.family_id, next)
  await updateTokenUsed(trx, { id: token.id, now: date, successorId, sealed: seal(sealingKey(presented), next) })
  return pairOf(token, next, date)
}

const rejected: Verdict = { kind: 'rejected', isReuse: false }
const pairOf = (of: TokenRow, token: string, date: string): Verdict => ({
  kind: 'pair',
  userId: of.user_id,
  familyId: of.family_id,
  token,
  date,
})
const sealingKey = (presented: string) => keyFrom(presented, 'successor')

/** Inserts a refresh token with a new idle limit; the maximum of the family does not change. */
async function insertToken(
  { clock, config, address }: FromAddress,
  trx: Trx,
  familyId: number,
  token: string,
): Promise<number> {
  const now = clock.now()
  return insertRefreshToken(trx, {
    familyId,
    hash: hashOf(token),
    now: iso(now),
    expire: iso(later(now, config.refreshIdleDays * dayMs)),
    address: maskAddress(address),
  })
}

/** Finds a token and locks it and its family until the transaction ends: concurrent uses run one after the other. */
const lockToken = (trx: Trx, presented: string): Promise<TokenRow | undefined> =>
  lockRefreshToken(trx, hashOf(presented))

async function revoke(services: Services, trx: Trx, token: TokenRow, reason: 'reuse' | 'sign-out'): Promise<void> {
  await endFamily(services, trx, token.family_id, reason)
  await audit(services, trx, `session.${reason}`, { userId: token.user_id, familyId: token.family_id })
  if (reason === 'reuse')
    services.log.warn({ family: token.family_id }, 'A refresh token was used twice: session ended')
}
