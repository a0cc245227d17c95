// Lock on a file between processes.
import { DatabaseSync } from 'node:sqlite'

/** SQLITE_BUSY. */
const busy = 5

/**
 * Locks a file for this process: with a lock of SQLite, which the operating system releases when the process ends, also after a kill.
 * @param file made where it is missing; it stays empty
 * @param waitMs time for a process that is ending to release the lock; the thread stands still meanwhile
 * @returns releases the lock; null when another process has it
 */
export function lockFile(file: string, waitMs = 1_000): (() => void) | null {
  const connection = new DatabaseSync(file, { timeout: waitMs })
  try {
    connection.exec('begin exclusive')
    return () => connection.close()
  } catch (error) {
    connection.close()
    if ((error as { readonly errcode?: number }).errcode === busy) return null
    throw error
  }
}
