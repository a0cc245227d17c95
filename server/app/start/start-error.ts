// Errors that end the start with a sentence.
import { join } from 'node:path'
import { isDamagedFile, isRefusedLogin, isUnusableFile } from '#server/db/faults.ts'
import type { Config } from '#server/core/settings.ts'

/** Returns a command as users type it: in a clone, or with an installed release. */
export const commandLine = (words: string): string => `${process.env['RELAYDECK_COMMAND'] ?? 'npm start --'} ${words}`

/** Why the service does not start: a sentence for the operator, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The database of DATABASE_URL cannot be reached: a sentence as well, but a later start may succeed. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/**
 * Makes a sentence of an error of the system.
 * @param what failed, naming the setting
 * @param remedy what to do; left out where the error says it
 */
export const cannotStart =
  (what: string, remedy?: string) =>
  (error: NodeJS.ErrnoException): never => {
    const why = error.code === 'EADDRINUSE' ? 'another program listens there' : error.message || error.code
    throw new StartError(`${what}: ${why}${remedy === undefined ? '' : `. ${remedy}`}`, { cause: error })
  }

/** The file of SQLite. */
export const databaseFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'relaydeck.db')

/** Makes a sentence of an error of the database at start. Errors that are bugs are thrown as they are. */
export const cannotUseDatabase =
  (config: Config) =>
  (error: NodeJS.ErrnoException): never => {
    if (isUnusableFile(error))
      cannotStart(
        `The database ${databaseFile(config)} of DATA_DIR cannot be used`,
        isDamagedFile(error)
          ? 'Restore a backup of it, or move it away to start with an empty one'
          : 'Check that the service may write it, and that the disk has room',
      )(error)
    throw error
  }

/**
 * Makes a sentence of an error of opening PostgreSQL.
 * @throws StartError when the server refuses the user, the password or the name of the database; else UnreachableError
 */
export function cannotOpenPostgres(error: Error): never {
  const what = 'The database of DATABASE_URL cannot be opened'
  if (isRefusedLogin(error)) return cannotStart(what)(error)
  throw new UnreachableError(`${what}: ${error.message}`, { cause: error })
}

/** Refuses a start with another secret than that of the installation. @throws StartError */
export function refuseSecret({ givenSecret, dataDir }: Pick<Config, 'givenSecret' | 'dataDir'>): never {
  const [which, remedy] =
    givenSecret === ''
      ? [`The secret ${join(dataDir, 'secret')} of DATA_DIR`, 'Restore this file from a backup, or set SECRET']
      : ['SECRET', 'Set the SECRET that this installation had before, the same on all replicas']
  throw new StartError(
    `${which} is not the one that the stored keys and accounts are encrypted with. ${remedy}. ` +
      `If it is lost, stop all replicas and run "${commandLine('accept-secret')}" once: keys and accounts have to be entered again`,
  )
}
