// One-time codes: what the browser carries back after sign-in, what an owner or an invited person begins with.
import type { Selectable } from 'kysely'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

type Row = Selectable<Tables['codes']>
export type CodeKind = Row['kind']

const minuteMs = 60_000
const lifeMs: Readonly<Record<CodeKind, number>> = {
  exchange: minuteMs,
  owner: 24 * 60 * minuteMs,
  invite: 7 * 24 * 60 * minuteMs,
  connect: 15 * minuteMs,
  recovery: 60 * minuteMs,
  email: 60 * minuteMs,
  // Longer than a signature is good for.
  telegram: 48 * 60 * minuteMs,
}

/** Makes a code. Only its hash is kept. */
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
  await db
    .insertInto('codes')
    .values({
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
    .execute()
  return code
}

/** Uses a code up. Null when there is none, or it is too old, or it was used: of two at a time one gets it. */
export async function redeemCode(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  kind: CodeKind,
  code: string,
): Promise<Row | null> {
  const now = iso(clock.now())
  const row = await db
    .updateTable('codes')
    .set({ date_use: now })
    .where('hash', '=', hashOf(code))
    .where('kind', '=', kind)
    .where('date_use', 'is', null)
    .where('date_expire', '>', now)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Would this code be taken now? Uses nothing up. */
export async function isGoodCode(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  kind: CodeKind,
  code: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('codes')
    .select('id')
    .where('hash', '=', hashOf(code))
    .where('kind', '=', kind)
    .where('date_use', 'is', null)
    .where('date_expire', '>', iso(clock.now()))
    .executeTakeFirst()
  return row !== undefined
}

/** Would this code let somebody make an account: `open` now, `over` when it was used or is too old, else null. Uses nothing up. */
export async function invitationOf(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  code: string,
): Promise<'open' | 'over' | null> {
  const row = await db
    .selectFrom('codes')
    .select(['date_use', 'date_expire'])
    .where('hash', '=', hashOf(code))
    .where('kind', 'in', ['owner', 'invite'])
    .executeTakeFirst()
  if (!row) return null
  return row.date_use === null && row.date_expire > iso(clock.now()) ? 'open' : 'over'
}

/**
 * Makes the one code that is bound to something: an older one that nobody used is forgotten.
 * @returns null when one was used before
 */
export async function issueOnlyCode(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  kind: CodeKind,
  state: string,
): Promise<string | null> {
  const used = await trx
    .selectFrom('codes')
    .select('id')
    .where('kind', '=', kind)
    .where('state', '=', hashOf(state))
    .where('date_use', 'is not', null)
    .executeTakeFirst()
  if (used) return null
  await forgetCode(trx, kind, state)
  return issueCode(services, trx, kind, { state })
}

/** Forgets a code that is bound to something and that nobody used. */
export async function forgetCode(trx: Trx, kind: CodeKind, state: string): Promise<void> {
  await trx
    .deleteFrom('codes')
    .where('kind', '=', kind)
    .where('state', '=', hashOf(state))
    .where('date_use', 'is', null)
    .execute()
}

/** Takes note of something that may be shown once. @returns whether this was the first time */
export async function redeemOnce(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  kind: 'telegram',
  value: string,
): Promise<boolean> {
  const now = clock.now()
  const dates = { date_create: iso(now), date_expire: iso(later(now, lifeMs[kind])), date_use: iso(now) }
  const row = await db
    .insertInto('codes')
    .values({ kind, hash: hashOf(value), user_id: null, family_id: null, app: null, state: null, ...dates })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets the codes that would let somebody in as this person, or give the account another e-mail. */
export async function forgetSignInCodes(db: Db | Trx, userId: number): Promise<void> {
  await db
    .deleteFrom('codes')
    .where('user_id', '=', userId)
    .where('kind', 'in', ['exchange', 'connect', 'recovery', 'email'])
    .where('date_use', 'is', null)
    .execute()
}
