// Further connections of a node to the service, for media: opened when the service asks for one, so that a node in another
// city needs no address of its own.
import { WebSocket } from 'ws'

export interface MediaLineOptions {
  /** Where the service is, `ws://…/relay`. */
  readonly service: string
  readonly token: string
}

/** What a line is wanted for is known to who wants it by `id`. */
export interface MediaCall {
  readonly id: string
  /** Which service wants it, `ws://…/relay`, unless it is the one that the node is connected to. */
  readonly at?: string | undefined
}

/** Behind one address there may be several services, of which one waits: as long as it does, the next try may find it. */
const findMs = 5_000
const againMs = 50

/** Sends something of a project over a line that stands. @returns what ends it; null: there is nothing to send */
export type Begin = (socket: WebSocket) => (() => void) | null | Promise<(() => void) | null>

export interface MediaLines {
  /** Opens a line and keeps it until the service hangs up. */
  open(call: MediaCall, projectId: number, begin: Begin): void
  /** The project is off air. */
  end(projectId: number): void
  close(): void
}

/** The lines of one kind. */
export function createMediaLines({ service, token }: MediaLineOptions): MediaLines {
  const sockets = new Map<WebSocket, number>()
  let isClosed = false

  function open({ id, at = service }: MediaCall, projectId: number, begin: Begin, until = Date.now() + findMs): void {
    const headers = { authorization: `Bearer ${token}` }
    const socket = new WebSocket(`${at}/media/${id}`, { headers, perMessageDeflate: false })
    sockets.set(socket, projectId)
    let stop: (() => void) | null = null
    socket.on('open', async () => {
      // What cannot be begun, as for want of disk, is not there.
      stop = await Promise.resolve(socket)
        .then(begin)
        .catch(() => null)
      if (!stop) return socket.close()
      if (socket.readyState === socket.CLOSED) stop()
    })
    socket.on('unexpected-response', (_, { statusCode }) => {
      socket.terminate()
      if (statusCode !== 404 || Date.now() > until || isClosed) return
      setTimeout(() => open({ id, at }, projectId, begin, until), againMs)
    })
    socket.on('error', () => undefined)
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
