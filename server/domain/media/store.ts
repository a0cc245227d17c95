// SQL of media files.
import type { Insertable, Selectable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type MediaRow = Selectable<Tables['media_files']>

/** Returns the media files of a project, newest first. */
export const listMedia = (db: ReadDb, projectId: number): Promise<MediaRow[]> =>
  db.selectFrom('media_files').selectAll().where('project_id', '=', projectId).orderBy('id', 'desc').execute()

export const findMedia = (db: ReadDb, projectId: number, id: number): Promise<MediaRow | undefined> =>
  db.selectFrom('media_files').selectAll().where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()

export const countMedia = (db: ReadDb, projectId: number): Promise<number> =>
  countRows(db.selectFrom('media_files').where('project_id', '=', projectId))

export const insertMedia = (trx: Trx, values: Insertable<Tables['media_files']>): Promise<MediaRow> =>
  trx.insertInto('media_files').values(values).returningAll().executeTakeFirstOrThrow()

export async function updateMedia(trx: Trx, id: number, values: { readonly name: string }): Promise<void> {
  await trx.updateTable('media_files').set(values).where('id', '=', id).execute()
}

export async function removeMediaRow(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('media_files').where('id', '=', id).execute()
}
