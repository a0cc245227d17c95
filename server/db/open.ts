// Opens the database: a SQLite file by default, PostgreSQL with a URL. Queries are the same for both.
import { Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Dialect } from './dialect.ts'
import type { Bus, BusListener } from './postgres-bus.ts'
import type { Signals } from './signals.ts'
import { sqlite, type Sync } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { transaction } from './transaction.ts'
import { setQueue } from './keyed-queue.ts'
import { type Db, defaultAnswerMs, type PostgresSource } from './types.ts'

export type { Db, PostgresSource, ReadDb, Trx } from './types.ts'

/** Location of the data. `schema` separates services (or tests) within one PostgreSQL database. */
export type Source = { readonly file: string; readonly sync?: Sync } | PostgresSource

/** An open database. */
export interface Database {
  readonly db: Db
  readonly dialect: Dialect
  /** Writes four pages and removes them. Fails when the database is unreachable or not writable. */
  probe(): Promise<void>
  close(): Promise<void>
  /** Signals of commits. The owner of the database opens and closes them. */
  readonly signals: Signals
  /** Attaches the message bus of all services on the database; undefined where there can be only one service. */
  readonly bus?: (listener: BusListener) => Bus
}

const filler = '-'.repeat(16_000)

/**
 * Opens a database without migrating it; see `migrate`.
 * @param pool of PostgreSQL, which stays open when the database closes; default: a pool of its own
 * @example const { db, close } = await openDatabase({ file: ':memory:' })
 */
export async function openDatabase(source: Source, pool?: Pool): Promise<Database> {
  const dialect = 'url' in source ? 'postgres' : 'sqlite'
  const local = 'url' in source ? undefined : sqlite(source.file, source.sync ?? 'normal')
  const db = new Kysely<Tables>({ dialect: local ? local.dialect : await postgres(source as PostgresSource, pool) })
  await sql`select 1`.execute(db)
  const probe = () =>
    transaction(db, async (trx) => {
      await trx.insertInto('write_probes').values({ filler }).execute()
      await trx.deleteFrom('write_probes').execute()
    })
  const opened = { db, dialect, probe, close: () => db.destroy() } as const
  if (local) return { ...opened, signals: local.signals }
  if (!('url' in source)) throw new Error('unreachable')
  setQueue(db, source.answerMs ?? defaultAnswerMs)
  const [{ createLine }, { createBus }] = await Promise.all([import('./postgres-line.ts'), import('./postgres-bus.ts')])
  const line = createLine(source)
  return { ...opened, signals: line, bus: (listener) => createBus(line, listener) }
}

/** Loads the driver on demand: a service on SQLite does not need it. */
const postgres = async (source: PostgresSource, pool?: Pool) =>
  (await import('./postgres.ts')).postgresDialect(source, pool)
