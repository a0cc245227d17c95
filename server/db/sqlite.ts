// SQLite through the runtime's own `node:sqlite`. One connection: Kysely lends it to one user at a time, so a
// transaction is never mixed with somebody else's statements.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SelectModifierNode,
  type SelectQueryNode,
  SqliteDialect,
  SqliteDriver,
  type SqliteDatabase,
  type SqliteStatement,
  SqliteQueryCompiler,
} from 'kysely'

const busyTimeoutMs = 5_000
const statementsMax = 500

/**
 * WAL with `synchronous=normal`: what was committed survives the end of the process, however it ends, because it is in
 * the operating system's hands. Only a power cut can take the last moments (never the file's soundness); `full` waits
 * for the disk on every commit.
 */
export type Sync = 'normal' | 'full'

/** A dialect over one file, or over `:memory:`. */
export function sqliteDialect(file: string, sync: Sync): SqliteDialect {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const raw = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  raw.exec(`pragma journal_mode = wal; pragma synchronous = ${sync}; pragma temp_store = memory`)
  return new Dialect({ database: adapt(raw) })
}

class Dialect extends SqliteDialect {
  readonly #config: { database: SqliteDatabase }
  constructor(config: { database: SqliteDatabase }) {
    super(config)
    this.#config = config
  }
  override createDriver(): Driver {
    return new WriteFirstDriver(this.#config)
  }
  override createQueryCompiler(): SqliteQueryCompiler {
    return new Compiler()
  }
}

/** Transactions take the write lock at their beginning: one that had read first could fail half way. */
class WriteFirstDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
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

/** The driver's view of the database, with statements prepared once. */
function adapt(raw: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => raw.close(),
    prepare(sql) {
      const known = statements.get(sql)
      if (known) return known
      const made = statement(raw.prepare(sql))
      if (statements.size >= statementsMax) statements.clear()
      statements.set(sql, made)
      return made
    },
  }
}

function statement(prepared: StatementSync): SqliteStatement {
  const reader = prepared.columns().length > 0
  return {
    reader,
    all: (parameters) => prepared.all(...(parameters as SQLInputValue[])),
    run: (parameters) => prepared.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => prepared.iterate(...(parameters as SQLInputValue[])),
  }
}
