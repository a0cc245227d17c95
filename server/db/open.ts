// Opens the database: a SQLite file by default, PostgreSQL with a URL. Queries are the same for both.
import { type Dialect as KyselyDialect, Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Dialect } from './dialect.ts'
import type { Line } from './postgres-line.ts'
import type { Signals } from './signals.ts'
import { sqlite, type Sync } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { setQueue, transaction } from './transaction.ts'
import { type Db, defaultAnswerMs, type PostgresSource } from './types.ts'

export type { Db, PostgresSource, ReadDb, Trx } from './types.ts'

/** Location of the data. `schema` separates services (or tests) within one PostgreSQL database. */
export type Source = SqliteSource | PostgresSource

interface SqliteSource {
  readonly file: string
  readonly sync?: Sync
}

/** An open database. */
export interface Database {
  readonly db: Db
  readonly dialect: Dialect
  /** Writes four pages and removes them. Fails when the database is unreachable or not writable. */
  probe(): Promise<void>
  close(): Promise<void>
  /** Signals of commits. The owner of the database opens and closes them. */
  readonly signals: Signals
  /** Notifications between all services on the database; undefined where there can be only one service. */
  readonly line?: Line
}

const filler = '-'.repeat(16_000)

/**
 * Opens a database without migrating it; see `migrate`.
 * @param pool of PostgreSQL, which stays open when the database closes; default: a pool of its own
 * @example const { db, close } = await openDatabase({ file: ':memory:' })
 */
export const openDatabase = (source: Source, pool?: Pool): Promise<Database> =>
  'url' in source ? openPostgres(source, pool) : openSqlite(source)

async function openSqlite({ file, sync = 'normal' }: SqliteSource): Promise<Database> {
  const { dialect, signals } = sqlite(file, sync)
  return { ...(await opened(dialect)), dialect: 'sqlite', signals }
}

/** Loads the driver on demand: a service on SQLite does not need it. */
async function openPostgres(source: PostgresSource, pool?: Pool): Promise<Database> {
  const [{ postgresDialect }, { createLine }] = await Promise.all([
    import('./postgres.ts'),
    import('./postgres-line.ts'),
  ])
  const connected = await opened(postgresDialect(source, pool))
  setQueue(connected.db, source.answerMs ?? defaultAnswerMs)
  const line = createLine(source)
  return { ...connected, dialect: 'postgres', signals: line, line }
}

/** Opens a database and sends a first query. */
async function opened(dialect: KyselyDialect): Promise<Pick<Database, 'db' | 'probe' | 'close'>> {
  const db = new Kysely<Tables>({ dialect })
  await sql`select 1`.execute(db)
  const probe = () =>
    transaction(db, async (trx) => {
      await trx.insertInto('write_probes').values({ filler }).execute()
      await trx.deleteFrom('write_probes').execute()
    })
  return { db, probe, close: () => db.destroy() }
}
