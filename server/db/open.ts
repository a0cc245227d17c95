// Opens the database: a SQLite file by default, PostgreSQL when there is an address. Queries are the same for both.
import { Kysely, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { Bus, BusListener } from './postgres-bus.ts'
import { sqliteDialect, type Sync } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { transaction } from './transaction.ts'
import { setQueue } from './keyed-queue.ts'
import { type Db, defaultAnswerMs, type PostgresSource } from './types.ts'

export type { Db, PostgresSource, Trx } from './types.ts'

/** Where the data is. `schema` keeps several services (or tests) apart inside one PostgreSQL database. */
export type Source = { readonly file: string; readonly sync?: Sync } | PostgresSource

/** An open database. */
export interface Database {
  readonly db: Db
  readonly dialect: Dialect
  /** Writes four pages and takes them back. Fails when the database cannot be reached, or takes no write. */
  probe(): Promise<void>
  close(): Promise<void>
  /** Opens what every service on the same database hears; there is none where there can be only one service. */
  readonly bus?: (listener: BusListener) => Promise<Bus>
}

const filler = '-'.repeat(16_000)

/**
 * Opens a database without looking at what is in it; see `migrate`.
 * @example const { db, close } = await openDatabase({ file: ':memory:' })
 */
export async function openDatabase(source: Source): Promise<Database> {
  const dialect = 'url' in source ? 'postgres' : 'sqlite'
  const db = new Kysely<Tables>({
    dialect: 'url' in source ? await postgres(source) : sqliteDialect(source.file, source.sync ?? 'normal'),
  })
  await sql`select 1`.execute(db)
  const probe = () =>
    transaction(db, async (trx) => {
      await trx.insertInto('write_probes').values({ filler }).execute()
      await trx.deleteFrom('write_probes').execute()
    })
  const opened = { db, dialect, probe, close: () => db.destroy() } as const
  if (!('url' in source)) return opened
  setQueue(db, source.answerMs ?? defaultAnswerMs)
  return { ...opened, bus: async (listener) => (await import('./postgres-bus.ts')).openBus(source, listener) }
}

/** With its driver, which a service on SQLite does not load. */
const postgres = async (source: PostgresSource) => (await import('./postgres.ts')).postgresDialect(source)
