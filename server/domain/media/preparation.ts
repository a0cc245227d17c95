// Preparation of films: which relay node works on an upload, and how it ends.
import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { MediaError } from '#contract/entities/media.ts'
import { dayMs } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { scheduleJob, scheduleJobs } from '#server/db/jobs.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { storePicture } from '#server/domain/account/pictures.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { ticketsOf } from '#server/core/tickets.ts'
import { endFilm } from './films.ts'
import { cleanKind, prepareKind } from './jobs.ts'
import { leftOf, storageOf } from './space.ts'
import { findAnyMedia, lockMedia, type MediaRow, updateMedia } from './store.ts'
import {
  claimPreparation,
  findPreparation,
  findUploadOfJob,
  listUploaded,
  updatePreparation,
  updateUpload,
  type UploadRow,
} from './uploads-store.ts'

/** A node that sends nothing for this time loses its preparation. */
export const silentMs = 30_000
/** Nodes that a film may cost: one that ends its node, or takes all its memory, is not tried for ever. */
const attemptsMax = 3

/** A preparation: the film, and its secret name. */
const Job = z.object({ id: z.int(), job: z.string() })
/** Open the files of one preparation to its node, as long as it lasts. */
export const prepareTickets = ticketsOf('preparation ticket', Job, dayMs)

/** Returns the name of the prepared film, which does not depend on how often its end is reported. */
export const masterOf = (job: string): string =>
  `${createHash('sha256').update(`master ${job}`).digest('hex').slice(0, 32)}.mp4`

/** Returns the name of the film that a node sends: the upload, by which it is found without the preparation, and the master. */
export const makingOf = (upload: { readonly file_id: string; readonly job: string }): `making/${string}` =>
  `making/${upload.file_id}.${masterOf(upload.job)}`

/** What a node receives. */
export interface Assignment {
  readonly node: string
  readonly job: string
  readonly ticket: string
  readonly bytes: number
  /** Largest prepared film. */
  readonly bytesMax: number
}

/** `waitMs`: until the next look; null: there is nothing to prepare. */
export interface Assigned {
  readonly assignment: Assignment | null
  readonly waitMs: number | null
  /** Name of the upload: what an earlier node sent of its master is worthless. Null: none did. */
  readonly dropped: string | null
  /** It changed without a node. */
  readonly film: MediaRow | null
}

const nothing: Assigned = { assignment: null, waitMs: null, dropped: null, film: null }

/**
 * Assigns the preparation of a film to a node, unless one works on it.
 * @param nodes that would take it, the best first
 */
export async function assignPreparation(
  services: Pick<Services, 'clock' | 'config' | 'db'>,
  id: number,
  nodes: readonly string[],
): Promise<Assigned> {
  const known = await findAnyMedia(services.db, id)
  if (!known) return nothing
  return projectTransaction(services.db, known.project_id, async (trx) => {
    await lockProject(trx, known.project_id)
    const film = await lockMedia(trx, id)
    const isOpen = film !== undefined && film.date_delete === null && ['uploaded', 'preparing'].includes(film.state)
    const found = isOpen ? await findPreparation(trx, film) : undefined
    if (!film || !found) return nothing
    const { upload, leftMs } = found
    if (film.state === 'preparing' && leftMs > 0) return { ...nothing, waitMs: leftMs }
    if (upload.attempts >= attemptsMax) {
      await endFilm(trx, id, 'failed', 'too-costly')
      return { ...nothing, film: { ...film, state: 'failed', error: 'too-costly' } }
    }
    // The node that was silent is the last choice.
    const node = nodes.find((one) => one !== upload.node) ?? nodes[0]
    if (node === undefined) {
      await updateUpload(trx, id, { job: null })
      await updateMedia(trx, id, { state: 'uploaded', done: 0 })
      const dropped = upload.file_id
      return {
        ...nothing,
        dropped,
        waitMs: silentMs,
        film: film.state === 'preparing' ? { ...film, state: 'uploaded' } : null,
      }
    }
    const job = randomBytes(16).toString('hex')
    await claimPreparation(trx, id, { job, node, ms: silentMs })
    await updateMedia(trx, id, { state: 'preparing', done: 0 })
    const space = await storageOf(services, film.project_id, { db: trx, exceptFilm: id })
    const { ticket } = prepareTickets.issue(services, { id, job })
    return {
      assignment: { node, job, ticket, bytes: Number(upload.length), bytesMax: leftOf(space) },
      waitMs: silentMs,
      dropped: upload.file_id,
      film: { ...film, state: 'preparing', done: 0 },
    }
  })
}

/** Has films that wait for a node prepared now. */
export async function schedulePreparations(db: Db): Promise<void> {
  const waiting = await listUploaded(db, 10)
  if (waiting.length === 0) return
  const jobs = waiting.map((id) => ({ ...prepareKind, key: String(id) }))
  await transaction(db, (trx) => scheduleJobs(trx, jobs))
}

/**
 * Notes that a node works on a film.
 * @param done percent; null: unchanged
 * @returns the film; undefined: the preparation is over, and the node ends it
 */
export async function notePreparing(
  { db }: Pick<Services, 'db'>,
  job: string,
  done: number | null,
): Promise<MediaRow | undefined> {
  const found = await updatePreparation(db, job, silentMs)
  if (!found) return undefined
  if (done !== null) await transaction(db, (trx) => updateMedia(trx, found.media_id, { done }))
  return findAnyMedia(db, found.media_id)
}

/** Returns the upload of a preparation in progress, which it extends; undefined: it is over. */
export async function admitPreparing(
  services: Pick<Services, 'clock' | 'config' | 'db'>,
  ticket: string,
): Promise<UploadRow | undefined> {
  const about = prepareTickets.read(services, ticket)
  if (!about || !(await updatePreparation(services.db, about.job, silentMs))) return undefined
  return findUploadOfJob(services.db, about.job)
}

/** Runs a change of a preparation in progress. @returns undefined when it is over */
async function changePreparing<T>(
  { db }: Pick<Services, 'db'>,
  job: string,
  change: (trx: Trx, film: MediaRow, upload: UploadRow) => Promise<T>,
): Promise<T | undefined> {
  const known = await findUploadOfJob(db, job)
  const about = known && (await findAnyMedia(db, known.media_id))
  if (!about) return undefined
  return projectTransaction(db, about.project_id, async (trx) => {
    await lockProject(trx, about.project_id)
    const film = await lockMedia(trx, about.id)
    const upload = await findUploadOfJob(trx, job)
    if (film?.state !== 'preparing' || film.date_delete !== null || upload?.media_id !== film.id) return undefined
    return change(trx, film, upload)
  })
}

/** Gives a film to a node again. @param counts the attempt counts: the node did not just have no room */
export const returnPreparation = (
  services: Pick<Services, 'db'>,
  job: string,
  counts: boolean,
): Promise<MediaRow | undefined> =>
  changePreparing(services, job, async (trx, film, { attempts }) => {
    await updateUpload(trx, film.id, { job: null, attempts: attempts - (counts ? 0 : 1) })
    await updateMedia(trx, film.id, { state: 'uploaded', done: 0 })
    await scheduleJob(trx, prepareKind, film.id, { inMs: 5_000 })
    return { ...film, state: 'uploaded' }
  })

/** Ends the preparation of a film that cannot be prepared. */
export const failPreparation = (
  services: Pick<Services, 'db'>,
  job: string,
  error: MediaError,
): Promise<MediaRow | undefined> =>
  changePreparing(services, job, async (trx, film) => {
    await endFilm(trx, film.id, 'failed', error)
    return { ...film, state: 'failed', error, bytes: 0 }
  })

/** Ends the preparation of a film whose upload is gone, such as after the restore of a backup. @returns false when it is over */
export const loseUpload = ({ db }: Pick<Services, 'db'>, film: MediaRow): Promise<boolean> =>
  projectTransaction(db, film.project_id, async (trx) => {
    await lockProject(trx, film.project_id)
    const row = await lockMedia(trx, film.id)
    if (row?.state !== 'uploaded' && row?.state !== 'preparing') return false
    await endFilm(trx, film.id, 'failed', 'missing')
    return true
  })

/** Facts of a prepared film. */
export interface Prepared {
  readonly bytes: number
  readonly durationMs: number
  readonly width: number
  readonly height: number
  /** JPEG. */
  readonly thumbnail: Buffer
}

/** Ends the preparation of a film whose file has its name. A film that exceeds the space fails. */
export const completePreparation = (
  services: Pick<Services, 'clock' | 'config' | 'db'>,
  job: string,
  { bytes, durationMs, width, height, thumbnail }: Prepared,
): Promise<MediaRow | undefined> =>
  changePreparing(services, job, async (trx, film) => {
    const left = leftOf(await storageOf(services, film.project_id, { db: trx, exceptFilm: film.id }))
    if (bytes > left) {
      await updateMedia(trx, film.id, { file: masterOf(job) })
      await endFilm(trx, film.id, 'failed', 'no-space')
      return { ...film, state: 'failed', error: 'no-space', bytes: 0 }
    }
    const picture = await storePicture(trx, { content: thumbnail, extension: 'jpg', width: 0, height: 0 })
    const facts = { file: masterOf(job), thumbnail: picture, bytes, width, height, duration_ms: durationMs }
    await updateMedia(trx, film.id, { ...facts, state: 'ready', done: 100 })
    await updateUpload(trx, film.id, { job: null, node: null })
    await scheduleJob(trx, cleanKind, film.id)
    return { ...film, ...facts, state: 'ready' }
  })
