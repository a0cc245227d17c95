// Media connections of a node to the service: opened at the service's request, so that a node needs no public address.
import { WebSocket } from 'ws'

export interface MediaConnectionOptions {
  /** URL of the service, `ws://…/relay`. */
  readonly service: string
  readonly token: string
}

/** Request of the service for a connection. */
export interface MediaRequest {
  readonly id: string
  /** URL of the waiting replica, `ws://…/relay`. Default and fallback: the URL of the service. */
  readonly at?: string | undefined
}

/** Several replicas can share an address, and one of them waits: the node retries for so long, milliseconds. */
const retryForMs = 5_000
const retryMs = 50

/** Sends media over an open connection. @returns a function that stops it; null: there is nothing to send */
type Begin = (socket: WebSocket) => (() => void) | null | Promise<(() => void) | null>

export interface MediaConnections {
  /** Opens a connection and keeps it until the service closes it. */
  open(request: MediaRequest, projectId: number, begin: Begin): void
  /** Closes the connections of a project. */
  end(projectId: number): void
  close(): void
}

export function createMediaConnections({ service, token }: MediaConnectionOptions): MediaConnections {
  const sockets = new Map<WebSocket, number>()
  let isClosed = false

  function open(
    { id, at = service }: MediaRequest,
    projectId: number,
    begin: Begin,
    until = Date.now() + retryForMs,
  ): void {
    const headers = { authorization: `Bearer ${token}` }
    const socket = new WebSocket(`${at}/media/${id}`, { headers, perMessageDeflate: false })
    sockets.set(socket, projectId)
    let stop: (() => void) | null = null
    let isAnswered = false
    socket.on('open', async () => {
      // An error, such as a full disk, closes this connection only.
      stop = await Promise.resolve(socket)
        .then(begin)
        .catch(() => null)
      if (!stop) return socket.close()
      if (socket.readyState === socket.CLOSED) stop()
    })
    socket.on('unexpected-response', (_, { statusCode }) => {
      isAnswered = true
      socket.terminate()
      if (statusCode !== 404 || Date.now() > until || isClosed) return
      setTimeout(() => open({ id, at }, projectId, begin, until), retryMs)
    })
    socket.on('upgrade', () => (isAnswered = true))
    socket.on('error', () => {
      // A replica that is unreachable at its own address may be reachable at the shared one.
      if (!isAnswered && at !== service && !isClosed) open({ id }, projectId, begin, until)
    })
    socket.on('close', () => {
      stop?.()
      sockets.delete(socket)
    })
  }

  return {
    open,
    end(projectId) {
      for (const [socket, id] of sockets) if (id === projectId) socket.close()
    },
    close() {
      isClosed = true
      for (const socket of sockets.keys()) socket.terminate()
    },
  }
}
