// Queues by key for transactions that lock the same row: waiting transactions hold no connection of the pool.
import { NoConnectionError } from './faults.ts'
import type { Db } from './types.ts'

interface KeyedQueue {
  /** Runs `work` after all earlier work of the same key. @throws NoConnectionError on a timeout */
  add<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** @param waitMs timeout, milliseconds */
export function createKeyedQueue(waitMs: number): KeyedQueue {
  const last = new Map<string, Promise<void>>()
  return {
    async add(key, work) {
      const before = last.get(key)
      const { promise: done, resolve: end } = Promise.withResolvers<void>()
      // The next work waits for both: this one may time out before it starts.
      const mine = Promise.all([before, done]).then(() => void (last.get(key) === mine && last.delete(key)))
      last.set(key, mine)
      try {
        if (before) await withTimeout(before, waitMs)
        return await work()
      } finally {
        end()
      }
    },
  }
}

async function withTimeout(turn: Promise<void>, waitMs: number): Promise<void> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => timeout.reject(new NoConnectionError('Too many transactions wait for one row')),
    waitMs,
  )
  try {
    await Promise.race([turn, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

const byDb = new WeakMap<Db, KeyedQueue>()

/** Assigns queues to a database with a pool. SQLite needs none: Kysely queues for its one connection. */
export const setQueue = (db: Db, waitMs: number): void => void byDb.set(db, createKeyedQueue(waitMs))

/** Runs `work` in the queue of a key, if the database has queues. @throws as `KeyedQueue.add` */
export const queued = <T>(db: Db, key: string, work: () => Promise<T>): Promise<T> =>
  byDb.get(db)?.add(key, work) ?? work()
