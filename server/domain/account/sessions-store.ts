// SQL of sessions: token families (one per session) and their refresh tokens.
import { type Insertable, type Selectable, sql } from 'kysely'
import { databaseNow, rowLock } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

type FamilyRow = Selectable<Tables['token_families']>
/** Session that hands itself over: the new session takes over its sign-in time and its end. */
export type ParentSession = Pick<FamilyRow, 'id' | 'date_auth' | 'date_max'>
/** A refresh token with columns of its family. */
export type TokenRow = Selectable<Tables['refresh_tokens']> &
  Pick<FamilyRow, 'user_id' | 'fingerprint' | 'date_max' | 'date_revoke'> & {
    /** Time of the database, Unix milliseconds. */
    readonly database_ms: number | string
  }

/** Inserts a family. @returns its id */
export const insertFamily = (
  trx: Trx,
  values: Insertable<Tables['token_families']>,
): Promise<{ readonly id: number }> =>
  trx.insertInto('token_families').values(values).returning('id').executeTakeFirstOrThrow()

/** Locks a session that is neither ended nor expired until the transaction ends. */
export const lockLivingFamily = (trx: Trx, id: number, now: string): Promise<ParentSession | undefined> =>
  trx
    .selectFrom('token_families')
    .select(['id', 'date_auth', 'date_max'])
    .where('id', '=', id)
    .where('date_revoke', 'is', null)
    .where('date_max', '>', now)
    .forUpdate()
    .executeTakeFirst()

/** Returns the end of a session of a user. */
export const findFamily = (trx: ReadDb, id: number, userId: number) =>
  trx
    .selectFrom('token_families')
    .select('date_revoke')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Returns when a session signed in. */
export async function getSignInTime(db: ReadDb, id: number): Promise<string> {
  const row = await db.selectFrom('token_families').select('date_auth').where('id', '=', id).executeTakeFirstOrThrow()
  return row.date_auth
}

/** Sets when a session signed in. */
export async function updateSignInTime(db: Db | Trx, id: number, now: string): Promise<void> {
  await db.updateTable('token_families').set({ date_auth: now }).where('id', '=', id).execute()
}

/** Returns the ids of the other living sessions of a user. @param ownId 0: all, also those of API tokens */
export async function listOtherFamilies(trx: ReadDb, userId: number, ownId: number, now: string): Promise<number[]> {
  const rows = await trx
    .selectFrom('token_families')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '!=', ownId)
    .$if(ownId !== 0, (query) => query.where('scopes', 'is', null))
    .where('date_revoke', 'is', null)
    .where('date_max', '>', now)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the ids of the sessions that were handed over from a session, directly or not. */
export async function listHeirs(trx: ReadDb, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`with recursive heirs(id) as (
    select id from token_families where parent_id = ${id}
    union select child.id from token_families child join heirs on heirs.id = child.parent_id
  ) select id from heirs`.execute(trx)
  return rows.map((row) => row.id)
}

/** Returns the living sessions of a user with their unused refresh token, last seen first. */
export const listLivingFamilies = (db: ReadDb, userId: number, now: string, limit: number) =>
  db
    .selectFrom('token_families as family')
    .innerJoin('refresh_tokens as token', 'token.family_id', 'family.id')
    .select(['family.id', 'family.app', 'family.user_agent', 'family.date_create', 'family.date_max'])
    .select(['token.address', 'token.date_create as seen', 'token.date_expire'])
    .where('family.user_id', '=', userId)
    .where('family.date_revoke', 'is', null)
    .where('family.date_max', '>', now)
    // The newest token of a family is the unused one.
    .where('token.date_use', 'is', null)
    .where('token.date_expire', '>', now)
    .orderBy('seen', 'desc')
    .orderBy('family.id', 'desc')
    .limit(limit)
    .execute()

/** Ends sessions that have not ended. */
export async function updateFamiliesRevoked(
  trx: Trx,
  ids: readonly number[],
  reason: string,
  now: string,
): Promise<void> {
  await trx
    .updateTable('token_families')
    .set({ date_revoke: now, revoke_reason: reason })
    .where('id', 'in', ids)
    .where('date_revoke', 'is', null)
    .execute()
}

/** Removes the browsers that sessions have subscribed to notifications. */
export async function removePushOf(trx: Trx, familyIds: readonly number[]): Promise<void> {
  await trx.deleteFrom('push_subscriptions').where('family_id', 'in', familyIds).execute()
}

/** Inserts a refresh token. */
export async function insertRefreshToken(
  trx: Trx,
  row: {
    readonly familyId: number
    readonly hash: string
    readonly now: string
    readonly expire: string
    readonly address: string
  },
): Promise<number> {
  // These three are text: building them takes longer than SQLite takes to run them (decision 0033).
  const { rows } = await sql<{ id: number }>`
    insert into refresh_tokens (family_id, hash, date_create, date_expire, address)
    values (${row.familyId}, ${row.hash}, ${row.now}, ${row.expire}, ${row.address})
    returning id`.execute(trx)
  if (!rows[0]) throw new Error('The new refresh token has no id')
  return rows[0].id
}

/** Marks a refresh token as used, with its successor. */
export async function updateTokenUsed(
  trx: Trx,
  used: { readonly id: number; readonly now: string; readonly successorId: number; readonly sealed: string },
): Promise<void> {
  await sql`
    update refresh_tokens
    set date_use = ${used.now}, successor_id = ${used.successorId}, successor_sealed = ${used.sealed}
    where id = ${used.id}`.execute(trx)
}

/** Finds a refresh token by its hash, and locks it and its family until the transaction ends. */
export async function lockRefreshToken(trx: Trx, hash: string): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    select token.*, family.user_id, family.fingerprint, family.date_max, family.date_revoke,
      ${databaseNow(trx)} as database_ms
    from refresh_tokens token
    join token_families family on family.id = token.family_id
    where token.hash = ${hash}
    ${rowLock(trx)}`.execute(trx)
  return rows[0]
}

/** Returns when a refresh token was issued and used. */
export const findRefreshToken = (trx: ReadDb, id: number | null) =>
  trx.selectFrom('refresh_tokens').select(['date_create', 'date_use']).where('id', '=', id).executeTakeFirst()

/** Removes expired refresh tokens. */
export async function removeExpiredTokens(db: Db, before: string): Promise<void> {
  await db.deleteFrom('refresh_tokens').where('date_expire', '<', before).execute()
}

/** Removes sessions that ended or expired before a time. */
export async function removeEndedFamilies(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('token_families')
    .where((eb) => eb.or([eb('date_max', '<', before), eb('date_revoke', '<', before)]))
    .execute()
}

/** Returns the devices of the sessions of a user, ended ones as well. */
export const listDevices = (trx: ReadDb, userId: number) =>
  trx
    .selectFrom('token_families')
    .select(['fingerprint', 'user_agent'])
    .distinct()
    .where('user_id', '=', userId)
    .where('scopes', 'is', null)
    .execute()
