// Opens the database: a SQLite file by default, PostgreSQL when there is an address. Queries are the same for both.
import { Kysely, sql, type Transaction } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { Bus, BusListener } from './postgres-bus.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Sync } from './sqlite-connections.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** Where the data is. `schema` keeps several services (or tests) apart inside one PostgreSQL database. */
export type Source = { readonly file: string; readonly sync?: Sync } | PostgresSource
export interface PostgresSource {
  readonly url: string
  readonly schema?: string
  readonly poolMax?: number
  /** How long to wait for a connection, and for an answer, in milliseconds. Default: 5 s, and 15 s. */
  readonly waitMs?: number
}

/** An open database. */
export interface Database {
  readonly db: Db
  readonly dialect: Dialect
  /** Fails when the database cannot be reached. */
  ping(): Promise<void>
  close(): Promise<void>
  /** Opens what every service on the same database hears; there is none where there can be only one service. */
  readonly bus?: (listener: BusListener) => Promise<Bus>
}

/**
 * Opens a database without looking at what is in it; see `migrate`.
 * @example const { db, close } = await openDatabase({ file: ':memory:' })
 */
export async function openDatabase(source: Source): Promise<Database> {
  const dialect = 'url' in source ? 'postgres' : 'sqlite'
  const db = new Kysely<Tables>({
    dialect: 'url' in source ? await postgres(source) : sqliteDialect(source.file, source.sync ?? 'normal'),
  })
  const ping = async () => void (await sql`select 1`.execute(db))
  await ping()
  const opened = { db, dialect, ping, close: () => db.destroy() } as const
  if (!('url' in source)) return opened
  return { ...opened, bus: async (listener) => (await import('./postgres-bus.ts')).openBus(source, listener) }
}

/** With its driver, which a service on SQLite does not load. */
const postgres = async (source: PostgresSource) => (await import('./postgres.ts')).postgresDialect(source)
