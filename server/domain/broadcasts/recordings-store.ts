// SQL of recordings and of their removal for space. `node` is the machine whose disk has the file, or `archiveMachine`.
// Rows with `date_delete` are hidden until the file is deleted.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { RecordingTables } from '#server/db/tables-broadcasts.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'

// SQL of announced removals of recordings.

export type RemovalRow = Selectable<TariffTables['storage_removals']>

/** Returns the projects with an announced removal. */
export async function listAnnounced(db: ReadDb): Promise<number[]> {
  const rows = await db.selectFrom('storage_removals').select('project_id').execute()
  return rows.map(({ project_id }) => project_id)
}

/** Returns the recordings of a machine that are not deleted, with their files. */
export const listRecordingFiles = (db: ReadDb, node: string): Promise<Pick<RecordingRow, 'id' | 'file'>[]> =>
  db.selectFrom('recordings').select(['id', 'file']).where('node', '=', node).where('date_delete', 'is', null).execute()

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

export type RecordingRow = Selectable<RecordingTables['recordings']>

/** A file of a machine, by the name that its node gave it. */
interface NodeFile {
  readonly node: string
  readonly name: string
}

/** Returns one page of recordings: of a broadcast in order of time, else of a project, newest first; and the number of all. */
export async function listRecordings(
  db: ReadDb,
  { project_id, broadcast_id }: { readonly project_id: number; readonly broadcast_id: number | undefined },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: RecordingRow[]; readonly total: number }> {
  const found = db
    .selectFrom('recordings')
    .where('project_id', '=', project_id)
    .where('date_delete', 'is', null)
    .$if(broadcast_id !== undefined, (query) => query.where('broadcast_id', '=', Number(broadcast_id)))
  const rows = await found
    .selectAll()
    .orderBy('id', broadcast_id === undefined ? 'desc' : 'asc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { count } = await found.select((eb) => eb.fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow()
  return { rows, total: Number(count) }
}

/** Returns the number of files of each broadcast, by id; broadcasts without files are left out. */
export async function countRecordings(
  db: ReadDb,
  broadcastIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (broadcastIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('recordings')
    .select((eb) => ['broadcast_id', eb.fn.countAll<number | string>().as('count')])
    .where('broadcast_id', 'in', broadcastIds)
    .where('state', '!=', 'failed')
    .where('date_delete', 'is', null)
    .groupBy('broadcast_id')
    .execute()
  return new Map(rows.map(({ broadcast_id, count }) => [broadcast_id ?? 0, Number(count)]))
}

/** Returns the names of a machine's files that its nodes have to delete, at most 1000. */
export async function listRemoved(db: ReadDb, node: string): Promise<string[]> {
  const rows = await db
    .selectFrom('recordings')
    .select('name')
    .where('node', '=', node)
    .where('date_delete', 'is not', null)
    .limit(1000)
    .execute()
  return rows.map(({ name }) => name)
}

/** Returns a recording of a project. */
export const findRecording = (db: ReadDb, projectId: number, id: number): Promise<RecordingRow | undefined> =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('date_delete', 'is', null)
    .executeTakeFirst()

/** Returns the finished recordings of a project among some ids. */
export const listRecordingsOf = async (
  db: ReadDb,
  projectId: number,
  ids: readonly number[],
): Promise<RecordingRow[]> =>
  ids.length === 0
    ? []
    : await db
        .selectFrom('recordings')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('id', 'in', ids)
        .where('state', '=', 'ready')
        .where('date_delete', 'is', null)
        .execute()

/** Returns the recording of a file. */
export const findRecordingOfFile = (trx: ReadDb, { node, name }: NodeFile) =>
  trx
    .selectFrom('recordings')
    .select(['id', 'broadcast_id', 'state', 'bytes'])
    .where('node', '=', node)
    .where('name', '=', name)
    .executeTakeFirst()

/** Inserts a recording. */
export async function insertRecording(trx: Trx, row: Insertable<RecordingTables['recordings']>): Promise<void> {
  await trx.insertInto('recordings').values(row).execute()
}

/** Updates a recording. */
export async function updateRecording(
  trx: Trx,
  id: number,
  change: Updateable<RecordingTables['recordings']>,
): Promise<void> {
  await trx.updateTable('recordings').set(change).where('id', '=', id).execute()
}

/** Removes the recording of a file that the node has deleted. */
export async function removeRecordingOfFile(trx: Trx, { node, name }: NodeFile): Promise<void> {
  await trx.deleteFrom('recordings').where('node', '=', node).where('name', '=', name).execute()
}

/** Stands for the bucket in the place of a machine. Machines have names of hosts, without this character. */
export const archiveMachine = '@s3'

/**
 * Returns the oldest finished recording of some machines.
 * @param except recordings to leave out
 */
export const findToArchive = (
  db: ReadDb,
  { machines, except }: { readonly machines: readonly string[]; readonly except: readonly number[] },
): Promise<RecordingRow | undefined> =>
  machines.length === 0
    ? Promise.resolve(undefined)
    : db
        .selectFrom('recordings')
        .selectAll()
        .where('state', '=', 'ready')
        .where('node', 'in', machines)
        .where('bytes', '>', 0)
        .where('date_delete', 'is', null)
        .$if(except.length > 0, (query) => query.where('id', 'not in', except))
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()

/** Name of the hidden row of an object that is being uploaded. */
const uploadOf = (name: string): string => `upload of ${name}`

/**
 * Inserts a hidden row for an object before its upload. Objects of hidden rows are removed, so that an upload whose recording does
 * not move leaves none.
 * @param name of the object
 */
export async function insertUpload(db: Db, { id: _, ...row }: RecordingRow, name: string, date: string): Promise<void> {
  const hidden = { node: archiveMachine, name: uploadOf(name), file: name, date_delete: date }
  await db
    .insertInto('recordings')
    .values({ ...row, ...hidden })
    .execute()
}

/**
 * Moves a recording to the bucket. The file of its machine gets a hidden row of its own, so that a node deletes it as every other.
 * One that was deleted meanwhile stays so, and its object is removed as every other.
 * @param name of the object
 * @returns false: the row is gone, as the node has deleted the file
 */
export async function updateMovedRecording(trx: Trx, row: RecordingRow, name: string, date: string): Promise<boolean> {
  const moved = trx.updateTable('recordings').set({ node: archiveMachine, name, file: name }).where('id', '=', row.id)
  if (!(await moved.executeTakeFirst()).numUpdatedRows) return false
  const { id: _, ...file } = row
  await insertRecording(trx, { ...file, date_delete: date })
  await removeRecordingOfFile(trx, { node: archiveMachine, name: uploadOf(name) })
  return true
}

/** Returns whether an object is that of a recording, deleted or not. */
export const hasMovedRecording = async (db: ReadDb, name: string): Promise<boolean> =>
  (await findRecordingOfFile(db, { node: archiveMachine, name })) !== undefined

/** Returns the deleted recordings of the bucket, at most 1000. */
export const listRemovedFromArchive = (db: ReadDb): Promise<Pick<RecordingRow, 'name' | 'file'>[]> =>
  db
    .selectFrom('recordings')
    .select(['name', 'file'])
    .where('node', '=', archiveMachine)
    .where('date_delete', 'is not', null)
    .limit(1000)
    .execute()
