// Further connections of relay nodes, for what is too much for the line: each is opened by a node that was asked to.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { UpgradeRoute } from '#server/app/http/upgrades.ts'

/** The largest picture that a tag may hold. */
const messageBytesMax = 16 * 1024 * 1024
const comeMs = 5_000

export interface MediaGate {
  /** Waits for a connection, which comes paused. @param ask tells a node to open it @throws when it does not come within five seconds */
  call(ask: (id: string) => void): Promise<WebSocket>
  readonly route: UpgradeRoute
  close(): void
}

/** Makes the gate for media. @param isNode whether a request proves to be from a relay node */
export function createMediaGate(isNode: (request: IncomingMessage) => boolean): MediaGate {
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
    route: {
      target: /^\/relay\/media\/([\w-]+)$/,
      sockets,
      take: (request, id) => (isNode(request) ? (waiting.get(id) ?? 404) : 401),
    },
    close() {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}
