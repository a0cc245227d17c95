// Locks of uploads for tus: a row in the database, so that any replica takes the next piece.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Lock, Locker } from '@tus/server'
import { doubledMs } from '#contract/core/backoff.ts'
import { AppError, NotFoundError } from '#server/core/errors.ts'
import type { Db } from '#server/db/open.ts'
import {
  claimUploadLock,
  releaseUploadLock,
  updateUploadLock,
  updateLockWanted,
} from '#server/domain/media/uploads-store.ts'

/** A replica that was killed keeps a lock for so long, milliseconds. */
const holdMs = 10_000
const renewMs = 2_000
/** A request waits for the end of the one before it, which its client may have left. */
const waitMs = 14_000
/** A waiting request looks again after these times, milliseconds. */
const again = { firstMs: 250, mostMs: 1_000 }
/** Requests that wait for one upload: a client that repeats leaves the earlier ones. And for all uploads of a replica. */
const waitersMax = { upload: 3, all: 100 }

/** Another request writes to the upload. */
const locked = () => new AppError(423, 'UploadLocked')

/** Requests that wait, by upload. */
class Waiters {
  readonly #counts = new Map<string, number>()
  #all = 0

  /** @throws AppError `UploadLocked` where too many wait already */
  enter(fileId: string): void {
    const count = this.#counts.get(fileId) ?? 0
    if (count >= waitersMax.upload || this.#all >= waitersMax.all) throw locked()
    this.#counts.set(fileId, count + 1)
    this.#all++
  }

  leave(fileId: string): void {
    const count = (this.#counts.get(fileId) ?? 1) - 1
    if (count === 0) this.#counts.delete(fileId)
    else this.#counts.set(fileId, count)
    this.#all--
  }
}

/** Creates the locker of a replica. */
export function createUploadLocker(db: Db): Locker {
  const waiters = new Waiters()
  return { newLock: (id) => lockOf(db, id, waiters) }
}

function lockOf(db: Db, fileId: string, waiters: Waiters): Lock {
  const owner = randomUUID()
  let timer: NodeJS.Timeout | undefined

  /** Extends the lock, and has its request end where another one waits, or took it. */
  const renew = async (release: () => Promise<void> | void) => {
    const isWanted = await updateUploadLock(db, fileId, owner, holdMs).catch(() => false)
    if (isWanted === false) return
    clearInterval(timer)
    await release()
  }

  const claim = () => claimUploadLock(db, fileId, owner, holdMs)

  /** @throws AppError `UploadLocked` when the request before it does not end, or the client has left; `UploadGone` */
  async function waitForLock(signal: AbortSignal): Promise<void> {
    const until = performance.now() + waitMs
    for (let tries = 1; ; tries++) {
      if (!(await updateLockWanted(db, fileId))) throw new NotFoundError('UploadGone')
      if (signal.aborted || performance.now() > until) throw locked()
      await wait(doubledMs(again, tries))
      if (await claim()) return
    }
  }

  return {
    async lock(signal, release) {
      if (!(await claim())) {
        waiters.enter(fileId)
        await waitForLock(signal).finally(() => waiters.leave(fileId))
      }
      timer = setInterval(() => void renew(release), renewMs).unref()
    },
    async unlock() {
      clearInterval(timer)
      await releaseUploadLock(db, fileId, owner)
    },
  }
}
