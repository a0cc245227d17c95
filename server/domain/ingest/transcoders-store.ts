// SQL of transcoders.
import type { Selectable, Updateable } from 'kysely'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { TranscoderTables } from '#server/db/tables-broadcasts.ts'

export type TranscoderRow = Selectable<TranscoderTables['transcoders']>
/** Settings of a transcoder. */
export type TranscoderForm = Omit<TranscoderRow, 'id' | 'project_id' | 'active' | 'date_create'>

/** Returns the transcoders of a project, oldest first. */
export const listTranscoders = (db: ReadDb, projectId: number): Promise<TranscoderRow[]> =>
  db.selectFrom('transcoders').selectAll().where('project_id', '=', projectId).orderBy('id').execute()

/** Returns a transcoder of a project. */
export const findTranscoder = (db: ReadDb, projectId: number, id: number): Promise<TranscoderRow | undefined> =>
  db.selectFrom('transcoders').selectAll().where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()

/** Inserts a transcoder. @returns its id */
export async function insertTranscoder(trx: Trx, row: Omit<TranscoderRow, 'id'>): Promise<number> {
  const { id } = await trx.insertInto('transcoders').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Updates a transcoder. */
export async function updateTranscoder(
  trx: Trx,
  id: number,
  change: Updateable<TranscoderTables['transcoders']>,
): Promise<void> {
  await trx.updateTable('transcoders').set(change).where('id', '=', id).execute()
}

/** Removes a transcoder, and detaches its channels. */
export async function removeTranscoderRow(trx: Trx, { id, project_id }: TranscoderRow): Promise<void> {
  await detachAll(trx, project_id, id)
  await trx.deleteFrom('transcoders').where('id', '=', id).execute()
}

/** Attaches exactly these channels of the project to a transcoder. */
export async function updateTranscoderChannels(
  trx: Trx,
  { id, project_id }: Pick<TranscoderRow, 'id' | 'project_id'>,
  channelIds: readonly number[],
): Promise<void> {
  await detachAll(trx, project_id, id)
  if (channelIds.length === 0) return
  await trx
    .updateTable('project_channels')
    .set({ transcoder_id: id })
    .where('project_id', '=', project_id)
    .where('channel_id', 'in', channelIds)
    .execute()
}

const detachAll = (trx: Trx, projectId: number, id: number) =>
  trx
    .updateTable('project_channels')
    .set({ transcoder_id: null })
    .where('project_id', '=', projectId)
    .where('transcoder_id', '=', id)
    .execute()
