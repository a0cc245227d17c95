// Media files of a project: pictures and films in the place of the encoder.
import {
  type MediaError,
  mediaLimits,
  type MediaStatus,
  type MediaStep,
  type MediaUse,
} from '#contract/entities/media.ts'
import type { Slates } from '#contract/relay/desired-state.ts'
import type { Upload } from '#contract/core/upload.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { checkFilmRoom, findFilmRoom } from '#server/domain/ingest/film-room.ts'
import { contentTypeOf, readPicture, storePicture } from '#server/domain/account/pictures.ts'
import { removeFile } from '#server/domain/account/store.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { isUploading, removeFilm } from './films.ts'
import {
  countMedia,
  findMedia,
  insertMedia,
  listMedia,
  type MediaRow,
  type MediaWithUpload,
  removeMediaRow,
  updateMedia,
} from './store.ts'
import { setMedia } from '#server/domain/ingest/stream-keys.ts'
import { findStreamKey } from '#server/domain/ingest/stream-keys-store.ts'

/** Returns a file of a project. @throws RuleError `MediaNotFound` */
export async function getMedia(db: ReadDb, projectId: number, id: number): Promise<MediaWithUpload> {
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
    if ((await countMedia(trx, projectId, 'picture')) >= mediaLimits.files)
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

/**
 * Deletes a file; where it is chosen, nothing is chosen any more.
 * @throws RuleError `MediaNotFound`; `MediaInUse` for a film that plays
 */
export const removeMedia = (services: Services, projectId: number, id: number): Promise<void> =>
  projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    const row = await getMedia(trx, projectId, id)
    if (row.kind === 'film') return await removeFilm(services, trx, row)
    await removeMediaRow(trx, id)
    await removeFile(trx, row.file)
  })

/**
 * Chooses the file for a pause, or for a lost encoder.
 * @param choice `id` null: none
 * @throws RuleError `MediaNotFound`; `MediaNotReady`, `MediaTooLong`, `FilmTooLarge` for a film
 */
export const chooseMedia = (
  services: Services,
  by: { readonly projectId: number; readonly userId: number },
  { use, id }: { readonly use: MediaUse; readonly id: number | null },
): Promise<void> =>
  projectTransaction(services.db, by.projectId, async (trx) => {
    // The file is not deleted meanwhile.
    await lockProject(trx, by.projectId)
    const row = id === null ? null : await getMedia(trx, by.projectId, id)
    if (row && row.state !== 'ready') throw new RuleError('MediaNotReady')
    if (row && row.duration_ms > mediaLimits.slateMs)
      throw new RuleError(
        'MediaTooLong',
        { max: mediaLimits.slateMs / 1000 },
        { minutes: mediaLimits.slateMs / 60_000 },
      )
    if (row?.kind === 'film')
      checkFilmRoom(await findFilmRoom(trx, services.clock.now()), { name: row.name, bytes: Number(row.bytes) })
    await setMedia(services, trx, by, { use, id, name: row?.name ?? '' })
  })

/** Returns whether a file can be chosen for a pause or a lost encoder. */
export const isChoosable = ({ state, duration_ms }: MediaRow): boolean =>
  state === 'ready' && duration_ms <= mediaLimits.slateMs

/**
 * Returns the chosen files for the relay.
 * @param features of the node: without `clips` it receives the picture of a film
 */
export async function slatesOf(db: ReadDb, projectId: number, features: ReadonlySet<string>): Promise<Slates> {
  const key = await findStreamKey(db, projectId)
  const chosen = [key?.lost_media_id ?? null, key?.pause_media_id ?? null]
  if (chosen.every((id) => id === null)) return {}
  const rows = await listMedia(db, projectId)
  const fileOf = (row: MediaRow | undefined): string | undefined =>
    row?.kind === 'film' && !features.has('clips') ? (row.thumbnail ?? undefined) : row?.file
  const [lost, pause] = chosen.map((id) => fileOf(rows.find((row) => row.id === id)))
  return { ...(lost !== undefined && { lost }), ...(pause !== undefined && { pause }) }
}

/** Returns status, step and progress of a file as the wire has them. */
export function progressOf({
  state,
  error,
  done,
  length = null,
  received = null,
}: Pick<MediaRow, 'state' | 'error' | 'done'> & Partial<Pick<MediaWithUpload, 'length' | 'received'>>): MediaProgress {
  if (state === 'ready') return { status: 'success' }
  if (state === 'cancelled') return { status: 'cancel' }
  if (state === 'failed' || state === 'missing') return { status: 'error', error: error ?? 'missing' }
  const step: MediaStep = isUploading({ state }) ? 'uploading' : state === 'uploaded' ? 'waiting' : 'preparing'
  const part = Number(length) > 0 ? Math.min(100, Math.floor((Number(received) * 100) / Number(length))) : 0
  return { status: 'processing', step, done: step === 'uploading' ? part : done }
}

export interface MediaProgress {
  readonly status: MediaStatus
  readonly step?: MediaStep
  /** Percent of the step. */
  readonly done?: number
  readonly error?: MediaError
}
