// Further connections of relay nodes, for what is too much for the line: each is opened by a node that was asked to.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

/** The largest picture that a tag may hold. */
const messageBytesMax = 16 * 1024 * 1024
const comeMs = 5_000
/** Below the path of the line itself. */
const mediaPath = '/relay/media/'

export interface MediaGate {
  /** Waits for a connection, which comes paused. @param ask tells a node to open it @throws when it does not come within five seconds */
  call(ask: (id: string) => void): Promise<WebSocket>
  /** Takes a connection whose node has proved itself. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

export const isMedia = (url: string | undefined): boolean => url?.startsWith(mediaPath) ?? false

/** Makes the gate for media. */
export function createMediaGate(): MediaGate {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax, perMessageDeflate: false })
  const waiting = new Map<string, (socket: WebSocket) => void>()
  return {
    call: (ask) =>
      new Promise((resolve, reject) => {
        const id = randomBytes(16).toString('base64url')
        const timer = setTimeout(() => {
          waiting.delete(id)
          reject(new Error('The node did not open the connection'))
        }, comeMs)
        waiting.set(id, (socket) => {
          clearTimeout(timer)
          waiting.delete(id)
          // Nothing may come before somebody listens.
          socket.pause()
          resolve(socket)
        })
        ask(id)
      }),
    take(request, socket, head) {
      const come = waiting.get(request.url?.slice(mediaPath.length) ?? '')
      if (come) sockets.handleUpgrade(request, socket, head, come)
      else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
    },
    close() {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}
