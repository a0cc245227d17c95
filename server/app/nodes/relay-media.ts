// Media connections of relay nodes: previews, HLS files and recordings, each opened by the node on request.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { UpgradeRoute } from '#server/app/http/upgrades.ts'

/** Largest video message in a tag, bytes. */
const messageBytesMax = 16 * 1024 * 1024
const comeMs = 5_000

export interface MediaGate {
  /** Waits for a connection, which is paused. @param ask requests it from the node @throws without a connection after five seconds */
  call(ask: (id: string) => void): Promise<WebSocket>
  readonly route: UpgradeRoute
  close(): void
}

/** Creates the gate for media connections. @param isNode returns true when a request authenticates as a relay node */
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
          // No data may arrive before the handler listens.
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
