// The live picture for people who look at the dashboard: a further connection to the service, opened when it asks for one,
// so that a node in another city needs no address of its own.
import { WebSocket } from 'ws'
import type { Live } from './live.ts'
import { sendFlv } from './media/flv.ts'

/** Of 6 Mbps, two seconds and a half. More is left out up to a keyframe: who looks wants to see what is now. */
const queueBytesMax = 2 * 1024 * 1024

export interface PreviewOptions {
  /** Where the service is, `ws://…/relay`. */
  readonly service: string
  readonly token: string
  readonly live: (projectId: number) => Live | undefined
}

export interface Previews {
  /** Sends a project until the service hangs up. @param id by which the service knows the connection */
  send(id: string, projectId: number): void
  /** The project is off air. */
  end(projectId: number): void
  close(): void
}

/** What of this node's projects is looked at. */
export function createPreviews({ service, token, live }: PreviewOptions): Previews {
  const sockets = new Map<WebSocket, number>()
  return {
    send(id, projectId) {
      const headers = { authorization: `Bearer ${token}` }
      const socket = new WebSocket(`${service}/media/${id}`, { headers, perMessageDeflate: false })
      sockets.set(socket, projectId)
      let stop = () => {}
      socket.on('open', () => {
        const hub = live(projectId)?.hub
        if (!hub) return socket.close()
        const out = {
          write: (bytes: Buffer) => (socket.send(bytes), true),
          get writableLength() {
            return socket.bufferedAmount
          },
        }
        const outlet = sendFlv(hub, out, () => queueBytesMax)
        stop = () => outlet.close()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        stop()
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
