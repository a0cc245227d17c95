// Records statements, for tests of how many a read makes.
import type { KyselyPlugin } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** Returns the database with a list of the statements that it executes: the kinds of their nodes, in order. */
export function recordStatements(db: Db): { readonly db: Db; readonly statements: readonly string[] } {
  const statements: string[] = []
  const kinds = new WeakMap<object, string>()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      kinds.set(queryId, node.kind)
      return node
    },
    async transformResult({ result, queryId }) {
      statements.push(kinds.get(queryId) ?? '')
      return result
    },
  }
  return { db: db.withPlugin(plugin), statements }
}
