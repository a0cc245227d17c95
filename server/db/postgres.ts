// PostgreSQL for Kysely.
import { PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { PostgresSource } from './open.ts'

/** int8 and numeric (what `count` and `sum` give) as numbers: money and counters stay far below 2^53. */
const numberTypes = new Set<number>([types.builtins.INT8, types.builtins.NUMERIC])
const getTypeParser = ((oid: number, format?: 'text') =>
  numberTypes.has(oid) ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser

/** Connections to a server, as many as `poolMax` at a time. */
export function postgresDialect({ url, schema, poolMax = 10, waitMs }: PostgresSource): PostgresDialect {
  const pool = new Pool({
    connectionString: url,
    max: poolMax,
    types: { getTypeParser },
    connectionTimeoutMillis: waitMs ?? 5_000,
    statement_timeout: waitMs ?? 15_000,
    idle_in_transaction_session_timeout: waitMs ?? 15_000,
    ...(schema === undefined ? {} : { options: `-c search_path="${schema}"` }),
  })
  // An idle connection that breaks is replaced by the pool; unheard, the event would end the process.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool })
}
