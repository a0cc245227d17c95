// Sends parts of recordings to the service, each over its own connection.
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
  /** A project is on air and has priority. */
  readonly isBusy: () => boolean
}

/** Requested part of a file. */
interface Wanted {
  /** Path below the folder; the protocol rejects other paths. */
  readonly file: string
  /** First and last byte. */
  readonly from: number
  readonly to: number
}

export interface FileSender extends Pick<MediaConnections, 'close'> {
  send(call: MediaRequest, wanted: Wanted): void
}

const chunkBytes = 256 * 1024
/** Rate limit while a project is on air: 64 Mbps per file. */
const bytesPerMs = 8_000

/** Creates the sender of recordings. */
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
      // Backpressure: a slow reader does not fill the memory.
      await new Promise((resolve, reject) =>
        socket.send(bytes.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve(null))),
      )
      if (isBusy()) await wait(bytesRead / bytesPerMs)
    }
  } catch {
    // The connection closed, or the disk failed: the service notices that the part is incomplete.
  } finally {
    await handle.close()
    socket.close()
  }
}
