// Faults of a database that are no bug: the disk, the file, the network, the load.

/** `full`: the disk has no room. `unavailable`: the database cannot be reached or has no time; a retry may succeed. */
export type Fault = 'full' | 'unavailable'

/** The database gave no connection in time, or the connection broke. */
export class NoConnectionError extends Error {
  override readonly name = 'NoConnectionError'
}

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const sqlite = { error: 1, busy: 5, locked: 6, readonly: 8, ioerr: 10, corrupt: 11, full: 13, cantopen: 14, notadb: 26 }
const passing = new Set([sqlite.busy, sqlite.locked, sqlite.readonly, sqlite.ioerr, sqlite.cantopen])
/** What the operator has to change before the next start. */
const unusable = new Set([sqlite.readonly, sqlite.ioerr, sqlite.corrupt, sqlite.full, sqlite.cantopen, sqlite.notadb])

/**
 * SQLSTATE of PostgreSQL: connection (08), serialisation and deadlock (40), resources (53), intervention and shutdown (57P),
 * a statement, a lock or a transaction that took too long.
 */
const passingStates = /^(?:08...|40001|40P01|53...|57P0.|57014|55P03|25P03)$/

/** Tells a fault from a bug. @returns null for anything else */
export function faultOf(error: unknown): Fault | null {
  if (!(error instanceof Error)) return null
  const { code = '' } = error as NodeJS.ErrnoException
  const result = sqliteResult(error)
  if (result === sqlite.full || code === '53100' || code === 'ENOSPC' || code === 'EDQUOT') return 'full'
  if (result !== null) return passing.has(result) ? 'unavailable' : null
  return error instanceof NoConnectionError || passingStates.test(code) ? 'unavailable' : null
}

/** Whether SQLite refuses the file itself: damaged, unreadable, not writable, or without room. */
export function isUnusableFile(error: unknown): boolean {
  return unusable.has(sqliteResult(error) ?? sqlite.error)
}

/** Whether the file is no sound database. */
export const isDamagedFile = (error: unknown): boolean =>
  [sqlite.corrupt, sqlite.notadb].includes(sqliteResult(error) ?? sqlite.error)

/** Whether PostgreSQL refuses the user or the password (SQLSTATE 28), or has no such database (3D). A retry would fail again. */
export function isRefusedLogin({ cause }: Error): boolean {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException
  return /^(?:28|3D)...$/.test(code)
}

/** The primary result code of an error of SQLite: the low byte of the extended one. */
function sqliteResult(error: unknown): number | null {
  const { code, errcode } = error as { readonly code?: string; readonly errcode?: number }
  return code === 'ERR_SQLITE_ERROR' && errcode !== undefined ? errcode & 0xff : null
}
