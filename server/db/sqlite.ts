// SQLite through the runtime's own `node:sqlite`. One connection writes: Kysely lends it to one user at a time, so a
// transaction is never mixed with somebody else's statements. Another one only reads, and sees what is committed.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SelectModifierNode,
  type SelectQueryNode,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type SqliteDatabase,
  SqliteQueryCompiler,
} from 'kysely'
import { connect, type Connections, type Sync } from './sqlite-connections.ts'

/** A dialect over one file, or over `:memory:`. */
export const sqliteDialect = (file: string, sync: Sync): SqliteDialect => new Dialect(connect(file, sync))

class Dialect extends SqliteDialect {
  readonly #connections: Connections
  constructor(connections: Connections) {
    super({ database: connections.writer })
    this.#connections = connections
  }
  override createDriver(): Driver {
    return new WriteFirstDriver(this.#connections)
  }
  override createAdapter(): SqliteAdapter {
    return new DirectAdapter(this.#connections)
  }
  override createQueryCompiler(): SqliteQueryCompiler {
    return new Compiler()
  }
}

/** Lets prepared queries skip the queue where nobody can be in the way. */
export class DirectAdapter extends SqliteAdapter {
  readonly #connections: Connections
  constructor(connections: Connections) {
    super()
    this.#connections = connections
  }
  /** SQLite rolls back DDL too: migrations are all or nothing. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
  /** The connection that a statement may use at once: in a transaction it is ours, and reading disturbs nobody. */
  connectionFor(sql: string, inTransaction: boolean): SqliteDatabase | null {
    const { writer, reader } = this.#connections
    return inTransaction ? writer : sql.startsWith('select') ? reader : null
  }
}

/** Transactions take the write lock at their beginning: one that had read first could fail half way. */
class WriteFirstDriver extends SqliteDriver {
  readonly #connections: Connections
  constructor(connections: Connections) {
    super({ database: connections.writer })
    this.#connections = connections
  }
  override async destroy(): Promise<void> {
    this.#connections.reader?.close()
    await super.destroy()
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  /** Where SQLite has ended the transaction itself, a rollback would fail and hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connections.inTransaction()) await super.rollbackTransaction(connection)
  }
}

/** Row locks (`forUpdate()`) are PostgreSQL's; here the transaction has the whole database. */
class Compiler extends SqliteQueryCompiler {
  protected override visitSelectQuery(node: SelectQueryNode): void {
    const endModifiers = node.endModifiers?.filter((modifier) => !isRowLock(modifier))
    super.visitSelectQuery(endModifiers ? { ...node, endModifiers } : node)
  }
}

const isRowLock = (node: SelectModifierNode): boolean => node.modifier !== undefined && node.modifier !== 'Distinct'
