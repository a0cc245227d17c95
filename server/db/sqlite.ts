// Kysely dialect for SQLite, with the runtime's own `node:sqlite`, and signals of its commits.
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
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'
import type { Signals } from './signals.ts'

const busyTimeoutMs = 5_000
const statementsMax = 500
/** Pages of 4 KB in the log before a checkpoint: limits the log to about 16 MB. 1,000 makes writes a tenth slower. */
const checkpointPages = 4_000

/**
 * WAL with `synchronous=normal`: a commit survives the end of the process, because the operating system has it. A power
 * failure can lose the last commits, never the integrity of the file; `full` waits for the disk on every commit.
 */
export type Sync = 'normal' | 'full'

/**
 * Opens one connection, which Kysely lends to one caller at a time.
 * @param file path, or `:memory:`
 * @returns its dialect, and the signals of its commits
 */
export function sqlite(file: string, sync: Sync): { readonly dialect: SqliteDialect; readonly signals: Signals } {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  connection.exec(`pragma journal_mode = wal; pragma synchronous = ${sync}; pragma temp_store = memory;
    pragma wal_autocheckpoint = ${checkpointPages}`)
  const { signals, emit } = signalsOf(connection)
  return { dialect: new Dialect(connection, () => connection.isTransaction || emit()), signals }
}

/** Temporary triggers belong to the connection, not to the file: other programs can open it without the function. */
const signalTriggers = [
  ...['insert', 'update'].map(
    (event) => `create temp trigger if not exists signal_marks_${event} after ${event} on main.project_versions
      begin select relaydeck_signal('marks', new.project_id || ' ' || new.version); end;`,
  ),
  ...['insert', 'update of due, again'].map(
    (event, at) => `create temp trigger if not exists signal_jobs_${at} after ${event} on main.jobs
    when new.due is not null and (new.token = 0 or new.again is not null)
    begin select relaydeck_signal('jobs',
      new.kind || ' ' || max(0, new.due - cast(unixepoch('subsec') * 1000 as integer))); end;`,
  ),
]

/** Creates signals of a connection. @returns `emit`, which sends the waiting ones when nothing can undo them */
function signalsOf(connection: DatabaseSync): { readonly signals: Signals; readonly emit: () => void } {
  const listeners: { readonly channel: string; readonly listener: (payload: string) => void }[] = []
  const waiting = new Map<string, Set<string>>()
  const signals: Signals = {
    subscribe: (channel, listener) => void listeners.push({ channel, listener }),
    onConnection: () => undefined,
    open() {
      connection.function('relaydeck_signal', { directOnly: false }, (channel, payload) => {
        const key = String(channel)
        waiting.set(key, (waiting.get(key) ?? new Set()).add(String(payload)))
        return null
      })
      connection.exec(signalTriggers.join(' '))
    },
    // Replicas of tests share the connection.
    close: async () => undefined,
  }
  const emit = () => {
    if (waiting.size === 0) return
    const sent = [...waiting]
    waiting.clear()
    for (const [channel, payloads] of sent)
      for (const one of listeners) if (one.channel === channel) for (const payload of payloads) one.listener(payload)
  }
  return { signals, emit }
}

class Dialect extends SqliteDialect {
  readonly #connection: DatabaseSync
  readonly #database: SqliteDatabase
  constructor(connection: DatabaseSync, afterStatement: () => void) {
    const database = adapted(connection, afterStatement)
    super({ database })
    this.#connection = connection
    this.#database = database
  }
  override createDriver(): Driver {
    return new WriteFirstDriver(this.#connection, this.#database)
  }
  override createAdapter(): SqliteAdapter {
    return new Adapter()
  }
  override createQueryCompiler(): SqliteQueryCompiler {
    return new Compiler()
  }
}

/** SQLite also rolls back DDL, so a failed migration leaves no changes. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Takes the write lock when a transaction begins: a transaction that reads first could fail when it writes. */
class WriteFirstDriver extends SqliteDriver {
  readonly #connection: DatabaseSync
  constructor(connection: DatabaseSync, database: SqliteDatabase) {
    super({ database })
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

/** Omits row locks (`forUpdate()`), which only PostgreSQL has: a transaction on SQLite locks the whole database. */
class Compiler extends SqliteQueryCompiler {
  protected override visitSelectQuery(node: SelectQueryNode): void {
    const endModifiers = node.endModifiers?.filter((modifier) => !isRowLock(modifier))
    super.visitSelectQuery(endModifiers ? { ...node, endModifiers } : node)
  }
}

const isRowLock = (node: SelectModifierNode): boolean => node.modifier !== undefined && node.modifier !== 'Distinct'

/** Adapts a connection to the interface of `better-sqlite3`, which Kysely's driver expects. Prepares statements once. */
function adapted(connection: DatabaseSync, afterStatement: () => void): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => connection.close(),
    prepare(sql) {
      const statement = statements.get(sql) ?? adaptedStatement(connection.prepare(sql), afterStatement)
      if (statements.size >= statementsMax) statements.clear()
      statements.set(sql, statement)
      return statement
    },
  }
}

function adaptedStatement(statement: StatementSync, afterStatement: () => void): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  const done = <T>(result: T): T => {
    afterStatement()
    return result
  }
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => done(statement.all(...values(parameters))),
    run: (parameters) => done(statement.run(...values(parameters))),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}
