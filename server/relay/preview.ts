// Live preview for the dashboard.
import { sendFlv } from './media/flv-sender.ts'
import {
  createMediaConnections,
  type MediaConnectionOptions,
  type MediaConnections,
  type MediaRequest,
} from './media-connections.ts'
import type { Live } from './live.ts'

/** 2.5 s of 6 Mbps. Above, packets are dropped up to a keyframe, which keeps the preview current. */
const queueBytesMax = 2 * 1024 * 1024

export interface PreviewOptions extends MediaConnectionOptions {
  readonly live: (projectId: number) => Live | undefined
}

export interface Previews extends Pick<MediaConnections, 'end' | 'close'> {
  /** Sends a project until the service closes the connection. */
  send(call: MediaRequest, projectId: number): void
}

/** Sends previews of this node's projects. */
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
