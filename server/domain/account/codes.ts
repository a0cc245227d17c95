// One-time codes: exchanged for a session after sign-in, and carried by links to sign up, recover or confirm an e-mail.
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import {
  type CodeKind,
  type CodeRow,
  findCode,
  hasUsedCode,
  insertCode,
  insertNewCode,
  removeCodesOfState,
  removeCodesOfUser,
  updateCodeUsed,
} from './codes-store.ts'

const minuteMs = 60_000
const lifeMs: Readonly<Record<CodeKind, number>> = {
  exchange: minuteMs,
  owner: 24 * 60 * minuteMs,
  invite: 7 * 24 * 60 * minuteMs,
  connect: 15 * minuteMs,
  recovery: 60 * minuteMs,
  email: 60 * minuteMs,
  second: 10 * minuteMs,
  passkey: 10 * minuteMs,
  browser: minuteMs,
  // Longer than the validity of the signature that the code marks as used.
  telegram: 48 * 60 * minuteMs,
}

/** Issues a code. Only its hash is stored. */
export async function issueCode(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  kind: CodeKind,
  bound: {
    readonly userId?: number
    readonly familyId?: number
    readonly app?: string
    readonly state?: string
  } = {},
): Promise<string> {
  const now = clock.now()
  const code = randomToken()
  await insertCode(db, {
    kind,
    hash: hashOf(code),
    user_id: bound.userId ?? null,
    family_id: bound.familyId ?? null,
    app: bound.app ?? null,
    state: bound.state === undefined ? null : hashOf(bound.state),
    date_create: iso(now),
    date_expire: iso(later(now, lifeMs[kind])),
    date_use: null,
  })
  return code
}

/** Uses up a code. Null when it is unknown, expired or used; of concurrent calls one gets the row. */
export const redeemCode = async (
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  kind: CodeKind,
  code: string,
): Promise<CodeRow | null> => (await updateCodeUsed(db, kind, hashOf(code), iso(clock.now()))) ?? null

/** Returns the row of a code that `redeemCode` would accept now; null for other codes. Does not use it up. */
export async function findGoodCode(
  { clock }: Pick<Services, 'clock'>,
  db: ReadDb,
  kind: CodeKind,
  code: string,
): Promise<CodeRow | null> {
  const row = await findCode(db, [kind], hashOf(code))
  return row && row.date_use === null && row.date_expire > iso(clock.now()) ? row : null
}

/** Returns whether `redeemCode` would accept this code now. Does not use it up. */
export const isGoodCode = async (...about: Parameters<typeof findGoodCode>): Promise<boolean> =>
  (await findGoodCode(...about)) !== null

/** Returns the state of a code that creates an account: `over` when it is used or expired, null for other codes. */
export async function invitationOf(
  { clock }: Pick<Services, 'clock'>,
  db: ReadDb,
  code: string,
): Promise<'open' | 'over' | null> {
  const row = await findCode(db, ['owner', 'invite'], hashOf(code))
  if (!row) return null
  return row.date_use === null && row.date_expire > iso(clock.now()) ? 'open' : 'over'
}

/**
 * Issues the only code bound to a state: an unused older one is removed.
 * @returns null when one was used before
 */
export async function issueOnlyCode(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  kind: CodeKind,
  state: string,
): Promise<string | null> {
  if (await hasUsedCode(trx, kind, hashOf(state))) return null
  await forgetCode(trx, kind, state)
  return issueCode(services, trx, kind, { state })
}

/** Removes an unused code bound to a state. */
export const forgetCode = (trx: Trx, kind: CodeKind, state: string): Promise<void> =>
  removeCodesOfState(trx, kind, hashOf(state))

/** Records a value that is accepted once. @returns whether this was the first time */
export function redeemOnce(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  kind: 'telegram',
  value: string,
): Promise<boolean> {
  const now = clock.now()
  const dates = { date_create: iso(now), date_expire: iso(later(now, lifeMs[kind])), date_use: iso(now) }
  return insertNewCode(db, {
    kind,
    hash: hashOf(value),
    user_id: null,
    family_id: null,
    app: null,
    state: null,
    ...dates,
  })
}

/** Removes the unused codes that would sign in as this user or change the e-mail of the account. */
export const forgetSignInCodes = (db: Db | Trx, userId: number): Promise<void> =>
  removeCodesOfUser(db, userId, ['exchange', 'connect', 'recovery', 'email', 'second'])
