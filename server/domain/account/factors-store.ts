// SQL of second factors: authenticator apps, passkeys, recovery codes, remembered browsers, wrong codes.
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** Authenticator app of a user. */
export type AuthenticatorRow = Selectable<Tables['authenticators']>

/** A passkey. */
export type PasskeyRow = Selectable<Tables['passkeys']>

/** Returns the authenticator app of a user, confirmed or not. */
export const findAuthenticator = (db: ReadDb, userId: number): Promise<AuthenticatorRow | undefined> =>
  db.selectFrom('authenticators').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** Replaces the authenticator app of a user. */
export async function upsertAuthenticator(trx: Trx, row: Insertable<Tables['authenticators']>): Promise<void> {
  const { user_id: _, ...values } = row
  await trx
    .insertInto('authenticators')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** Makes an authenticator app a factor. */
export async function updateAuthenticatorConfirmed(trx: Trx, userId: number, now: string): Promise<void> {
  await trx.updateTable('authenticators').set({ date_confirm: now }).where('user_id', '=', userId).execute()
}

/** Uses up the time step of a code. @returns false when this step or a later one was used */
export async function updateAuthenticatorStep(trx: Trx, userId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('authenticators')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes the authenticator app of a user. */
export async function removeAuthenticator(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('authenticators').where('user_id', '=', userId).execute()
}

/** Returns the passkeys of a user, oldest first. */
export const listPasskeys = (db: ReadDb, userId: number): Promise<PasskeyRow[]> =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()

/** Returns a passkey by the id of its credential. */
export const findPasskey = (db: ReadDb, credential: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential', '=', credential).executeTakeFirst()

/** Inserts a passkey. @throws on a known credential: run it in `insertion` */
export async function insertPasskey(trx: Trx, row: Insertable<Tables['passkeys']>): Promise<void> {
  await trx.insertInto('passkeys').values(row).execute()
}

/** Stores the use of a passkey. @returns false when its counter has gone on meanwhile */
export async function updatePasskeyUsed(
  trx: Trx,
  { id, counter }: Pick<PasskeyRow, 'id' | 'counter'>,
  next: { readonly counter: number; readonly now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('passkeys')
    .set({ counter: next.counter, date_use: next.now })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes passkeys of a user. @param id of one; default: all. @returns how many */
export async function removePasskeys(trx: Trx, userId: number, id?: number): Promise<number> {
  const all = trx.deleteFrom('passkeys').where('user_id', '=', userId)
  const { numDeletedRows } = await (id === undefined ? all : all.where('id', '=', id)).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Inserts recovery codes. */
export async function insertRecoveryCodes(
  trx: Trx,
  rows: readonly Insertable<Tables['recovery_codes']>[],
): Promise<void> {
  await trx.insertInto('recovery_codes').values(rows).execute()
}

/** Marks an unused recovery code as used. @returns whether there was one; of concurrent calls one gets it */
export async function updateRecoveryCodeUsed(trx: Trx, userId: number, hash: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('recovery_codes')
    .set({ date_use: now })
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .where('date_use', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Counts the unused recovery codes of a user. */
export const countRecoveryCodes = (db: ReadDb, userId: number): Promise<number> =>
  countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId).where('date_use', 'is', null))

/** Removes the recovery codes of a user. */
export async function removeRecoveryCodes(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** Returns the wrong codes of a user. */
export const findTries = (db: ReadDb, userId: number) =>
  db.selectFrom('factor_tries').select(['wrong', 'date_begin']).where('user_id', '=', userId).executeTakeFirst()

/** Stores the wrong codes of a user. */
export async function upsertTries(trx: Trx, row: Insertable<Tables['factor_tries']>): Promise<void> {
  const { wrong, date_begin } = row
  await trx
    .insertInto('factor_tries')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ wrong, date_begin }))
    .execute()
}

/** Forgets the wrong codes of a user. */
export async function removeTries(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('factor_tries').where('user_id', '=', userId).execute()
}

/** Returns the browsers that a user has remembered, last used first. */
export const listBrowsers = (db: ReadDb, userId: number, now: string) =>
  db
    .selectFrom('remembered_browsers')
    .select(['id', 'user_agent', 'address', 'date_create', 'date_use', 'date_expire'])
    .where('user_id', '=', userId)
    .where('date_expire', '>', now)
    .orderBy('date_use', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Inserts a remembered browser. */
export async function insertBrowser(trx: Trx, row: Insertable<Tables['remembered_browsers']>): Promise<void> {
  await trx.insertInto('remembered_browsers').values(row).execute()
}

/** Gives a browser another token, for all accounts that remember it. */
export async function updateBrowserHash(trx: Trx, from: string, to: string): Promise<void> {
  await trx.updateTable('remembered_browsers').set({ hash: to }).where('hash', '=', from).execute()
}

/** Marks a remembered browser as used. @returns whether the user remembers it */
export async function updateBrowserUsed(
  trx: Trx,
  { userId, hash, now, address }: { userId: number; hash: string; now: string; address: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('remembered_browsers')
    .set({ date_use: now, address })
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .where('date_expire', '>', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes remembered browsers of a user. @param only id or hash of one; default: all. @returns how many */
export async function removeBrowsers(
  trx: Trx,
  userId: number,
  only: { readonly id?: number; readonly hash?: string } = {},
): Promise<number> {
  let query = trx.deleteFrom('remembered_browsers').where('user_id', '=', userId)
  if (only.id !== undefined) query = query.where('id', '=', only.id)
  if (only.hash !== undefined) query = query.where('hash', '=', only.hash)
  const { numDeletedRows } = await query.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Removes remembered browsers that expired before a time. */
export async function removeExpiredBrowsers(db: Db, before: string): Promise<void> {
  await db.deleteFrom('remembered_browsers').where('date_expire', '<', before).execute()
}

const withoutFactor = (userId: RawBuilder<unknown>) => sql<boolean>`not exists (
    select 1 from authenticators where authenticators.user_id = ${userId} and date_confirm is not null)
  and not exists (select 1 from passkeys where passkeys.user_id = ${userId})`

/**
 * SQL: 1 where a member lacks a second factor that the project or the installation demands.
 * @param userId column of the user
 * @param projectId the project, or its column; null: none
 */
export const lacksFactor = (userId: string, projectId: number | null | RawBuilder<unknown>) =>
  sql<number>`case when (exists (select 1 from projects as demanding where demanding.id = ${projectId} and demanding.second_factor = 1)
    or (select second_factor from installation where id = 1) = 'all')
    and ${withoutFactor(sql.ref(userId))} then 1 else 0 end`

/** Returns whether a project demands a second factor of its members. */
export async function findProjectDemand(db: ReadDb, projectId: number): Promise<boolean> {
  const row = await db.selectFrom('projects').select('second_factor').where('id', '=', projectId).executeTakeFirst()
  return row?.second_factor === 1
}

/** Sets whether a project demands a second factor of its members. */
export async function updateProjectDemand(trx: Trx, projectId: number, isDemanded: boolean): Promise<void> {
  const second_factor = isDemanded ? 1 : 0
  await trx.updateTable('projects').set({ second_factor }).where('id', '=', projectId).execute()
}

/** Counts the members of a project without a second factor. */
export const countMembersWithoutFactor = (db: ReadDb, projectId: number): Promise<number> =>
  countRows(
    db
      .selectFrom('project_members')
      .where('project_id', '=', projectId)
      .where(withoutFactor(sql.ref('project_members.user_id'))),
  )

/** Returns whether a project of a user, or the installation, demands a second factor of this user. */
export async function hasDemand(db: ReadDb, userId: number): Promise<boolean> {
  const { rows } = await sql<{ demanded: number }>`select case
    when (select second_factor from installation where id = 1) = 'all' then 1
    when (select second_factor from installation where id = 1) = 'operators'
      and exists (select 1 from operators where user_id = ${userId}) then 1
    when exists (select 1 from project_members join projects on projects.id = project_members.project_id
      where project_members.user_id = ${userId} and projects.second_factor = 1) then 1
    else 0 end as demanded`.execute(db)
  return rows[0]?.demanded === 1
}
