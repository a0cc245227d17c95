// Locks of uploads for tus: a row in the database, so that any replica takes the next piece.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Lock, Locker } from '@tus/server'
import type { Db } from '#server/db/open.ts'
import {
  claimUploadLock,
  hasUpload,
  releaseUploadLock,
  updateUploadLock,
  updateLockWanted,
} from '#server/domain/media/uploads-store.ts'

/** A replica that was killed keeps a lock for so long, milliseconds. */
const holdMs = 10_000
const renewMs = 2_000
/** A request waits for the end of the one before it, which its client may have left. */
const waitMs = 14_000
const againMs = 250

/** Refusal of tus: another request writes to the upload. */
export const locked = { status_code: 423, body: 'Another request writes to this upload\n' }
/** Refusal of tus: the upload was cancelled. */
const gone = { status_code: 404, body: 'This upload is gone\n' }

/** Creates the locker of a replica. */
export const createUploadLocker = (db: Db): Locker => ({ newLock: (id) => lockOf(db, id) })

function lockOf(db: Db, fileId: string): Lock {
  const owner = randomUUID()
  let timer: NodeJS.Timeout | undefined

  /** Extends the lock, and has its request end where another one waits, or took it. */
  const renew = async (release: () => Promise<void> | void) => {
    const isWanted = await updateUploadLock(db, fileId, owner, holdMs).catch(() => false)
    if (isWanted === false) return
    clearInterval(timer)
    await release()
  }

  return {
    async lock(signal, release) {
      const until = performance.now() + waitMs
      while (!(await claimUploadLock(db, fileId, owner, holdMs))) {
        await updateLockWanted(db, fileId)
        if (!(await hasUpload(db, fileId))) throw gone
        if (signal.aborted || performance.now() > until) throw locked
        await wait(againMs)
      }
      timer = setInterval(() => void renew(release), renewMs).unref()
    },
    async unlock() {
      clearInterval(timer)
      await releaseUploadLock(db, fileId, owner)
    },
  }
}
