/** Why the service does not start, for whoever started it: a sentence and no stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Makes a sentence of what a program of the system said. @param what it was about, naming the setting */
export const cannotStart =
  (what: string) =>
  (error: NodeJS.ErrnoException): never => {
    const why = error.code === 'EADDRINUSE' ? 'another program listens there' : error.message || error.code
    throw new StartError(`${what}: ${why}`, { cause: error })
  }
