// The database's own time: one clock for every replica.
import { type RawBuilder, sql, SqliteAdapter } from 'kysely'
import type { Db, Trx } from './open.ts'

/** An expression for the current Unix time of the database, in milliseconds. */
export const databaseNow = (db: Db | Trx): RawBuilder<number> =>
  db.getExecutor().adapter instanceof SqliteAdapter
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
