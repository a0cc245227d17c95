// Fragments of SQL that stores share, and text that differs between the databases.
import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool, SqliteAdapter } from 'kysely'
import type { LineName } from '#contract/entities/plan.ts'
import type { ReadDb, Trx } from './types.ts'

/** Returns whether a connection is of SQLite. */
export const isSqlite = (db: ReadDb): boolean => db.getExecutor().adapter instanceof SqliteAdapter

/** The current Unix time of the database in milliseconds: the same clock for every replica. */
export const databaseNow = (db: ReadDb): RawBuilder<number> =>
  isSqlite(db)
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Condition: a column contains a text, byte by byte. Unlike `like` it compares no letter cases, which takes many times as long. */
export const contains = (db: ReadDb, column: string, text: string): RawBuilder<SqlBool> =>
  isSqlite(db) ? sql`instr(${sql.ref(column)}, ${text}) > 0` : sql`strpos(${sql.ref(column)}, ${text}) > 0`

/** End of a `select` that locks its rows; empty on SQLite, where the transaction has locked the database. */
export const rowLock = (trx: Trx): RawBuilder<unknown> => (isSqlite(trx) ? sql`` : sql`for update`)

/** Selects the plans of a line that are assigned to a project. */
export const assignedPlans = (db: ReadDb, projectId: number, line: LineName) =>
  db.selectFrom('plan_projects').select('plan_id').where('line', '=', line).where('project_id', '=', projectId)

/** Returns the number of rows of a query that selects nothing yet. */
export async function countRows<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, Record<never, never>>,
): Promise<number> {
  const { total } = await query
    .select(sql`count(*)`.as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow()
  return total
}
