// Write transactions.
import type { Db, Trx } from './types.ts'
import { inTurn } from './turns.ts'

const triesMax = 5
/** PostgreSQL: serialisation failure, deadlock. Nothing has happened; the same work may succeed now. */
const lostRaces = new Set(['40001', '40P01'])

/**
 * Runs a function in a write transaction, again when the database asks for it, so it must do nothing but queries.
 * SQLite: the whole database is locked from the beginning. PostgreSQL: lock what you read before you change it
 * (`.forUpdate()`, which SQLite leaves out). Inside another transaction it is a part of that one.
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
 * As `transaction`, for one that locks the project or its wallet: those of one project take turns in this process, and the
 * ones that wait hold no connection.
 * @throws NoConnectionError when its turn does not come in time
 */
export const projectTransaction = <T>(db: Db | Trx, projectId: number, fn: (trx: Trx) => Promise<T>): Promise<T> =>
  db.isTransaction ? fn(db as Trx) : inTurn(db, `project ${projectId}`, () => transaction(db, fn))

/** As `transaction`, and again when somebody else took a unique key meanwhile: the next try sees what they did. */
export async function insertion<T>(db: Db, fn: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(db, fn)
    } catch (error) {
      if (attempt === triesMax || !isDuplicate(error)) throw error
    }
  }
}

/** Did a write break a unique key? Then somebody else was first. */
export const isDuplicate = (error: unknown): boolean =>
  codeOf(error) === '23505' || (error instanceof Error && error.message.startsWith('UNIQUE constraint failed'))

const isLostRace = (error: unknown): boolean => lostRaces.has(codeOf(error))
const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)
