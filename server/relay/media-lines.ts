// Further connections of a node to the service, for media: opened when the service asks for one, so that a node in another
// city needs no address of its own.
import { WebSocket } from 'ws'

export interface MediaLineOptions {
  /** Where the service is, `ws://…/relay`. */
  readonly service: string
  readonly token: string
}

/** Sends something of a project over a line that stands. @returns what ends it; null: there is nothing to send */
export type Begin = (socket: WebSocket) => (() => void) | null | Promise<(() => void) | null>

export interface MediaLines {
  /** Opens a line and keeps it until the service hangs up. @param id by which the service knows the connection */
  open(id: string, projectId: number, begin: Begin): void
  /** The project is off air. */
  end(projectId: number): void
  close(): void
}

/** The lines of one kind. */
export function createMediaLines({ service, token }: MediaLineOptions): MediaLines {
  const sockets = new Map<WebSocket, number>()
  return {
    open(id, projectId, begin) {
      const headers = { authorization: `Bearer ${token}` }
      const socket = new WebSocket(`${service}/media/${id}`, { headers, perMessageDeflate: false })
      sockets.set(socket, projectId)
      let stop: (() => void) | null = null
      socket.on('open', async () => {
        stop = await begin(socket)
        if (!stop) socket.close()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        stop?.()
        sockets.delete(socket)
      })
    },
    end(projectId) {
      for (const [socket, id] of sockets) if (id === projectId) socket.close()
    },
    close() {
      for (const socket of sockets.keys()) socket.terminate()
    },
  }
}
