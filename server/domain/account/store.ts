// SQL of accounts: rows of users, and the audit log.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** E-mail and password hash of a user. */
export type Credentials = Pick<Selectable<Tables['users']>, 'email' | 'password_hash'>

/** Returns whether any account exists. */
export const hasUsers = async (db: ReadDb): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

/** Returns the user of an access token; a token without a user cannot exist. */
export const getUser = (db: ReadDb, id: number) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Returns the user with this id, if there is one. */
export const findUser = (db: ReadDb, id: number) =>
  db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email', 'language'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Returns the user with this normalised e-mail. */
export const findUserByEmail = (db: ReadDb, email: string) =>
  db.selectFrom('users').select(['id', 'password_hash']).where('email', '=', email).executeTakeFirst()

/** As `findUserByEmail`, and locks the user until the transaction ends. */
export const lockUserByEmail = (trx: Trx, email: string) =>
  trx.selectFrom('users').select('id').where('email', '=', email).forUpdate().executeTakeFirst()

/**
 * Locks a user until the transaction ends. Changes of the user's sessions and ways to sign in run one at a time: without the
 * lock a code could be issued or exchanged beside the change that should have voided it.
 */
export const lockUser = (trx: Trx, id: number): Promise<Credentials> =>
  trx.selectFrom('users').select(['email', 'password_hash']).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Returns the e-mail and the password hash of a user. */
export const getCredentials = (db: ReadDb, id: number): Promise<Credentials> =>
  db.selectFrom('users').select(['email', 'password_hash']).where('id', '=', id).executeTakeFirstOrThrow()

/** Returns the credentials of a user and the time at which the session signed in (`begun`). */
export const getSignIn = (db: ReadDb, user: { readonly id: number; readonly sessionId: number }) =>
  db
    .selectFrom('users')
    .innerJoin('token_families', 'token_families.user_id', 'users.id')
    .select(['users.email', 'users.password_hash', 'token_families.date_auth as begun'])
    .where('users.id', '=', user.id)
    .where('token_families.id', '=', user.sessionId)
    .executeTakeFirstOrThrow()

/** Returns whether a user had a session in this network. @param network masked address (`maskAddress`) */
export async function hasNetwork(db: ReadDb, email: string, network: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .innerJoin('token_families', 'token_families.user_id', 'users.id')
    .innerJoin('refresh_tokens', 'refresh_tokens.family_id', 'token_families.id')
    .select('users.id')
    .where('users.email', '=', email)
    .where('refresh_tokens.address', '=', network)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether a user invites under this referral id. */
export const hasRefId = async (db: ReadDb, refId: string): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('ref_id', '=', refId).executeTakeFirst()) !== undefined

/** Counts the users that a user has invited. */
export async function countInvited(db: ReadDb, id: number): Promise<number> {
  return await countRows(db.selectFrom('users').where('invited_by', '=', id))
}

/** Inserts a user. @throws on a duplicate e-mail, external id or installation owner: run it in `insertion` */
export const insertUser = (trx: Trx, values: Insertable<Tables['users']>): Promise<{ readonly id: number }> =>
  trx.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow()

/** Updates columns of a user. */
export async function updateUser(db: Db | Trx, id: number, change: Updateable<Tables['users']>): Promise<void> {
  await db.updateTable('users').set(change).where('id', '=', id).execute()
}

/** Replaces a password hash. @returns false when the hash is no longer `from` */
export async function updatePassword(
  trx: Trx,
  id: number,
  { from, to }: { readonly from: string | null; readonly to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', from === null ? 'is' : '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Appends to the audit log. */
export async function insertAudit(db: Db | Trx, values: Insertable<Tables['audit']>): Promise<void> {
  await db.insertInto('audit').values(values).execute()
}

/** Stores an uploaded file. One with the same name stays: names are never reused. */
export async function insertFile(db: Db | Trx, file: Insertable<Tables['files']>): Promise<void> {
  await db
    .insertInto('files')
    .values(file)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/** Returns the content of an uploaded file. @param name any text of a request: PostgreSQL refuses some */
export async function findFile(db: ReadDb, name: string): Promise<Uint8Array | undefined> {
  if (!/^[\w.-]+$/.test(name)) return undefined
  return (await db.selectFrom('files').select('content').where('name', '=', name).executeTakeFirst())?.content
}

/** Removes a file that is no longer used. */
export async function removeFile(db: Db | Trx, name: string): Promise<void> {
  await db.deleteFrom('files').where('name', '=', name).execute()
}
