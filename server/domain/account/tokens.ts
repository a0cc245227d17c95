// The rotating pair: families of refresh tokens, one per sign-in, and what presenting one of them leads to.
// The rules are written down in docs/decisions/0005-accounts-and-tokens.md.
import type { Selectable } from 'kysely'
import type { App } from '#contract/core/wire.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import { hashOf, keyFrom, randomToken, seal, unseal } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { type Param, prepared } from '#server/db/prepared.ts'
import type { Tables } from '#server/db/tables.ts'
import { transaction } from '#server/db/transaction.ts'
import { signAccess } from './access-tokens.ts'
import { audit } from './audit.ts'
import { maskAddress } from './devices.ts'
import { endFamily, type Parent } from './families.ts'
import { holdPerson } from './people.ts'

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

/** The device that signs in. */
export interface Device {
  readonly app: App
  readonly fingerprint: string
  readonly userAgent: string
  /** Where the call came from. */
  readonly address: string
}

/** The services, and where the call came from. */
type Asked = Services & Pick<Device, 'address'>
type Family = Pick<Selectable<Tables['token_families']>, 'user_id' | 'fingerprint' | 'date_max' | 'date_revoke'>
type Token = Selectable<Tables['refresh_tokens']> & Family

/** What presenting a refresh token leads to. */
type Verdict =
  | {
      readonly kind: 'pair'
      readonly userId: number
      readonly familyId: number
      readonly token: string
      readonly date: string
    }
  | { readonly kind: 'rejected' }

const refreshPerMinute = { address: 600, session: 60 }
const dayMs = 86_400_000

/** One answer for every refresh token that is not good, whatever is wrong with it. */
const rejection = () => new RuleError('RefreshTokenRejected', 'The refresh token is not valid. Sign in again.')

/**
 * Begins a session inside the transaction that proved the sign-in.
 * @param parent session that is handed over (`lockLiving`): its sign-in and its end are the new one's as well
 */
export async function startSession(
  services: Services,
  trx: Trx,
  userId: number,
  { app, fingerprint, userAgent, address }: Device,
  parent: Parent | null = null,
): Promise<TokenPair> {
  await holdPerson(trx, userId)
  const now = services.clock.now()
  const { id: familyId } = await trx
    .insertInto('token_families')
    .values({
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
    .returning('id')
    .executeTakeFirstOrThrow()
  const token = randomToken()
  await insertToken({ ...services, address }, trx, familyId, token)
  return { accessToken: signAccess(services.config, { userId, familyId, issued: now }), refreshToken: token }
}

/**
 * Exchanges a refresh token for its successor. The same token again within `REFRESH_REPLAY` seconds, while the successor
 * has not been presented itself, gives the identical pair: responses get lost, and browsers repeat a request on their own
 * when a connection breaks. Any other second use means that the token was copied: the family ends.
 * @throws RuleError the same for whatever is wrong
 */
export async function refresh(services: Asked, presented: string, fingerprint: string): Promise<TokenPair> {
  services.limits.count(`refresh ${networkOf(services.address)}`, refreshPerMinute.address)
  const verdict = await transaction(services.db, (trx) => judge(services, trx, presented, fingerprint))
  if (verdict.kind === 'rejected') throw rejection()
  const { userId, familyId, token, date } = verdict
  // The access token follows from the row alone, so a replay gives the same one without it being stored anywhere.
  return {
    accessToken: signAccess(services.config, { userId, familyId, issued: new Date(date) }),
    refreshToken: token,
  }
}

/** Ends the family of a refresh token, used or not. What is no token of ours is already signed out. */
export function signOut(services: Services, presented: string): Promise<void> {
  return transaction(services.db, async (trx) => {
    const token = await findToken(trx, presented)
    if (token && token.date_revoke === null) await revoke(services, trx, token, 'sign-out')
  })
}

async function judge(services: Asked, trx: Trx, presented: string, fingerprint: string): Promise<Verdict> {
  const now = services.clock.now()
  const token = await findToken(trx, presented)
  if (!token || token.date_revoke !== null) return rejected
  services.limits.count(`refresh session ${token.family_id}`, refreshPerMinute.session)
  if (token.date_expire <= iso(now) || token.date_max <= iso(now)) return rejected
  if (token.fingerprint !== null && token.fingerprint !== hashOf(fingerprint)) return rejected
  if (token.date_use === null) return rotate(services, trx, token, presented)

  const successor = await trx
    .selectFrom('refresh_tokens')
    .select(['date_create', 'date_use'])
    .where('id', '=', token.successor_id)
    .executeTakeFirst()
  const inTime = now.getTime() - Date.parse(token.date_use) < services.config.refreshReplayMs
  if (successor && successor.date_use === null && inTime && token.successor_sealed !== null) {
    return pairOf(token, unseal(sealingKey(presented), token.successor_sealed), successor.date_create)
  }
  await revoke(services, trx, token, 'reuse')
  return rejected
}

async function rotate(services: Asked, trx: Trx, token: Token, presented: string): Promise<Verdict> {
  const date = iso(services.clock.now())
  const next = randomToken()
  const successorId = await insertToken(services, trx, token.family_id, next)
  await markUsed(trx, { id: token.id, now: date, successorId, sealed: seal(sealingKey(presented), next) })
  return pairOf(token, next, date)
}

const rejected: Verdict = { kind: 'rejected' }
const pairOf = (of: Token, token: string, date: string): Verdict => ({
  kind: 'pair',
  userId: of.user_id,
  familyId: of.family_id,
  token,
  date,
})
const sealingKey = (presented: string) => keyFrom(presented, 'successor')

/** The idle limit counts from each token's own birth; the family's maximum stays where it was. */
async function insertToken(
  { clock, config, address }: Asked,
  trx: Trx,
  familyId: number,
  token: string,
): Promise<number> {
  const now = clock.now()
  const [row] = await insertRefresh(trx, {
    familyId,
    hash: hashOf(token),
    now: iso(now),
    expire: iso(later(now, config.refreshIdleDays * dayMs)),
    address: maskAddress(address),
  })
  if (!row) throw new Error('The new refresh token has no id')
  return row.id
}

const insertRefresh = prepared(
  (db, param: Param<{ familyId: number; hash: string; now: string; expire: string; address: string }>) =>
    db
      .insertInto('refresh_tokens')
      .values({
        family_id: param('familyId'),
        hash: param('hash'),
        date_create: param('now'),
        date_expire: param('expire'),
        address: param('address'),
      })
      .returning('id'),
)

const markUsed = prepared((db, param: Param<{ id: number; now: string; successorId: number; sealed: string }>) =>
  db
    .updateTable('refresh_tokens')
    .set({ date_use: param('now'), successor_id: param('successorId'), successor_sealed: param('sealed') })
    .where('id', '=', param('id')),
)

const findByHash = prepared((db, param: Param<{ hash: string }>) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('token_families', 'token_families.id', 'refresh_tokens.family_id')
    .selectAll('refresh_tokens')
    .select([
      'token_families.user_id',
      'token_families.fingerprint',
      'token_families.date_max',
      'token_families.date_revoke',
    ])
    .where('refresh_tokens.hash', '=', param('hash'))
    .forUpdate(),
)

/** Finds a token and holds it and its family until the transaction ends: of two uses at a time one is the second. */
async function findToken(trx: Trx, presented: string): Promise<Token | undefined> {
  const [token] = await findByHash(trx, { hash: hashOf(presented) })
  return token
}

async function revoke(services: Services, trx: Trx, token: Token, reason: 'reuse' | 'sign-out'): Promise<void> {
  await endFamily(services, trx, token.family_id, reason)
  await audit(services, trx, `session.${reason}`, { userId: token.user_id, familyId: token.family_id })
  if (reason === 'reuse')
    services.log.warn({ family: token.family_id }, 'A refresh token was used twice: session ended')
}
