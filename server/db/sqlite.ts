// SQLite for Kysely, through the runtime's own `node:sqlite`.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
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
  type SqliteStatement,
} from 'kysely'

const busyTimeoutMs = 5_000
const statementsMax = 500
/** Pages of 4 KB in the log before a checkpoint: the log stays below some 16 MB. 1,000 takes a tenth longer per write. */
const checkpointPages = 4_000

/**
 * WAL with `synchronous=normal`: a commit survives the end of the process, because the operating system has it. A power cut
 * can take the last commits, never the integrity of the file; `full` waits for the disk on every commit.
 */
export type Sync = 'normal' | 'full'

/**
 * A dialect over one connection, which Kysely lends to one user at a time.
 * @param file path, or `:memory:`
 */
export function sqliteDialect(file: string, sync: Sync): SqliteDialect {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  connection.exec(`pragma journal_mode = wal; pragma synchronous = ${sync}; pragma temp_store = memory;
    pragma wal_autocheckpoint = ${checkpointPages}`)
  return new Dialect(connection)
}

class Dialect extends SqliteDialect {
  readonly #connection: DatabaseSync
  constructor(connection: DatabaseSync) {
    super({ database: adapted(connection) })
    this.#connection = connection
  }
  override createDriver(): Driver {
    return new WriteFirstDriver(this.#connection)
  }
  override createAdapter(): SqliteAdapter {
    return new Adapter()
  }
  override createQueryCompiler(): SqliteQueryCompiler {
    return new Compiler()
  }
}

/** SQLite rolls back DDL too, so a failed migration leaves nothing. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Transactions take the write lock when they begin: one that has read first could fail when it writes. */
class WriteFirstDriver extends SqliteDriver {
  readonly #connection: DatabaseSync
  constructor(connection: DatabaseSync) {
    super({ database: adapted(connection) })
    this.#connection = connection
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  /** SQLite ends a transaction itself when the disk is full; a rollback would then fail and hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.isTransaction) await super.rollbackTransaction(connection)
  }
}

/** Leaves out row locks (`forUpdate()`), which are PostgreSQL's: a transaction here locks the whole database. */
class Compiler extends SqliteQueryCompiler {
  protected override visitSelectQuery(node: SelectQueryNode): void {
    const endModifiers = node.endModifiers?.filter((modifier) => !isRowLock(modifier))
    super.visitSelectQuery(endModifiers ? { ...node, endModifiers } : node)
  }
}

const isRowLock = (node: SelectModifierNode): boolean => node.modifier !== undefined && node.modifier !== 'Distinct'

/** The interface that Kysely's driver expects, which is that of `better-sqlite3`. Statements are prepared once. */
function adapted(connection: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => connection.close(),
    prepare(sql) {
      const statement = statements.get(sql) ?? adaptedStatement(connection.prepare(sql))
      if (statements.size >= statementsMax) statements.clear()
      statements.set(sql, statement)
      return statement
    },
  }
}

function adaptedStatement(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}
