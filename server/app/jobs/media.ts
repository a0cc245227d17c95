// Jobs of films: preparation at a relay node, removal of files, end of abandoned uploads, and the comparison of rows and files.
import { dayMs, hourMs, iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { type JobKind, outcomeOf } from '#server/core/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { removeFile } from '#server/domain/account/store.ts'
import { expireUpload, finishUpload, isProcessing, isUploading } from '#server/domain/media/films.ts'
import { cleanKind, expireKind, prepareKind } from '#server/domain/media/jobs.ts'
import { assignPreparation, loseUpload } from '#server/domain/media/preparation.ts'
import {
  findAnyMedia,
  hasMaster,
  listMasters,
  type MediaRow,
  removeMediaRow,
  updateMedia,
} from '#server/domain/media/store.ts'
import { findUpload, hasUpload, removeUpload } from '#server/domain/media/uploads-store.ts'
import { publishFilm } from '#server/domain/realtime/film-progress.ts'
import type { MediaFolder } from '#server/app/media/media-folder.ts'
import type { MediaStore, StoredObject } from '#server/storage/store.ts'

const usual = { leaseMs: 60_000, backoff: { firstMs: 5_000, mostMs: hourMs }, parkAfter: 'never' } as const
/** A file without a row is removed after this time: its row may just be written. */
const orphanMs = dayMs
const weekMs = 7 * dayMs
/** A replica with another folder leaves the work to one with the right folder. */
const elsewhere = { againMs: 5_000 } as const
/** A film that waits until the disk has room for its master costs no attempt of a node. */
const fullDisk = { againMs: 30_000 } as const

/** Returns whether the disk has room for a film that waits for a node: masters are about as large as uploads. */
async function hasRoom({ db }: Services, folder: MediaFolder, id: number): Promise<boolean> {
  const film = await findAnyMedia(db, id)
  return film?.state !== 'uploaded' || film.bytes <= (await folder.room())
}

interface Files {
  readonly store: MediaStore
  readonly folder: MediaFolder
}

/** Returns the kinds of a service with a folder of media. */
export const mediaKindsOf = ({ store, folder }: Files): readonly JobKind[] => [
  {
    ...prepareKind,
    ...usual,
    atOnce: 4,
    async run(services: Services, job) {
      const id = Number(job.key)
      if (!(await isOwn(folder))) return elsewhere
      if (await endLost(services, store, id)) return 'done'
      if (!(await hasRoom(services, folder, id))) return fullDisk
      const { assignment, waitMs, dropped, film } = await assignPreparation(services, id, services.relay.preparers())
      if (dropped !== null) await removeMaking(store, dropped)
      if (assignment) {
        const { node, ...work } = assignment
        services.relay.prepare(node, work)
      }
      if (film) publishFilm(services, film, true)
      return waitMs === null ? 'done' : { againMs: waitMs }
    },
  },
  {
    ...cleanKind,
    ...usual,
    atOnce: 4,
    async run(services: Services, job) {
      if (!(await isOwn(folder))) return elsewhere
      const film = await findAnyMedia(services.db, Number(job.key))
      if (film) await clean(services, store, film)
      return 'done'
    },
  },
  {
    ...expireKind,
    ...usual,
    atOnce: 2,
    async run(services: Services, job) {
      const film = await findAnyMedia(services.db, Number(job.key))
      if (!film || !isUploading(film)) return 'done'
      if (!(await isOwn(folder))) return elsewhere
      if (await isWhole(services, store, film)) {
        // Its last piece arrived, and the replica was killed before it noted that.
        await finishUpload(services, { projectId: film.project_id, id: film.id })
        return 'done'
      }
      const due = await expireUpload(services, film)
      if (due === null) publishFilm(services, { ...film, state: 'cancelled' }, true)
      return outcomeOf(due, services.clock.now())
    },
  },
  {
    kind: 'media.reconcile',
    ...usual,
    leaseMs: hourMs,
    atOnce: 1,
    everyMs: weekMs,
    async run(services: Services, job) {
      // Another folder would look as if all files were gone.
      if (await isOwn(folder)) await reconcile(services, store, () => job.renew())
      return 'done'
    },
  },
]

const isOwn = (folder: MediaFolder): Promise<boolean> =>
  folder.check().then(
    () => true,
    () => false,
  )

/** Removes what nodes have sent of a film that is not complete. */
async function removeMaking(store: MediaStore, fileId: string): Promise<void> {
  for await (const { name } of store.list('making')) if (name.startsWith(`making/${fileId}.`)) await store.remove(name)
}

/** Ends a film whose upload is gone. @returns whether it is */
async function endLost(services: Services, store: MediaStore, id: number): Promise<boolean> {
  const film = await findAnyMedia(services.db, id)
  const upload = film && (await findUpload(services.db, id))
  if (!upload || (await store.size(`uploads/${upload.file_id}`)) !== null) return false
  // A film that is complete loses its upload too.
  if (await loseUpload(services, film)) publishFilm(services, { ...film, state: 'failed', error: 'missing' }, true)
  return true
}

async function isWhole({ db }: Services, store: MediaStore, { id }: MediaRow): Promise<boolean> {
  const { file_id: name = '', length = null } = (await findUpload(db, id)) ?? {}
  return length !== null && (await store.size(`uploads/${name}`)) === Number(length)
}

/** Removes the files that a film does not need any more, each before what names it. A run that was killed is repeated. */
async function clean({ db }: Services, store: MediaStore, film: MediaRow): Promise<void> {
  const isDeleted = film.date_delete !== null
  if (isDeleted || !isProcessing(film)) {
    const upload = await findUpload(db, film.id)
    if (upload) {
      await store.remove(`uploads/${upload.file_id}`)
      await removeMaking(store, upload.file_id)
      await removeUpload(db, film.id)
    }
  }
  if (film.file !== '' && (isDeleted || film.state === 'failed' || film.state === 'cancelled')) {
    await store.remove(`masters/${film.file}`)
    await transaction(db, (trx) => updateMedia(trx, film.id, { file: '' }))
  }
  if (!isDeleted) return
  await transaction(db, async (trx) => {
    await removeMediaRow(trx, film.id)
    if (film.thumbnail !== null) await removeFile(trx, film.thumbnail)
  })
}

/** Compares rows and files both ways: files without a row go after a day, films without a file are `missing`. */
export async function reconcile(services: Services, store: MediaStore, renew: () => Promise<void>): Promise<void> {
  const { db, clock, log } = services
  const before = iso(new Date(clock.now().getTime() - orphanMs))
  const removeOrphans = async (objects: AsyncIterable<StoredObject>, hasRow: (file: string) => Promise<boolean>) => {
    for await (const { name, at } of objects) {
      if (iso(at) > before || (await hasRow(name.slice(name.indexOf('/') + 1)))) continue
      await renew()
      await store.remove(name)
      log.info({ name }, 'A media file without a row was removed')
    }
  }
  await removeOrphans(store.list('masters'), (file) => hasMaster(db, file))
  await removeOrphans(store.list('uploads'), (file) => hasUpload(db, file))
  await removeOrphans(store.list('making'), async () => false)
  for (let after = 0; ;) {
    const films = await listMasters(db, after)
    for (const { id, file, state } of films) {
      const isThere = (await store.size(`masters/${file}`)) !== null
      if (isThere === (state === 'ready')) continue
      await transaction(db, (trx) => updateMedia(trx, id, { state: isThere ? 'ready' : 'missing' }))
      if (!isThere) log.error({ film: id, file }, 'The file of a film is missing')
    }
    await renew()
    const last = films.at(-1)
    if (!last) return
    after = last.id
  }
}
