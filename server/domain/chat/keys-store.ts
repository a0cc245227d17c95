// SQL of chat keys.
import type { Insertable, Selectable } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { ChatTables } from '#server/db/tables-chat.ts'

export type ChatKeyRow = Selectable<ChatTables['chat_keys']>

const active = (db: ReadDb) => db.selectFrom('chat_keys').selectAll().where('date_revoke', 'is', null)

/** Returns the active keys of a project that only read, oldest first. */
export const listReadKeys = (db: ReadDb, projectId: number): Promise<ChatKeyRow[]> =>
  active(db).where('project_id', '=', projectId).where('rights', '=', 'read').orderBy('id').execute()

/** Returns the active key with a hash. */
export const findKeyByHash = (db: ReadDb, hash: string): Promise<ChatKeyRow | undefined> =>
  active(db).where('key_hash', '=', hash).executeTakeFirst()

/** Returns an active key of a project. */
export const findKey = (db: ReadDb, projectId: number, id: number): Promise<ChatKeyRow | undefined> =>
  active(db).where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()

/** Returns the active keys of a project, oldest first. */
export const listKeys = (db: ReadDb, projectId: number): Promise<ChatKeyRow[]> =>
  active(db).where('project_id', '=', projectId).orderBy('id').execute()

/** Returns those of these keys that are active, with their projects. */
export async function listActiveKeys(
  db: ReadDb,
  ids: readonly number[],
): Promise<Pick<ChatKeyRow, 'id' | 'project_id' | 'rights'>[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('chat_keys')
    .select(['id', 'project_id', 'rights'])
    .where('id', 'in', ids)
    .where('date_revoke', 'is', null)
    .execute()
}

/** Inserts a key. */
export const insertKey = (db: Db | Trx, row: Insertable<ChatTables['chat_keys']>): Promise<ChatKeyRow> =>
  db.insertInto('chat_keys').values(row).returningAll().executeTakeFirstOrThrow()

/** Updates the time of the last use, if that was before `ifBefore`. Times are ISO 8601. */
export async function updateKeyUse(
  db: Db,
  id: number,
  { at, ifBefore }: { at: string; ifBefore: string },
): Promise<void> {
  await db
    .updateTable('chat_keys')
    .set({ date_use: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('date_use', 'is', null), eb('date_use', '<', ifBefore)]))
    .execute()
}

/** Revokes a key. */
export async function updateKeyRevoked(trx: Trx, id: number, at: string): Promise<void> {
  await trx.updateTable('chat_keys').set({ date_revoke: at }).where('id', '=', id).execute()
}
