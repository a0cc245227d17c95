// SQL of announced removals of recordings.
import type { Selectable, Updateable } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'
import type { RecordingRow } from './recordings-store.ts'

export type RemovalRow = Selectable<TariffTables['storage_removals']>

/** Returns the projects to review: recordings of more than these bytes, or an announced removal. */
export async function listToReview(db: ReadDb, bytes: number): Promise<number[]> {
  const large = await db
    .selectFrom('recordings')
    .select('project_id')
    .where('date_delete', 'is', null)
    .groupBy('project_id')
    .having((eb) => eb.fn.sum('bytes'), '>', bytes)
    .execute()
  const announced = await db.selectFrom('storage_removals').select('project_id').execute()
  return [...new Set([...large, ...announced].map(({ project_id }) => project_id))]
}

/** Returns the announced removal of a project. */
export const findRemoval = (db: ReadDb, projectId: number): Promise<RemovalRow | undefined> =>
  db.selectFrom('storage_removals').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/** Inserts a removal. */
export const insertRemoval = (trx: Trx, projectId: number, date: string): Promise<RemovalRow> =>
  trx
    .insertInto('storage_removals')
    .values({ project_id: projectId, date_remove: date })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Updates a removal. */
export async function updateRemoval(
  trx: Trx,
  projectId: number,
  change: Updateable<TariffTables['storage_removals']>,
): Promise<void> {
  await trx.updateTable('storage_removals').set(change).where('project_id', '=', projectId).execute()
}

/** Clears the removal of a project. */
export async function removeStorageRemoval(trx: Trx, projectId: number): Promise<void> {
  await trx.deleteFrom('storage_removals').where('project_id', '=', projectId).execute()
}

/** Clears the removals of all projects. */
export async function removeStorageRemovals(db: Db): Promise<void> {
  await db.deleteFrom('storage_removals').execute()
}

/** Returns the finished recordings of a project, oldest first. */
export const listFinished = (db: ReadDb, projectId: number): Promise<RecordingRow[]> =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('state', 'in', ['ready', 'failed'])
    .where('date_delete', 'is', null)
    .orderBy('date_create')
    .orderBy('id')
    .execute()
