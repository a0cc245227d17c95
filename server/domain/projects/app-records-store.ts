// SQL of the state of the authorization server. Ids are stored as hashes.
import type { Insertable } from 'kysely'
import type { Db, ReadDb } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

type Column = 'hash' | 'uid_hash' | 'user_code_hash'

/** Inserts a record, or replaces its content. */
export async function upsertRecord(db: Db, values: Insertable<Tables['app_records']>): Promise<void> {
  const { kind: _, hash: __, ...rest } = values
  await db
    .insertInto('app_records')
    .values(values)
    .onConflict((conflict) => conflict.columns(['kind', 'hash']).doUpdateSet(rest))
    .execute()
}

export const findRecord = (db: ReadDb, kind: string, column: Column, hash: string, now: string) =>
  db
    .selectFrom('app_records')
    .selectAll()
    .where('kind', '=', kind)
    .where(column, '=', hash)
    .where('date_expire', '>', now)
    .executeTakeFirst()

/** Marks a record as used. @returns the hash of its grant when this call was the first */
export const updateRecordConsumed = (db: Db, kind: string, hash: string, now: string) =>
  db
    .updateTable('app_records')
    .set({ date_consume: now })
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .where('date_consume', 'is', null)
    .returning('grant_hash')
    .executeTakeFirst()

export async function removeRecord(db: Db, kind: string, hash: string): Promise<void> {
  await db.deleteFrom('app_records').where('kind', '=', kind).where('hash', '=', hash).execute()
}

export async function removeRecordsOfGrant(db: Db, kind: string, grantHash: string): Promise<void> {
  await db.deleteFrom('app_records').where('kind', '=', kind).where('grant_hash', '=', grantHash).execute()
}

export async function removeExpiredRecords(db: Db, now: string): Promise<void> {
  await db.deleteFrom('app_records').where('date_expire', '<', now).execute()
}
