// Makes folders.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder that only the user of the process reads, and the missing ones above it. Not `recursive`: in a file system that refuses new
 * folders, such as /proc, Node then tries for ever.
 * @throws Error of the system
 */
export async function makeFolder(path: string): Promise<void> {
  const failure = await make(path)
  if (failure?.code !== 'ENOENT') return mustHaveMade(failure)
  await makeFolder(dirname(path))
  mustHaveMade(await make(path))
}

const make = (path: string): Promise<NodeJS.ErrnoException | null> =>
  mkdir(path, { mode: 0o700 }).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  )

/** @throws for a failure other than a folder that exists */
function mustHaveMade(failure: NodeJS.ErrnoException | null): void {
  if (failure && failure.code !== 'EEXIST') throw failure
}
