// The two connections to a SQLite file: one writes, one only reads.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'

const busyTimeoutMs = 5_000
const statementsMax = 500
/**
 * Pages of 4 KB in the log before they are brought into the file. Many of them are the same few pages again: the longer it
 * waits, the less there is to bring (1,000 is usual, and took a tenth of a refresh). The log stays below some 16 MB.
 */
const checkpointPages = 4_000

/**
 * WAL with `synchronous=normal`: what was committed survives the end of the process, however it ends, because it is in
 * the operating system's hands. Only a power cut can take the last moments (never the file's soundness); `full` waits
 * for the disk on every commit.
 */
export type Sync = 'normal' | 'full'

export interface Connections {
  readonly writer: SqliteDatabase
  /** Sees what is committed. There is none to a database in memory. */
  readonly reader: SqliteDatabase | null
  /** Whether the writer is in a transaction. SQLite ends one by itself where the disk is full. */
  readonly inTransaction: () => boolean
}

/** Opens a file, or `:memory:`. */
export function connect(file: string, sync: Sync): Connections {
  const inMemory = file === ':memory:'
  if (!inMemory) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const writer = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  writer.exec(`pragma journal_mode = wal; pragma synchronous = ${sync}; pragma temp_store = memory;
    pragma wal_autocheckpoint = ${checkpointPages}`)
  const inTransaction = () => writer.isTransaction
  if (inMemory) return { writer: adapt(writer, () => undefined), reader: null, inTransaction }
  const reader = new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true })
  const { begin, end } = snapshotsOf(reader)
  return { writer: adapt(writer, end), reader: adapt(reader, begin), inTransaction }
}

/**
 * Reads in one turn of the event loop share a snapshot: to take and give back the locks costs more than most reads. It
 * ends before anything is written here, so that nobody reads what was before their own write.
 */
function snapshotsOf(reader: DatabaseSync): { begin: () => void; end: () => void } {
  const [begin, commit] = [reader.prepare('begin'), reader.prepare('commit')]
  let open = false
  function end() {
    if (!open) return
    open = false
    if (reader.isOpen) commit.run()
  }
  return {
    begin() {
      if (open) return
      begin.run()
      open = true
      setImmediate(end)
    },
    end,
  }
}

/** The driver's view of a connection, with statements prepared once. */
function adapt(raw: DatabaseSync, beforeEach: () => void): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => raw.close(),
    prepare(sql) {
      const known = statements.get(sql)
      if (known) return known
      const made = statement(raw.prepare(sql), beforeEach)
      if (statements.size >= statementsMax) statements.clear()
      statements.set(sql, made)
      return made
    },
  }
}

function statement(prepared: StatementSync, beforeEach: () => void): SqliteStatement {
  const reader = prepared.columns().length > 0
  const run =
    <T>(work: (...values: SQLInputValue[]) => T) =>
    (parameters: readonly unknown[]): T => {
      beforeEach()
      return work.apply(prepared, parameters as SQLInputValue[])
    }
  return { reader, all: run(prepared.all), run: run(prepared.run), iterate: run(prepared.iterate) }
}
