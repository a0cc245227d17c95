// SQL of media files. Deleted ones are hidden until their files are removed.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { MediaKind } from '#contract/entities/media.ts'

export type MediaRow = Selectable<Tables['media_files']>
/** A file, with its upload if there is one. */
export type MediaWithUpload = MediaRow & {
  readonly length: number | string | null
  readonly received: number | string | null
}

const found = (db: ReadDb, projectId: number) =>
  db
    .selectFrom('media_files')
    .leftJoin('media_uploads', 'media_uploads.media_id', 'media_files.id')
    .selectAll('media_files')
    .select(['media_uploads.length', 'media_uploads.received'])
    .where('project_id', '=', projectId)
    .where('date_delete', 'is', null)

/** Returns the media files of a project, newest first. */
export const listMedia = (db: ReadDb, projectId: number): Promise<MediaWithUpload[]> =>
  found(db, projectId).orderBy('id', 'desc').execute()

export const findMedia = (db: ReadDb, projectId: number, id: number): Promise<MediaWithUpload | undefined> =>
  found(db, projectId).where('id', '=', id).executeTakeFirst()

/** Returns the films of a project among some ids, in any state. */
export const listFilmsOf = async (db: ReadDb, projectId: number, ids: readonly number[]): Promise<MediaRow[]> =>
  ids.length === 0
    ? []
    : await db
        .selectFrom('media_files')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('id', 'in', ids)
        .where('kind', '=', 'film')
        .where('date_delete', 'is', null)
        .execute()

/** Returns a file of any project, also a deleted one. */
export const findAnyMedia = (db: ReadDb, id: number): Promise<MediaRow | undefined> =>
  db.selectFrom('media_files').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns a file of any project, and locks it until the transaction ends. */
export const lockMedia = (trx: Trx, id: number): Promise<MediaRow | undefined> =>
  trx.selectFrom('media_files').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const countMedia = (db: ReadDb, projectId: number, kind: MediaKind): Promise<number> =>
  countRows(
    db
      .selectFrom('media_files')
      .where('project_id', '=', projectId)
      .where('kind', '=', kind)
      .where('date_delete', 'is', null),
  )

export const insertMedia = (trx: Trx, values: Insertable<Tables['media_files']>): Promise<MediaRow> =>
  trx.insertInto('media_files').values(values).returningAll().executeTakeFirstOrThrow()

export async function updateMedia(trx: Trx, id: number, values: Updateable<Tables['media_files']>): Promise<void> {
  await trx.updateTable('media_files').set(values).where('id', '=', id).execute()
}

export async function removeMediaRow(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('media_files').where('id', '=', id).execute()
}

/** Returns films whose prepared file should exist, by its name. @param after id of the last one. At most 1000, by id */
export const listMasters = (db: ReadDb, after: number): Promise<Pick<MediaRow, 'id' | 'file' | 'state'>[]> =>
  db
    .selectFrom('media_files')
    .select(['id', 'file', 'state'])
    .where('id', '>', after)
    .where('file', '!=', '')
    .where('kind', '=', 'film')
    .where('state', 'in', ['ready', 'missing'])
    .orderBy('id')
    .limit(1000)
    .execute()

/** Returns whether a film has a prepared file of this name. */
export const hasMaster = async (db: ReadDb, file: string): Promise<boolean> =>
  (await db.selectFrom('media_files').select('id').where('file', '=', file).executeTakeFirst()) !== undefined

/** Returns whether a schedule that is not over plays a file, or a run that is on. */
export async function isScheduled(db: ReadDb, projectId: number, mediaId: number): Promise<boolean> {
  const open = db.selectFrom('schedule_runs').where('project_id', '=', projectId).where('date_over', 'is', null)
  // A run keeps its files when its schedule changes.
  for (const { items } of await open.select('items').execute())
    if ((JSON.parse(items) as { readonly id: number }[]).some(({ id }) => id === mediaId)) return true
  const planned = await db
    .selectFrom('schedule_items as item')
    .innerJoin('schedules', 'schedules.id', 'item.schedule_id')
    .select('schedules.id')
    .where('schedules.project_id', '=', projectId)
    .where('item.media_id', '=', mediaId)
    .where((eb) =>
      eb.or([
        eb('schedules.date_next', 'is not', null),
        eb(
          'schedules.id',
          'in',
          open.where('schedule_id', 'is not', null).select('schedule_id').$castTo<{ schedule_id: number }>(),
        ),
      ]),
    )
    .executeTakeFirst()
  return planned !== undefined
}
