// Raw TCP peers of a service in this process, and observers of its connections and errors.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A client that keeps its end open until the test closes it. */
export interface Peer {
  readonly socket: Socket
  /** Everything received so far, as Latin-1. */
  text(): string
  /** Resolves when the service has sent its FIN or a reset. */
  readonly ended: Promise<void>
  /** Resets the connection (TCP RST). */
  reset(): void
}

/** Connects to a service and sends the first bytes. @param url origin, `http://…` */
export async function peer(url: string, first: string | Buffer = ''): Promise<Peer> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString('latin1')))
  socket.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    socket.once('end', resolve)
    socket.once('close', () => resolve())
  })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  if (first.length > 0) socket.write(first)
  return { socket, text: () => text, ended, reset: () => void socket.resetAndDestroy() }
}

/** Upgrade request to WebSocket. */
export const upgradeRequest = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

/** Observes the server side of every connection that this process accepts during a test. */
export function watchServer() {
  const open = new Set<Socket>()
  const faults: unknown[] = []
  const accept = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  const fault = (error: unknown) => faults.push(error)
  subscribe('net.server.socket', accept)
  // Each of these would end the process.
  process.on('uncaughtExceptionMonitor', fault)
  onTestFinished(() => {
    unsubscribe('net.server.socket', accept)
    process.off('uncaughtExceptionMonitor', fault)
  })
  return {
    /** Uncaught exceptions and unhandled rejections. */
    faults,
    open,
    /** Resolves when the service has closed every connection that is open now. */
    async closed(): Promise<void> {
      // `events.once` would add an error listener, which is what the service is tested for.
      await Promise.all([...open].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    },
  }
}
