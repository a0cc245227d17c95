// Recordings in S3: moves finished files from the disks of their machines, and removes deleted ones and what was never finished.
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { WebSocket } from 'ws'
import { dayMs, hourMs, iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Job, JobKind } from '#server/core/jobs.ts'
import type { ObjectStore, Part } from '#server/core/object-store.ts'
import { FencedError } from '#server/db/jobs.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import {
  archiveMachine,
  findToArchive,
  hasMovedRecording,
  insertUpload,
  listRemovedFromArchive,
  type RecordingRow,
  removeRecordingOfFile,
  updateMovedRecording,
} from '#server/domain/broadcasts/recordings-store.ts'
import { fileOf, typeOfFile } from '#server/app/media/recording-files.ts'

/** Size of a part in memory and of an upload. S3 accepts 10,000 parts: 160 GB. */
const partBytes = 16 * 1024 * 1024
const tries = 3
const minuteMs = 60_000
/** What a killed replica has begun in the bucket is removed after this time: no recording and no film takes that long. */
const unfinishedMs = dayMs
/** An upload renews its lease with each part. */
const leaseMs = 15 * minuteMs

/** Opens a part of a file at its machine. */
type Open = (machine: string, part: Part & { readonly file: string }) => Promise<WebSocket>

/** What a round uses. */
interface Archive {
  readonly services: Services
  readonly store: ObjectStore
  readonly open: Open
}

/** Returns the kinds of a service with a bucket. @param open reads from relay nodes */
export function archiveKindsOf(store: ObjectStore | null, open: Open): readonly JobKind[] {
  if (store === null) return []
  /** Recordings that could not be moved, and when they are tried again, milliseconds of the service's clock. */
  const failed = new Map<number, number>()
  return [
    {
      kind: 'recordings.archive',
      everyMs: minuteMs,
      atOnce: 1,
      leaseMs,
      backoff: { firstMs: minuteMs, mostMs: 10 * minuteMs },
      parkAfter: 'never',
      async run(services: Services, job) {
        const now = services.clock.now().getTime()
        for (const [id, until] of failed) if (until <= now) failed.delete(id)
        await removeDeleted(services.db, store)
        // An unreachable machine keeps its files until it returns.
        const machines = services.relay.machines()
        const row = await findToArchive(services.db, { machines, except: [...failed.keys()] })
        if (!row) {
          const waiting = await findToArchive(services.db, { machines, except: [] })
          // The operator sees jobs that fail.
          if (waiting) throw new Error(`${failed.size} recordings could not be moved, the first is ${waiting.id}`)
          return 'done'
        }
        try {
          await move({ services, store, open }, job, row)
        } catch (error) {
          if (error instanceof FencedError) throw error
          // While S3 refuses everything, no recording is at fault.
          await store.ping()
          failed.set(row.id, now + hourMs)
          services.log.error({ err: error, recording: row.id, node: row.node }, 'A recording could not be moved to S3')
        }
        services.relay.clear()
        return { againMs: 0 }
      },
    },
    {
      kind: 'bucket.unfinished',
      everyMs: dayMs,
      atOnce: 1,
      leaseMs,
      backoff: { firstMs: minuteMs, mostMs: hourMs },
      parkAfter: 'never',
      async run({ clock, log }: Services) {
        const before = iso(new Date(clock.now().getTime() - unfinishedMs))
        for (const prefix of ['media/', 'recordings/'])
          for (const { name, upload, at } of await store.listUnfinished(prefix)) {
            if (iso(at) > before) continue
            await store.abortParts(name, upload)
            log.info({ name }, 'An unfinished object in S3 was removed')
          }
        return 'done'
      },
    },
  ]
}

/** Moves a recording. A failure leaves no object, and the recording on its machine. */
async function move({ services, store, open }: Archive, job: Job, row: RecordingRow): Promise<void> {
  const { db, clock } = services
  const name = nameOf(row)
  await insertUpload(db, row, name, iso(clock.now()))
  try {
    await store.put(name, typeOfFile(row.file), partsOf(row, open, job))
    const stored = await store.size(name)
    if (stored !== Number(row.bytes)) throw new Error(`S3 has ${stored ?? 'none'} of the ${row.bytes} bytes`)
    const isMoved = await transaction(db, async (trx) => {
      await job.fence(trx)
      return updateMovedRecording(trx, row, name, iso(clock.now()))
    })
    if (!isMoved) await store.remove(name)
  } catch (error) {
    await removeUnused(db, store, name).catch(() => undefined)
    throw error
  }
}

/**
 * Removes the object of a failed upload. The next round would do so, but that of another replica may already be over when a lease was
 * lost; and a commit whose response was lost did move the recording.
 */
async function removeUnused(db: Db, store: ObjectStore, name: string): Promise<void> {
  if (!(await hasMovedRecording(db, name))) await store.remove(name)
}

async function removeDeleted(db: Db, store: ObjectStore): Promise<void> {
  for (const { name, file } of await listRemovedFromArchive(db)) {
    await store.remove(file)
    await transaction(db, (trx) => removeRecordingOfFile(trx, { node: archiveMachine, name }))
  }
}

/** Returns a new key for a recording. Its number keeps files of two machines apart, its end two uploads. */
const nameOf = ({ id, project_id, file }: RecordingRow): string =>
  `recordings/${project_id}/${id}-${randomBytes(6).toString('hex')}.${file.split('.').at(-1) ?? 'mp4'}`

/** Reads a file part by part, each over a connection of its own, so that a lost connection costs one part. */
async function* partsOf({ node, file, bytes }: RecordingRow, open: Open, job: Job): AsyncGenerator<Buffer> {
  const size = Number(bytes)
  for (let from = 0; from < size; from += partBytes) {
    const part = { from, to: Math.min(from + partBytes, size) - 1 }
    await job.renew()
    const content = await readPart(async () => fileOf(await open(node, { file, ...part }), size, part))
    await job.renew()
    yield content
  }
}

async function readPart(read: () => Promise<Readable>): Promise<Buffer> {
  for (let left = tries; ; left--)
    try {
      return await buffer(await read())
    } catch (error) {
      if (left === 1) throw error
    }
}
