// The folder or bucket of media files: replicas use it while it is the same one for all.
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { RuleError } from '#server/core/errors.ts'
import type { Db } from '#server/db/open.ts'
import { isSqlite } from '#server/db/fragments.ts'
import { claimMediaMarker, getInstallation, updateInstallation } from '#server/domain/installation/store.ts'
import type { MediaStore } from '#server/storage/store.ts'

/** A result holds for this time, milliseconds. */
const freshMs = 10_000
/** The log names the problem so often, milliseconds. */
const repeatMs = 600_000
/** Bytes of the disk that stay free. */
const reserveBytes = 1_000_000_000

export interface MediaFolder {
  /** @throws RuleError `UploadsRefused` where the store is not the one of the other replicas */
  check(): Promise<void>
  /** Returns the bytes that fit beside the reserve. */
  room(): Promise<number>
}

/** Creates the check of a replica: the number in its store is the one in the database. */
export function createMediaFolder(db: Db, store: MediaStore, log: Logger): MediaFolder {
  let checkedAt = Number.NEGATIVE_INFINITY
  let toldAt = Number.NEGATIVE_INFINITY

  /** @returns what is wrong; null: nothing */
  async function look(): Promise<string | null> {
    const own = await store.marker()
    const known = (await getInstallation(db)).media_marker
    const number = known ?? (await claimMediaMarker(db, own ?? randomBytes(8).toString('hex')))
    if (own === number) return null
    // There is one service on SQLite: a restored or moved folder is its folder.
    if (own !== null && isSqlite(db)) {
      await updateInstallation(db, { media_marker: own })
      return null
    }
    if (own === null && (known === null || isSqlite(db))) await store.mark(number)
    const found = await store.marker()
    if (found === number) return null
    const { kind, at } = store.place
    const [setting, shared, place] = {
      folder: ['MEDIA_DIR', 'one shared folder', 'file folder-number'],
      bucket: ['S3_URL', 'one bucket', 'object media/folder-number'],
    }[kind]
    return `The ${kind} of media ${at} has the number ${found ?? 'none'}, and the database ${number}. Set ${setting} of all replicas to ${shared}. If this is the right ${kind}, write ${number} into its ${place}`
  }

  return {
    async check() {
      const now = performance.now()
      if (now - checkedAt < freshMs) return
      const problem = await look()
      if (problem === null) return void (checkedAt = now)
      if (now - toldAt > repeatMs) log.error(problem)
      toldAt = now
      throw new RuleError('UploadsRefused')
    },
    room: async () => (await store.free()) - reserveBytes,
  }
}
