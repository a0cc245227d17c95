// Opens the database: a SQLite file by default, PostgreSQL when there is an address. Queries are the same for both.
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { Pool, types } from 'pg'
import type { Dialect } from './dialect.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Sync } from './sqlite-connections.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** Where the data is. `schema` keeps several services (or tests) apart inside one PostgreSQL database. */
export type Source =
  | { readonly file: string; readonly sync?: Sync }
  | { readonly url: string; readonly schema?: string; readonly poolMax?: number }

/** An open database. */
export interface Database {
  readonly db: Db
  readonly dialect: Dialect
  /** Fails when the database cannot be reached. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a database without looking at what is in it; see `migrate`.
 * @example const { db, close } = await openDatabase({ file: ':memory:' })
 */
export async function openDatabase(source: Source): Promise<Database> {
  const dialect = 'url' in source ? 'postgres' : 'sqlite'
  const db = new Kysely<Tables>({
    dialect: 'url' in source ? postgresDialect(source) : sqliteDialect(source.file, source.sync ?? 'normal'),
  })
  const ping = async () => void (await sql`select 1`.execute(db))
  await ping()
  return { db, dialect, ping, close: () => db.destroy() }
}

/** int8 and numeric (what `count` and `sum` give) as numbers: money and counters stay far below 2^53. */
const numberTypes = new Set<number>([types.builtins.INT8, types.builtins.NUMERIC])
const getTypeParser = ((oid: number, format?: 'text') =>
  numberTypes.has(oid) ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser

function postgresDialect({ url, schema, poolMax = 10 }: Extract<Source, { url: string }>): PostgresDialect {
  const pool = new Pool({
    connectionString: url,
    max: poolMax,
    types: { getTypeParser },
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    ...(schema === undefined ? {} : { options: `-c search_path="${schema}"` }),
  })
  // An idle connection that breaks is replaced by the pool; unheard, the event would end the process.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool })
}
