// Segment of a delayed stream: some seconds of messages, in memory or in a file.
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Message } from '#server/relay/rtmp/message.ts'

interface Entry {
  /** Arrival, by the monotonic clock. */
  readonly at: number
  readonly message: Message
}

export class DelaySegment {
  /** Arrival of the first and of the last entry. */
  readonly from: number
  until: number
  /** Memory cost of the entries, in memory or not. */
  bytes: number
  /** Null while they are in the file. */
  entries: Entry[] | null
  /** Unlinked: the system deletes it with the process. */
  #file: FileHandle | null = null
  #isMoving = false

  constructor(entry: Entry, bytes: number) {
    this.from = entry.at
    this.until = entry.at
    this.bytes = bytes
    this.entries = [entry]
  }

  /** True while it is written or read. */
  get isMoving(): boolean {
    return this.#isMoving
  }

  /** Moves the entries to a file. */
  unload(): void {
    void this.#move(() => this.#write())
  }

  /** Moves the entries back to memory. */
  load(): void {
    void this.#move(() => this.#read())
  }

  /** Drops the entries and deletes the file. */
  discard(): void {
    this.entries = null
    void this.#file?.close().catch(() => undefined)
    this.#file = null
  }

  async #move(how: () => Promise<void>): Promise<void> {
    this.#isMoving = true
    // A full disk costs this segment only.
    await how().catch(() => (this.entries = []))
    this.#isMoving = false
  }

  async #write(): Promise<void> {
    const { entries } = this
    if (!this.#file) {
      const path = join(tmpdir(), `relaydeck-delay-${randomUUID()}`)
      this.#file = await open(path, 'wx+', 0o600)
      await unlink(path)
      await this.#file.writeFile(serialize(entries))
    }
    this.entries = null
  }

  async #read(): Promise<void> {
    const file = this.#file
    if (!file) throw new Error('The segment has no file')
    const { size } = await file.stat()
    const bytes = Buffer.allocUnsafe(size)
    await file.read(bytes, 0, size, 0)
    this.entries = deserialize(bytes) as Entry[]
  }
}
