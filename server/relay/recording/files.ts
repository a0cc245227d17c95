// Files of recordings for people who fetch them: each part goes to the service over a line of its own.
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import {
  createMediaConnections,
  type MediaConnectionOptions,
  type MediaConnections,
  type MediaRequest,
} from '#server/relay/media-connections.ts'

export interface FileOptions extends MediaConnectionOptions {
  readonly folder: string
  /** Something is on air, which comes first. */
  readonly isBusy: () => boolean
}

/** What somebody wants of a file. */
interface Wanted {
  /** Below the folder; the protocol lets nothing else through. */
  readonly file: string
  /** First and last byte. */
  readonly from: number
  readonly to: number
}

export interface FileSender extends Pick<MediaConnections, 'close'> {
  send(call: MediaRequest, wanted: Wanted): void
}

const chunkBytes = 256 * 1024
/** While something is on air: 64 Mbps for a file. */
const bytesPerMs = 8_000

/** Makes what sends files to the service. */
export function createFileSender({ folder, isBusy, ...to }: FileOptions): FileSender {
  const lines = createMediaConnections(to)
  return {
    send: (call, { file, from, to: last }) =>
      lines.open(call, 0, async (socket) => {
        const handle = folder === '' ? null : await open(join(folder, file)).catch(() => null)
        if (!handle) return null
        const ending = new AbortController()
        void send(socket, handle, { from, to: last }, { isBusy, signal: ending.signal })
        return () => ending.abort()
      }),
    close: lines.close,
  }
}

async function send(
  socket: WebSocket,
  handle: FileHandle,
  { from, to }: Omit<Wanted, 'file'>,
  { isBusy, signal }: { readonly isBusy: () => boolean; readonly signal: AbortSignal },
): Promise<void> {
  try {
    const { size } = await handle.stat()
    socket.send(String(size))
    for (let at = from; at <= to && !signal.aborted;) {
      const bytes = Buffer.allocUnsafe(Math.min(chunkBytes, to - at + 1))
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      // One after another: a reader that is slow fills nothing here.
      await new Promise((resolve, reject) =>
        socket.send(bytes.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve(null))),
      )
      if (isBusy()) await wait(bytesRead / bytesPerMs)
    }
  } catch {
    // The service has hung up, or the disk does not give the file: the service sees that it is not whole.
  } finally {
    await handle.close()
    socket.close()
  }
}
