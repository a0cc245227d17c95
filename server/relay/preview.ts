// The live picture for people who look at the dashboard.
import { sendFlv } from './media/flv-sender.ts'
import {
  createMediaConnections,
  type MediaConnectionOptions,
  type MediaConnections,
  type MediaRequest,
} from './media-connections.ts'
import type { Live } from './live.ts'

/** Of 6 Mbps, two seconds and a half. More is left out up to a keyframe: who looks wants to see what is now. */
const queueBytesMax = 2 * 1024 * 1024

export interface PreviewOptions extends MediaConnectionOptions {
  readonly live: (projectId: number) => Live | undefined
}

export interface Previews extends Pick<MediaConnections, 'end' | 'close'> {
  /** Sends a project until the service hangs up. */
  send(call: MediaRequest, projectId: number): void
}

/** What of this node's projects is looked at. */
export function createPreviews({ live, ...to }: PreviewOptions): Previews {
  const { open, end, close } = createMediaConnections(to)
  return {
    send: (call, projectId) =>
      open(call, projectId, (socket) => {
        const hub = live(projectId)?.hub
        if (!hub) return null
        const out = {
          write: (bytes: Buffer, done: () => void) => socket.send(bytes, done),
          get writableLength() {
            return socket.bufferedAmount
          },
        }
        const outlet = sendFlv(hub, out, () => queueBytesMax)
        return () => outlet.close()
      }),
    end,
    close,
  }
}
