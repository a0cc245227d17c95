// Write transactions, with retries.
//
// Order of row locks on PostgreSQL, so that no two transactions wait for each other: users, sessions, wallets, projects by
// id, channels, owners by key, broadcasts. Rows of one table are locked in one statement with `orderBy`. A transaction
// that violates the order by mistake is repeated after a deadlock (`lostRaces`).
import { sql } from 'kysely'
import { queued } from './keyed-queue.ts'
import type { Db, Trx } from './types.ts'

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
