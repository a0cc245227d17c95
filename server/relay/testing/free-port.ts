import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Returns an unused loopback port for programs that cannot choose one. It is below the ports that systems assign
 * automatically, so that no other connection takes it before the program does.
 */
export function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000)
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(freePort()) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}
