// SQL of pull keys.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type PullKeyRow = Selectable<Tables['pull_keys']>

/** Returns the pull keys of a project, oldest first. */
export const listPullKeyRows = (db: ReadDb, projectId: number): Promise<PullKeyRow[]> =>
  db.selectFrom('pull_keys').selectAll().where('project_id', '=', projectId).orderBy('id').execute()

/** Returns the ids of a project's pull keys. */
export async function listPullKeyIds(db: ReadDb, projectId: number): Promise<number[]> {
  const rows = await db.selectFrom('pull_keys').select('id').where('project_id', '=', projectId).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Returns the pull key with a hash. @param projectId left out: of any project */
export const findPullKeyByHash = (db: ReadDb, hash: string, projectId?: number): Promise<PullKeyRow | undefined> =>
  db
    .selectFrom('pull_keys')
    .selectAll()
    .where('key_hash', '=', hash)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .executeTakeFirst()

/** Returns a pull key for SRT. */
export const findSrtPullKey = (db: ReadDb, id: number): Promise<PullKeyRow | undefined> =>
  db.selectFrom('pull_keys').selectAll().where('id', '=', id).where('transport', '=', 'srt').executeTakeFirst()

/** Returns the number of a project's pull keys. */
export async function countPullKeys(trx: ReadDb, projectId: number): Promise<number> {
  return await countRows(trx.selectFrom('pull_keys').where('project_id', '=', projectId))
}

/** Inserts a pull key. @returns its id */
export async function insertPullKey(trx: Trx, row: Insertable<Tables['pull_keys']>): Promise<number> {
  const { id } = await trx.insertInto('pull_keys').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Updates a pull key. */
export async function updatePullKeyRow(
  db: Db | Trx,
  id: number,
  change: Updateable<Tables['pull_keys']>,
): Promise<void> {
  await db.updateTable('pull_keys').set(change).where('id', '=', id).execute()
}

/** Removes a pull key. */
export async function removePullKeyRow(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('pull_keys').where('id', '=', id).execute()
}
