// Recordings in S3: moves finished files from the disks of their machines, and removes deleted ones.
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { WebSocket } from 'ws'
import { hourMs, iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { JobKind } from '#server/core/jobs.ts'
import type { ObjectStore, Part } from '#server/core/object-store.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import {
  archiveMachine,
  updateMovedRecording,
  listRemovedFromArchive,
  listToArchive,
  type RecordingRow,
  removeRecordingOfFile,
} from '#server/domain/broadcasts/recordings-store.ts'
import { fileOf, typeOfFile } from '#server/app/media/recording-files.ts'

/** Size of a part in memory and of an upload. S3 accepts 10,000 parts: 160 GB. */
const partBytes = 16 * 1024 * 1024
const tries = 3
const roundMs = 60_000

/** Opens a part of a file at its machine. */
type Open = (machine: string, part: Part & { readonly file: string }) => Promise<WebSocket>

/** Returns the kinds of a service with a bucket. @param open reads from relay nodes */
export function archiveKindsOf(store: ObjectStore | null, open: Open): readonly JobKind[] {
  if (store === null) return []
  return [
    {
      kind: 'recordings.archive',
      everyMs: roundMs,
      atOnce: 1,
      leaseMs: hourMs,
      backoff: { firstMs: roundMs, mostMs: hourMs },
      parkAfter: 'never',
      async run(services: Services, job) {
        await removeDeleted(services.db, store)
        // An unreachable machine keeps its files until it returns.
        const row = (await listToArchive(services.db)).find(({ node }) => services.relay.hasMachine(node))
        if (!row) return 'done'
        const name = nameOf(row)
        await store.put(name, typeOfFile(row.file), partsOf(row, open))
        const stored = await store.size(name)
        if (stored !== Number(row.bytes))
          throw new Error(`S3 has ${stored ?? 'none'} of the ${row.bytes} bytes of the recording ${row.id}`)
        const isMoved = await transaction(services.db, async (trx) => {
          await job.fence(trx)
          return updateMovedRecording(trx, row, name, iso(services.clock.now()))
        })
        if (!isMoved) await store.remove(name)
        services.relay.clear()
        return { againMs: 0 }
      },
    },
  ]
}

async function removeDeleted(db: Db, store: ObjectStore): Promise<void> {
  for (const { name, file } of await listRemovedFromArchive(db)) {
    await store.remove(file)
    await transaction(db, (trx) => removeRecordingOfFile(trx, { node: archiveMachine, name }))
  }
}

/** Returns the key of a recording. Its number keeps files of two machines apart. */
const nameOf = ({ id, project_id, file }: RecordingRow): string =>
  `recordings/${project_id}/${id}.${file.split('.').at(-1) ?? 'mp4'}`

/** Reads a file part by part, each over a connection of its own, so that a lost connection costs one part. */
async function* partsOf({ node, file, bytes }: RecordingRow, open: Open): AsyncGenerator<Buffer> {
  const size = Number(bytes)
  for (let from = 0; from < size; from += partBytes) {
    const part = { from, to: Math.min(from + partBytes, size) - 1 }
    yield await readPart(async () => fileOf(await open(node, { file, ...part }), size, part))
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
