// Media files of a project: pictures in the place of the encoder.
import { mediaLimits, type MediaUse } from '#contract/entities/media.ts'
import type { Slates } from '#contract/relay/desired-state.ts'
import type { Upload } from '#contract/core/upload.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { contentTypeOf, readPicture, storePicture } from '#server/domain/account/pictures.ts'
import { removeFile } from '#server/domain/account/store.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { countMedia, findMedia, insertMedia, listMedia, type MediaRow, removeMediaRow, updateMedia } from './store.ts'
import { setMedia } from '#server/domain/ingest/stream-keys.ts'
import { findStreamKey } from '#server/domain/ingest/stream-keys-store.ts'

/** Returns a file of a project. @throws RuleError `MediaNotFound` */
export async function getMedia(db: ReadDb, projectId: number, id: number): Promise<MediaRow> {
  const row = await findMedia(db, projectId, id)
  if (!row) throw new RuleError('MediaNotFound')
  return row
}

/**
 * Adds a picture.
 * @throws AppError 413, RuleError `PictureFormat`, `PictureTooLarge` (pixels), `TooManyMedia`
 */
export async function addPicture(
  services: Services,
  projectId: number,
  { name, upload }: { readonly name: string; readonly upload: Upload },
): Promise<MediaRow> {
  const picture = await readPicture(upload, mediaLimits.bytes)
  const { width, height } = picture
  if (width === 0 || height === 0) throw new RuleError('PictureFormat')
  if (Math.max(width, height) > mediaLimits.side) throw new RuleError('PictureTooLarge', { max: mediaLimits.side })
  return projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    if ((await countMedia(trx, projectId)) >= mediaLimits.files)
      throw new RuleError('TooManyMedia', { max: mediaLimits.files })
    const file = await storePicture(trx, picture)
    return insertMedia(trx, {
      project_id: projectId,
      name,
      file,
      content_type: contentTypeOf(file),
      bytes: picture.content.length,
      date_create: iso(services.clock.now()),
    })
  })
}

/** Renames a file. @throws RuleError `MediaNotFound` */
export const renameMedia = (
  { db }: Services,
  projectId: number,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<void> =>
  transaction(db, async (trx) => {
    await getMedia(trx, projectId, id)
    await updateMedia(trx, id, { name })
  })

/** Deletes a file; where it is chosen, nothing is chosen any more. @throws RuleError `MediaNotFound` */
export const removeMedia = ({ db }: Services, projectId: number, id: number): Promise<void> =>
  projectTransaction(db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    const { file } = await getMedia(trx, projectId, id)
    await removeMediaRow(trx, id)
    await removeFile(trx, file)
  })

/** Chooses the file for a pause, or for a lost encoder. @param choice `id` null: none @throws RuleError `MediaNotFound` */
export const chooseMedia = (
  services: Services,
  by: { readonly projectId: number; readonly userId: number },
  { use, id }: { readonly use: MediaUse; readonly id: number | null },
): Promise<void> =>
  projectTransaction(services.db, by.projectId, async (trx) => {
    // The file is not deleted meanwhile.
    await lockProject(trx, by.projectId)
    const row = id === null ? null : await getMedia(trx, by.projectId, id)
    await setMedia(services, trx, by, { use, id, name: row?.name ?? '' })
  })

/** Returns the chosen files for the relay. */
export async function slatesOf(db: ReadDb, projectId: number): Promise<Slates> {
  const key = await findStreamKey(db, projectId)
  const chosen = [key?.lost_media_id ?? null, key?.pause_media_id ?? null]
  if (chosen.every((id) => id === null)) return {}
  const rows = await listMedia(db, projectId)
  const [lost, pause] = chosen.map((id) => rows.find((row) => row.id === id)?.file)
  return { ...(lost !== undefined && { lost }), ...(pause !== undefined && { pause }) }
}
