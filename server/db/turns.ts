// Lines in front of rows that many transactions lock: a transaction that waits in line holds no connection, so that one busy
// project cannot take every connection of the pool.
import { NoConnectionError } from './faults.ts'
import type { Db } from './types.ts'

interface Turns {
  /** Runs `work` after everything that came before under the same key. @throws NoConnectionError when that takes too long */
  take<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** @param waitMs how long to stand in line at most, milliseconds */
export function createTurns(waitMs: number): Turns {
  const last = new Map<string, Promise<void>>()
  return {
    async take(key, work) {
      const before = last.get(key)
      const { promise: done, resolve: end } = Promise.withResolvers<void>()
      // The next one waits for both: this one may have given up before its turn.
      const mine = Promise.all([before, done]).then(() => void (last.get(key) === mine && last.delete(key)))
      last.set(key, mine)
      try {
        if (before) await inTime(before, waitMs)
        return await work()
      } finally {
        end()
      }
    },
  }
}

async function inTime(turn: Promise<void>, waitMs: number): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new NoConnectionError('Too many transactions wait for one row')), waitMs)
  try {
    await Promise.race([turn, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const byDb = new WeakMap<Db, Turns>()

/** Lines of a database with a pool. SQLite has one connection, and a line of its own for it. */
export const setTurns = (db: Db, waitMs: number): void => void byDb.set(db, createTurns(waitMs))

/** Runs `work` in its turn, where the database has lines. @throws as `Turns.take` does */
export const inTurn = <T>(db: Db, key: string, work: () => Promise<T>): Promise<T> =>
  byDb.get(db)?.take(key, work) ?? work()
