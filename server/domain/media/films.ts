// Films of a project: from the reservation of their space to their removal.
import { randomBytes } from 'node:crypto'
import { type MediaError, mediaLimits } from '#contract/entities/media.ts'
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { scheduleJob } from '#server/db/jobs.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { MediaState } from '#server/db/tables-broadcasts.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { lockInstallation } from '#server/domain/installation/store.ts'
import { findStreamKey, updateStreamKey } from '#server/domain/ingest/stream-keys-store.ts'
import { listAirStarts, lockProject } from '#server/domain/tariffs/store.ts'
import { cleanKind, expireKind, prepareKind } from './jobs.ts'
import { leftOf, storageOf } from './space.ts'
import { countMedia, findMedia, insertMedia, isScheduled, type MediaRow, updateMedia } from './store.ts'
import { findUpload, insertUpload, sumMissing, updateUpload, type UploadRow } from './uploads-store.ts'

/** An upload that nothing continues for this time is cancelled. */
export const untouchedMs = dayMs

type FilmServices = Pick<Services, 'clock' | 'config' | 'db'>
/** A film of a project. */
export interface FilmKey {
  readonly projectId: number
  readonly id: number
}

/** States in which a film is processed. */
const processing: readonly MediaState[] = ['new', 'uploading', 'uploaded', 'preparing']
export const isProcessing = ({ state }: Pick<MediaRow, 'state'>): boolean => processing.includes(state)
/** Returns whether the upload of a film may begin or continue. */
export const isUploading = ({ state }: Pick<MediaRow, 'state'>): boolean => state === 'new' || state === 'uploading'

/** Returns a film of a project. @throws RuleError `MediaNotFound` */
export async function getFilm(db: ReadDb, { projectId, id }: FilmKey) {
  const row = await findMedia(db, projectId, id)
  if (row?.kind !== 'film') throw new RuleError('MediaNotFound')
  return row
}

/**
 * Adds a film, which has nothing yet.
 * @param about `name` empty: that of the uploaded file
 * @throws RuleError `NoStorage`, `TooManyMedia_films`
 */
export const addFilm = (
  services: FilmServices,
  projectId: number,
  { name, userId }: { readonly name: string; readonly userId: number },
): Promise<MediaRow> =>
  projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    if ((await storageOf(services, projectId, { db: trx })).limit <= 0) throw new RuleError('NoStorage')
    if ((await countMedia(trx, projectId, 'film')) >= mediaLimits.films)
      throw new RuleError('TooManyMedia_films', { max: mediaLimits.films })
    const now = iso(services.clock.now())
    const row = await insertMedia(trx, {
      project_id: projectId,
      kind: 'film',
      state: 'new',
      name,
      file: '',
      content_type: 'video/mp4',
      bytes: 0,
      user_id: userId,
      date_create: now,
    })
    await insertUpload(trx, { media_id: row.id, file_id: randomBytes(16).toString('hex'), date_touch: now })
    await scheduleJob(trx, expireKind, row.id, { inMs: untouchedMs })
    return row
  })

/** Returns the upload of a film that may begin or continue. @throws RuleError `MediaNotFound`, `MediaNotProcessing` */
export async function getUpload(db: ReadDb, key: FilmKey): Promise<UploadRow> {
  const film = await getFilm(db, key)
  const upload = isUploading(film) ? await findUpload(db, film.id) : undefined
  if (!upload) throw new RuleError('MediaNotProcessing')
  return upload
}

/** Upload as its first request announces it. */
export interface Announced {
  /** Bytes. */
  readonly length: number
  /** Of the file, without its ending. */
  readonly name: string
  /** Bytes that fit on the disk, beside what other uploads have announced and not sent yet. */
  readonly room: number
}

/**
 * Reserves the space of an upload. An upload that begins anew replaces its reservation, and has no length until its earlier
 * bytes are gone: they never count for it.
 * @throws RuleError `MediaNotFound`, `MediaNotProcessing`, `NoStorage`, `StorageFull`, `UploadsRefused_disk`
 */
export const beginUpload = (
  services: FilmServices,
  { projectId, id }: FilmKey,
  { length, name, room }: Announced,
): Promise<void> =>
  projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    const film = await getFilm(trx, { projectId, id })
    if (!isUploading(film)) throw new RuleError('MediaNotProcessing')
    const space = await storageOf(services, projectId, { db: trx, exceptFilm: id })
    if (space.limit <= 0) throw new RuleError('NoStorage')
    const left = leftOf(space)
    if (length > left) throw new RuleError('StorageFull', { left }, { megabytes: Math.floor(left / 1_000_000) })
    // Uploads of two projects never share a byte of the disk.
    await lockInstallation(trx)
    if (length > room - (await sumMissing(trx, id))) throw new RuleError('UploadsRefused_disk')
    await updateMedia(trx, id, { state: 'uploading', bytes: length, name: film.name === '' ? name : film.name })
    await updateUpload(trx, id, { length: null, received: 0, date_touch: iso(services.clock.now()) })
  })

/** Notes that an upload has its empty file: pieces may follow. */
export const noteBegun = ({ db }: Pick<Services, 'db'>, { id }: FilmKey, { length }: Announced): Promise<void> =>
  updateUpload(db, id, { length })

/** Notes how much of an upload has arrived. */
export const noteReceived = (
  { db, clock }: Pick<Services, 'clock'> & { readonly db: Db },
  id: number,
  received: number,
) => updateUpload(db, id, { received, date_touch: iso(clock.now()) })

/** Ends an upload that is complete: a relay node prepares it. @returns false when it was cancelled meanwhile */
export const finishUpload = (services: FilmServices, { projectId, id }: FilmKey): Promise<boolean> =>
  projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    const film = await findMedia(trx, projectId, id)
    if (film?.state !== 'uploading') return false
    await updateMedia(trx, id, { state: 'uploaded', done: 0 })
    await scheduleJob(trx, prepareKind, id)
    return true
  })

/** Cancels the upload or preparation of a film: its space is free. @throws RuleError `MediaNotFound`, `MediaNotProcessing` */
export const cancelFilm = ({ db }: Pick<Services, 'db'>, { projectId, id }: FilmKey): Promise<void> =>
  projectTransaction(db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    const film = await getFilm(trx, { projectId, id })
    if (!isProcessing(film)) throw new RuleError('MediaNotProcessing')
    await endFilm(trx, id, 'cancelled', null)
  })

/** Cancels an upload that nothing continues. @returns when to look again, ISO 8601; null: it is over */
export const expireUpload = ({ db, clock }: Pick<Services, 'clock' | 'db'>, film: MediaRow): Promise<string | null> =>
  projectTransaction(db, film.project_id, async (trx) => {
    await lockProject(trx, film.project_id)
    const row = await findMedia(trx, film.project_id, film.id)
    const upload = row && isUploading(row) ? await findUpload(trx, film.id) : undefined
    if (!upload) return null
    const due = iso(later(new Date(upload.date_touch), untouchedMs))
    if (due > iso(clock.now())) return due
    await endFilm(trx, film.id, 'cancelled', null)
    return null
  })

/** Ends the processing of a film without a result. The project is locked. */
export async function endFilm(
  trx: Trx,
  id: number,
  state: 'cancelled' | 'failed',
  error: MediaError | null,
): Promise<void> {
  await updateMedia(trx, id, { state, error, bytes: 0, done: 0 })
  await updateUpload(trx, id, { job: null, node: null })
  await scheduleJob(trx, cleanKind, id)
}

/**
 * Deletes a film: hides it immediately, and frees its space. Its files follow by a job.
 * @throws RuleError `MediaInUse` while it is chosen and the project is on air
 */
export async function removeFilm({ clock }: Pick<Services, 'clock'>, trx: Trx, film: MediaRow): Promise<void> {
  const { id, project_id: projectId } = film
  if (await isInUse(trx, film)) throw new RuleError('MediaInUse')
  const key = await findStreamKey(trx, projectId)
  if (key?.lost_media_id === id) await updateStreamKey(trx, projectId, { lost_media_id: null })
  if (key?.pause_media_id === id) await updateStreamKey(trx, projectId, { pause_media_id: null })
  await updateMedia(trx, id, { date_delete: iso(clock.now()) })
  await scheduleJob(trx, cleanKind, id)
}

/** Returns whether a film may be shown at any moment. */
async function isInUse(db: ReadDb, { id, project_id: projectId }: MediaRow): Promise<boolean> {
  if (await isScheduled(db, projectId, id)) return true
  const key = await findStreamKey(db, projectId)
  const isChosen = key?.lost_media_id === id || key?.pause_media_id === id
  return isChosen && (await listAirStarts(db, [projectId])).has(projectId)
}
