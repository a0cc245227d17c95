// A line between two ends that can be cut, and given back.
import { connect, createServer, type Socket } from 'node:net'

export interface Pipe {
  readonly port: number
  /** Breaks what is connected, and takes nobody as long as it is cut. */
  cut(isCut: boolean): void
  /** What is connected dies without a word: nothing passes any more, and nobody is told. */
  numb(): void
  close(): Promise<void>
}

/** Listens on a port of its own, and passes everything on to another one of this machine. */
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
