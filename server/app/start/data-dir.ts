// The data folder: made and tested at start, so that a wrong DATA_DIR ends the start with a sentence.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { cannotStart } from './start-error.ts'

/** Makes the folder of DATA_DIR where it is missing. @throws StartError when it cannot be made, read or written */
export function prepareDataDir(folder: string): void {
  try {
    make(folder)
    // Fails where the path is a file.
    accessSync(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    cannotStart(
      `DATA_DIR "${folder}" cannot be used`,
      'Set it to a folder that the service can make and write',
    )(error as NodeJS.ErrnoException)
  }
}

/** Not `recursive`: in a file system that refuses new folders, such as /proc, Node then tries for ever. */
function make(folder: string): void {
  if (existsSync(folder)) return
  make(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another replica may make it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
