// Upgrade requests: a table of paths that open a WebSocket; every other request is refused and its socket destroyed.
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { hangUp, isGone } from './hang-up.ts'

/** Status of a refusal. 503: the client should try again. */
type Refusal = 401 | 403 | 404 | 503

/** A path that opens a WebSocket. */
export interface UpgradeRoute {
  /** Matches the whole request target, with its query string. The first group is passed to `take`. */
  readonly target: RegExp
  /** Made with `noServer`; its owner closes it. */
  readonly sockets: WebSocketServer
  /** Decides before the handshake. @returns the handler of the open socket, or the status of a refusal */
  readonly take: (request: IncomingMessage, group: string) => ((socket: WebSocket) => void) | Refusal
}

/** Dispatches upgrade requests of a server. @param may refuses those that came without encryption */
export function serveUpgrades(
  server: Server,
  routes: readonly UpgradeRoute[],
  may: (request: IncomingMessage) => boolean = () => true,
): void {
  for (const { sockets } of routes) sockets.on('wsClientError', (_, socket) => refuse(socket, 400))

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node removes its own listener before this event: without one, a reset ends the process.
    socket.on('error', () => socket.destroy())
    if (isGone(request.socket)) return void socket.destroy()
    if (!may(request)) return refuse(socket, 403)
    const { url = '' } = request
    for (const { target, sockets, take } of routes) {
      const found = target.exec(url)
      if (!found) continue
      const verdict = take(request, found[1] ?? '')
      if (typeof verdict === 'number') return refuse(socket, verdict)
      return sockets.handleUpgrade(request, socket, head, (open) => {
        open.on('error', () => open.terminate())
        verdict(open)
      })
    }
    refuse(socket, 404)
  })
}

function refuse(socket: Duplex, status: Refusal | 400): void {
  const retry = status === 503 ? 'Retry-After: 1\r\n' : ''
  hangUp(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n${retry}\r\n`)
}
