// One service per data folder: two would end each other's broadcasts.
import { join } from 'node:path'
import { lockFile } from '#server/core/lock-file.ts'
import type { Config } from '#server/core/settings.ts'
import { prepareDataDir } from './data-dir.ts'
import { StartError, cannotStart } from './start-error.ts'

/**
 * Locks DATA_DIR until the process ends. Services on PostgreSQL may share it.
 * @returns releases the lock
 * @throws StartError when another service uses the folder
 */
export function lockDataDir({ dataDir: folder, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): () => void {
  if (databaseUrl !== '') return () => {}
  prepareDataDir(folder)
  const unlock = lock(join(folder, 'service.lock'), folder)
  if (unlock) return unlock
  throw new StartError(
    `DATA_DIR "${folder}" is in use by another Relaydeck service. Stop that one, or set DATA_DIR to another folder`,
  )
}

function lock(file: string, folder: string) {
  try {
    return lockFile(file)
  } catch (error) {
    return cannotStart(`DATA_DIR "${folder}" cannot be locked`, 'Use a file system with file locks')(error as Error)
  }
}
