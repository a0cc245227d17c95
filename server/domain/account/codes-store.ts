// SQL of one-time codes. Rows hold hashes; the codes themselves are stored nowhere.
import type { Insertable, Selectable } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** A one-time code. */
export type CodeRow = Selectable<Tables['codes']>
/** Purpose of a one-time code. */
export type CodeKind = CodeRow['kind']

/** Inserts a code. */
export async function insertCode(db: Db | Trx, values: Insertable<Tables['codes']>): Promise<void> {
  await db.insertInto('codes').values(values).execute()
}

/** Inserts a code unless its hash is known. @returns whether it was inserted */
export async function insertNewCode(db: Db | Trx, values: Insertable<Tables['codes']>): Promise<boolean> {
  const row = await db
    .insertInto('codes')
    .values(values)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Marks an unused, unexpired code as used. @returns its row; of concurrent calls one gets it */
export const updateCodeUsed = (db: Db | Trx, kind: CodeKind, hash: string, now: string): Promise<CodeRow | undefined> =>
  db
    .updateTable('codes')
    .set({ date_use: now })
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('date_use', 'is', null)
    .where('date_expire', '>', now)
    .returningAll()
    .executeTakeFirst()

/** Returns the code with this hash. */
export const findCode = (db: ReadDb, kinds: readonly CodeKind[], hash: string): Promise<CodeRow | undefined> =>
  db.selectFrom('codes').selectAll().where('hash', '=', hash).where('kind', 'in', kinds).executeTakeFirst()

/** Returns whether a code bound to this state (hash) was used. */
export async function hasUsedCode(trx: ReadDb, kind: CodeKind, state: string): Promise<boolean> {
  const row = await trx
    .selectFrom('codes')
    .select('id')
    .where('kind', '=', kind)
    .where('state', '=', state)
    .where('date_use', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether a user got a code of a kind after a time. */
export async function hasCodeSince(trx: ReadDb, userId: number, kind: CodeKind, since: string): Promise<boolean> {
  const row = await trx
    .selectFrom('codes')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('date_create', '>', since)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes unused codes bound to this state (hash). */
export async function removeCodesOfState(trx: Trx, kind: CodeKind, state: string): Promise<void> {
  await trx
    .deleteFrom('codes')
    .where('kind', '=', kind)
    .where('state', '=', state)
    .where('date_use', 'is', null)
    .execute()
}

/** Removes unused codes of a user. */
export async function removeCodesOfUser(db: Db | Trx, userId: number, kinds: readonly CodeKind[]): Promise<void> {
  await db
    .deleteFrom('codes')
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .where('date_use', 'is', null)
    .execute()
}

/** Removes codes that expired before a time. */
export async function removeExpiredCodes(db: Db, before: string): Promise<void> {
  await db.deleteFrom('codes').where('date_expire', '<', before).execute()
}
