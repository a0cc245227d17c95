// Queries of the hot paths, built and compiled once: building one takes longer than SQLite takes to answer it.
import type { CompiledQuery, QueryExecutorProvider } from 'kysely'
import type { Db, Trx } from './open.ts'
import { DirectAdapter } from './sqlite.ts'

/** Stands for a value that is known when the query runs. */
class Hole {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Params = Readonly<Record<string, string | number | null>>

/** A query of the builder, or one written with `sql`. */
interface Buildable<R> {
  compile(executor: QueryExecutorProvider): CompiledQuery<R>
}

/**
 * Makes a query that is compiled the first time it runs on a kind of database. On SQLite it runs at once, without
 * waiting for a turn: inside a transaction on its connection, a plain read on the one that reads.
 * @param build builds it; `param('name')` where a value will be. A Kysely `.$call(…)` that depends on values cannot be here.
 * @example
 * const find = prepared((db, param: Param<{ id: number }>) => db.selectFrom('users').select('email').where('id', '=', param('id')))
 * const [user] = await find(db, { id: 7 })
 */
export function prepared<P extends Params, R>(build: (db: Db | Trx, param: Param<P>) => Buildable<R>) {
  // Transactions share the adapter of the database that they belong to.
  const compiled = new WeakMap<object, CompiledQuery<R>>()
  const param = ((name: string) => new Hole(name)) as unknown as Param<P>

  return async function run(db: Db | Trx, values: P): Promise<R[]> {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (!query) compiled.set(adapter, (query = build(db, param).compile(db)))
    const parameters = query.parameters.map((value) => (value instanceof Hole ? values[value.name] : value))
    const { query: node, queryId, sql } = query
    const direct = adapter instanceof DirectAdapter ? adapter.connectionFor(sql, db.isTransaction) : null
    if (direct) return direct.prepare(sql).all(parameters) as R[]
    return (await db.executeQuery<R>({ query: node, queryId, sql, parameters })).rows
  }
}

/** Names a value of a prepared query. */
export type Param<P extends Params> = <K extends keyof P>(name: K) => P[K]
