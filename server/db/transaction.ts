// Write transactions, with retries.
//
// Order of row locks on PostgreSQL, so that no two transactions wait for each other: users, sessions, wallets, projects by
// id, channels, owners by key, broadcasts. Rows of one table are locked in one statement with `orderBy`. A transaction
// that violates the order by mistake is repeated after a deadlock (`lostRaces`).
import { sql } from 'kysely'
import type { Db, Trx } from './types.ts'
import { NoConnectionError } from './faults.ts'

// Queues by key for transactions that lock the same row: waiting transactions hold no connection of the pool.

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
const queued = <T>(db: Db, key: string, work: () => Promise<T>): Promise<T> => byDb.get(db)?.add(key, work) ?? work()

const triesMax = 5
/** PostgreSQL: serialisation failure, deadlock. The transaction was rolled back, and a retry may succeed. */
const lostRaces = new Set(['40001', '40P01'])

/**
 * Runs a function in a write transaction, repeated when the database requires it: the function must only run queries.
 * SQLite: the whole database is locked from the beginning. PostgreSQL: lock the rows that you read and change (`.forUpdate()`,
 * which SQLite omits). Inside another transaction it becomes a part of it.
 * @example await transaction(db, async (trx) => { … })
 */
export async function transaction<T>(db: Db | Trx, fn: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await fn(db as Trx)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(fn)
    } catch (error) {
      if (attempt === triesMax || !isLostRace(error)) throw error
    }
  }
}

/**
 * As `transaction`, for one that locks the project or its wallet: transactions of one project queue in this process, and
 * hold no connection while they wait.
 * @throws NoConnectionError on a timeout
 */
export const projectTransaction = <T>(db: Db | Trx, projectId: number, fn: (trx: Trx) => Promise<T>): Promise<T> =>
  db.isTransaction ? fn(db as Trx) : queued(db, `project ${projectId}`, () => transaction(db, fn))

/**
 * Runs a part of a transaction whose writes are undone when it throws; the transaction may then continue.
 * @throws the error of the part
 */
export async function undoable<T>(trx: Trx, fn: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(trx)
  try {
    return await fn()
  } catch (error) {
    await sql`rollback to savepoint part`.execute(trx)
    throw error
  } finally {
    await sql`release savepoint part`.execute(trx)
  }
}

/** As `transaction`, with a retry after a unique key was taken by a concurrent transaction. */
export async function insertion<T>(db: Db, fn: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(db, fn)
    } catch (error) {
      if (attempt === triesMax || !isDuplicate(error)) throw error
    }
  }
}

/** Returns whether an error is a unique key violation. */
export const isDuplicate = (error: unknown): boolean =>
  codeOf(error) === '23505' || (error instanceof Error && error.message.startsWith('UNIQUE constraint failed'))

const isLostRace = (error: unknown): boolean => lostRaces.has(codeOf(error))
const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)
