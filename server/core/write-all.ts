// Writes to files.
import type { FileHandle } from 'node:fs/promises'

/** Writes bytes at a position: the system may write fewer at a time. @throws Error of the system */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;)
    done += (await handle.write(bytes, done, bytes.byteLength - done, at + done)).bytesWritten
}
