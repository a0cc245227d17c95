// TCP proxy that can be cut and restored.
import { connect, createServer, type Socket } from 'node:net'

export interface Pipe {
  readonly port: number
  /** Closes all connections and refuses new ones until it is restored. */
  cut(isCut: boolean): void
  /** Drops all data of open connections without closing them, as a dead link does. */
  numb(): void
  close(): Promise<void>
}

/** Listens on its own port and forwards to another local port. */
export async function pipe(to: number): Promise<Pipe> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.resetAndDestroy()
    const far = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut(now) {
      isCut = now
      if (now) for (const socket of sockets) socket.destroy()
    },
    numb() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
        socket.removeAllListeners('close')
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
