// Types of the database connection, and its timeouts.
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/**
 * Connection or transaction of a function that only reads: it begins no statement that writes. Functions named `find…`,
 * `list…`, `get…`, `count…`, `sum…`, `has…` and `…Of` take it. Raw `sql` needs `getExecutor`, and may only select
 * (`scripts/reads.test.ts`).
 */
export type ReadDb = Pick<Db, 'selectFrom' | 'selectNoFrom' | 'getExecutor'>

/** Defaults of `connectMs` and `answerMs`, milliseconds. */
export const defaultConnectMs = 5_000
export const defaultAnswerMs = 15_000

/** PostgreSQL database, and optionally a schema in it. */
export interface PostgresSource {
  readonly url: string
  readonly schema?: string
  readonly poolMax?: number
  /** Timeout of a connection attempt, milliseconds. Default: 5 s. */
  readonly connectMs?: number
  /** Timeout of a statement, an idle transaction, and a wait in a queue, milliseconds. Default: 15 s. */
  readonly answerMs?: number
}
