// Faults of a database that are no bugs: disk, file, network, load.

/** `full`: the disk is full. `unavailable`: the database is unreachable or overloaded; a retry may succeed. */
export type Fault = 'full' | 'unavailable'

/** A connection timeout, or a broken connection. */
export class NoConnectionError extends Error {
  override readonly name = 'NoConnectionError'
}

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const sqlite = { error: 1, busy: 5, locked: 6, readonly: 8, ioerr: 10, corrupt: 11, full: 13, cantopen: 14, notadb: 26 }
const passing = new Set([sqlite.busy, sqlite.locked, sqlite.readonly, sqlite.ioerr, sqlite.cantopen])
/** Faults that the operator has to fix before the next start. */
const unusable = new Set([sqlite.readonly, sqlite.ioerr, sqlite.corrupt, sqlite.full, sqlite.cantopen, sqlite.notadb])

/**
 * SQLSTATE of PostgreSQL: connection (08), serialisation and deadlock (40), resources (53), intervention and shutdown (57P),
 * timeouts of statements, locks and transactions.
 */
const passingStates = /^(?:08...|40001|40P01|53...|57P0.|57014|55P03|25P03)$/

/** Classifies an error. @returns null for errors that are no fault of the database */
export function faultOf(error: unknown): Fault | null {
  if (!(error instanceof Error)) return null
  const { code = '' } = error as NodeJS.ErrnoException
  const result = sqliteResult(error)
  if (result === sqlite.full || code === '53100' || code === 'ENOSPC' || code === 'EDQUOT') return 'full'
  if (result !== null) return passing.has(result) ? 'unavailable' : null
  return error instanceof NoConnectionError || passingStates.test(code) ? 'unavailable' : null
}

/** Returns whether SQLite refuses the file itself: damaged, unreadable, not writable, or no space. */
export function isUnusableFile(error: unknown): boolean {
  return unusable.has(sqliteResult(error) ?? sqlite.error)
}

/** Returns whether the file is damaged, or not a database. */
export const isDamagedFile = (error: unknown): boolean =>
  [sqlite.corrupt, sqlite.notadb].includes(sqliteResult(error) ?? sqlite.error)

/** Returns whether PostgreSQL refuses the login (SQLSTATE 28) or has no such database (3D). A retry would fail again. */
export function isRefusedLogin({ cause }: Error): boolean {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException
  return /^(?:28|3D)...$/.test(code)
}

/** Returns the primary result code of a SQLite error: the low byte of the extended one. */
function sqliteResult(error: unknown): number | null {
  const { code, errcode } = error as { readonly code?: string; readonly errcode?: number }
  return code === 'ERR_SQLITE_ERROR' && errcode !== undefined ? errcode & 0xff : null
}
