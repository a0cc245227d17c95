// Kysely dialect for PostgreSQL.
import {
  type Kysely,
  PostgresDialect,
  PostgresIntrospector,
  type PostgresPoolClient,
  sql,
  type TableMetadata,
} from 'kysely'
import { Pool, type PoolClient, types } from 'pg'
import { NoConnectionError } from './faults.ts'
import { defaultAnswerMs, defaultConnectMs, type PostgresSource } from './types.ts'

/** Parses int8 and numeric (the types of `count` and `sum`) as numbers: money and counters stay far below 2^53. */
const numberTypes = new Set<number>([types.builtins.INT8, types.builtins.NUMERIC])
const getTypeParser = ((oid: number, format?: 'text') =>
  numberTypes.has(oid) ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser

/** Creates a pool of up to `poolMax` connections. */
export function postgresPool({
  url,
  schema,
  poolMax = 10,
  connectMs = defaultConnectMs,
  answerMs = defaultAnswerMs,
}: PostgresSource): Pool {
  const pool = new Pool({
    connectionString: url,
    max: poolMax,
    types: { getTypeParser },
    connectionTimeoutMillis: connectMs,
    statement_timeout: answerMs,
    idle_in_transaction_session_timeout: answerMs,
    ...(schema === undefined ? {} : { options: `-c search_path="${schema}"` }),
  })
  // The pool replaces a broken connection, and a running query fails. Without a listener the event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Creates a dialect. @param kept pool that stays open when the database closes */
export function postgresDialect(source: PostgresSource, kept?: Pool): PostgresDialect {
  const pool = kept ?? postgresPool(source)
  const connect = async (): Promise<PostgresPoolClient> => guarded(await pool.connect().catch(noConnection))
  const end = async () => (kept ? undefined : pool.end())
  return new Dialect({ pool: { options: pool.options, connect, end } })
}

class Dialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): CurrentSchema {
    return new CurrentSchema(db)
  }
}

/** Limits introspection to the current schema. Kysely's own reads every schema, also of other applications and dropped ones. */
class CurrentSchema extends PostgresIntrospector {
  readonly #db: Kysely<unknown>
  constructor(db: Kysely<unknown>) {
    super(db)
    this.#db = db
  }
  /** Returns only names: the Migrator needs no columns. */
  override async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string; schema: string }>`
      select tablename as name, schemaname as schema from pg_tables where schemaname = current_schema()`.execute(
      this.#db,
    )
    return rows.map((row) => ({ ...row, columns: [], isView: false, isForeign: false }))
  }
}

function noConnection(error: NodeJS.ErrnoException): never {
  throw new NoConnectionError(`No connection to the database: ${error.message || error.code}`, { cause: error })
}

/** Converts a broken connection into NoConnectionError; errors of the server and bugs pass unchanged. */
function guarded(client: PoolClient): PostgresPoolClient {
  const query = (text: string, values: unknown[]) =>
    client.query(text, values).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall !== undefined || brokenConnection.test(error.message)) noConnection(error)
      throw error
    })
  // Cursors, the other form of `query`, are not used.
  return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
}

/** Messages of the driver, which has no codes for them. */
const brokenConnection = /^(?:Connection terminated|Client has encountered a connection error)/
