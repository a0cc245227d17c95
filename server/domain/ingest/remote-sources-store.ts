// SQL of remote sources.
import type { Selectable, Updateable } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type RemoteSourceRow = Selectable<Tables['remote_sources']>

/** Kind of the jobs that assign remote sources to nodes; the key is the project. */
export const remoteSourceKind = { kind: 'ingest.remote-source' } as const

/** Returns the remote source of a project. */
export const findRemoteSource = (db: ReadDb, projectId: number): Promise<RemoteSourceRow | undefined> =>
  db.selectFrom('remote_sources').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/** Returns the remote sources that a node has to fetch. @param node null: sources without one */
export const listRemoteSources = (db: ReadDb, node: string | null): Promise<RemoteSourceRow[]> =>
  db
    .selectFrom('remote_sources')
    .selectAll()
    .where('node', node === null ? 'is' : '=', node)
    .where('is_on', '=', 1)
    .orderBy('project_id')
    .execute()

/** Returns the projects whose remote source is on. */
export const listRemoteProjects = async (db: ReadDb): Promise<number[]> =>
  (await db.selectFrom('remote_sources').select('project_id').where('is_on', '=', 1).execute()).map(
    (row) => row.project_id,
  )

/** Inserts the remote source of a project, or replaces it; its node stays. */
export async function upsertRemoteSource(trx: Trx, row: Omit<RemoteSourceRow, 'node'>): Promise<void> {
  const { project_id: _id, ...change } = row
  await trx
    .insertInto('remote_sources')
    .values({ ...row, node: null })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(change))
    .execute()
}

/** Updates the remote source of a project. */
export async function updateRemoteSource(
  db: Db | Trx,
  projectId: number,
  change: Updateable<Tables['remote_sources']>,
): Promise<void> {
  await db.updateTable('remote_sources').set(change).where('project_id', '=', projectId).execute()
}

/** Updates the state of a source that is on. @returns false when the node does not have it */
export async function updateRemoteState(
  db: Db,
  {
    projectId,
    node,
    ...change
  }: { readonly projectId: number; readonly node: string } & Pick<RemoteSourceRow, 'state' | 'words' | 'date_state'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('remote_sources')
    .set(change)
    .where('project_id', '=', projectId)
    .where('node', '=', node)
    .where('is_on', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes the remote source of a project. */
export async function removeRemoteSource(trx: Trx, projectId: number): Promise<void> {
  await trx.deleteFrom('remote_sources').where('project_id', '=', projectId).execute()
}
