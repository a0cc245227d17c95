// SQL of stream keys.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type StreamKeyRow = Selectable<Tables['stream_keys']>

/** Returns the stream key of a project. */
export const findStreamKey = (db: ReadDb, projectId: number): Promise<StreamKeyRow | undefined> =>
  db.selectFrom('stream_keys').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/** Returns the stream key with a hash. */
export const findStreamKeyByHash = (db: ReadDb, hash: string): Promise<StreamKeyRow | undefined> =>
  db.selectFrom('stream_keys').selectAll().where('key_hash', '=', hash).executeTakeFirst()

/** Returns the stream key that replaced one with a hash. */
export const findStreamKeyByReplacedHash = (db: ReadDb, hash: string): Promise<StreamKeyRow | undefined> =>
  db.selectFrom('stream_keys').selectAll().where('replaced_hash', '=', hash).executeTakeFirst()

/** Inserts a stream key unless the project has one. @returns the stored one */
export async function insertStreamKey(trx: Trx, row: Insertable<Tables['stream_keys']>): Promise<StreamKeyRow> {
  await trx
    .insertInto('stream_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('stream_keys').selectAll().where('project_id', '=', row.project_id).executeTakeFirstOrThrow()
}

/** Updates the stream key of a project. */
export async function updateStreamKey(
  trx: Trx,
  projectId: number,
  change: Updateable<Tables['stream_keys']>,
): Promise<void> {
  await trx.updateTable('stream_keys').set(change).where('project_id', '=', projectId).execute()
}
