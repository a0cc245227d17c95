// Records one project to disk as FLV, which stays readable up to its last complete tag if the node is killed.
import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { CountedWrites } from '#server/relay/cost.ts'
import { flvHeader } from '#server/relay/media/flv.ts'
import type { Hub, Receiver } from '#server/relay/media/hub.ts'
import type { Packet } from '#server/relay/media/packet.ts'

/** A recorded file. */
export interface RecordingFile {
  readonly file: string
  /** Wall clock, milliseconds. */
  readonly startedAt: number
  readonly bytes: number
  readonly durationMs: number
}

/** Reason why recording stopped. */
export type RecordingTrouble = 'disk_full' | 'limit' | 'disk_slow' | 'disk_error'

export interface RecorderOptions {
  readonly hub: Hub
  /** Folder of the project; it must exist. */
  readonly folder: string
  /** A file ends at the next keyframe after this size or duration. */
  readonly splitBytes: number
  readonly splitMs: number
  readonly onBegin: (file: RecordingFile) => void
  /** The file is on disk. */
  readonly onDone: (file: RecordingFile) => void
  /** Recording has stopped. */
  readonly onTrouble: (trouble: RecordingTrouble) => void
}

/** Files that begin within a minute. With more changes of the stream the rest of the minute is not recorded: each file is remuxed. */
const startsMax = 30
const minuteMs = 60_000

/** Write queue of a disk that is too slow: 40 s of 6 Mbps. */
const queueBytesMax = 32 * 1024 * 1024

interface OpenFile {
  readonly out: WriteStream
  readonly writes: CountedWrites
  readonly file: string
  readonly startedAt: number
  /** Timestamp of the stream where the file has 0; null before its first frame. */
  base: number | null
  header: Buffer | null
  bytes: number
  durationMs: number
}

export class Recorder implements Receiver {
  readonly #options: RecorderOptions
  readonly #detach: () => void
  readonly #done: Promise<void>[] = []
  #file: OpenFile | null = null
  #isClosed = false
  /** Starts within the last minute, wall clock, milliseconds. */
  #starts: number[] = []

  /** Begins with the packets since the last keyframe. */
  constructor(options: RecorderOptions) {
    this.#options = options
    this.#detach = options.hub.attach(this)
    for (const packet of options.hub.group()) this.take(packet)
  }

  /** The file that is being written, or null. */
  get current(): RecordingFile | null {
    return this.#file && summaryOf(this.#file)
  }

  take(packet: Packet): void {
    if (this.#isClosed) return
    if (this.#file && this.#endsAt(packet, this.#file)) this.#end()
    if (!this.#file && this.#canBegin(packet)) this.#begin()
    const file = this.#file
    if (!file) return
    this.#write(file, packet)
    if (file.writes.queued() > queueBytesMax) this.fail('disk_slow')
  }

  /** Stops recording with a reason. */
  fail(trouble: RecordingTrouble): void {
    if (this.#isClosed) return
    this.#options.onTrouble(trouble)
    void this.close()
  }

  /** Stops recording. Resolves when all files are on disk. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#detach()
    this.#end()
    await Promise.all(this.#done)
  }

  /** Returns true when the file ends before a packet: it is long enough, or the stream has new headers, which need a new file. */
  #endsAt(packet: Packet, { bytes, durationMs, header }: OpenFile): boolean {
    if (packet.kind !== 'video') return false
    if (packet.role === 'header') return header !== null && !header.equals(packet.payload)
    const { splitBytes, splitMs } = this.#options
    return packet.role === 'key' && (bytes >= splitBytes || durationMs >= splitMs)
  }

  #canBegin(packet: Packet): boolean {
    if (packet.kind === 'data' || packet.role === 'header') return false
    const now = Date.now()
    if (this.#starts.length >= startsMax) {
      this.#starts = this.#starts.filter((at) => Math.abs(now - at) < minuteMs)
      if (this.#starts.length >= startsMax) return false
    }
    return this.#options.hub.hasVideo ? packet.kind === 'video' && packet.role === 'key' : true
  }

  #begin(): void {
    const { folder, hub, onBegin } = this.#options
    // The name of the file; it must be unique.
    const startedAt = Math.max(Date.now(), (this.#starts.at(-1) ?? 0) + 1)
    this.#starts.push(startedAt)
    const file = join(folder, fileNameOf(startedAt))
    const out = createWriteStream(file, { flags: 'ax', mode: 0o600 })
    const writes = new CountedWrites(out)
    const opened: OpenFile = { out, writes, file, startedAt, base: null, header: null, bytes: 0, durationMs: 0 }
    this.#file = opened
    out.on('error', (error: NodeJS.ErrnoException) => this.fail(error.code === 'ENOSPC' ? 'disk_full' : 'disk_error'))
    this.#put(opened, flvHeader(hub.tracks()))
    for (const packet of hub.headers()) this.#write(opened, packet)
    onBegin(summaryOf(opened))
  }

  #write(file: OpenFile, packet: Packet): void {
    if (packet.kind === 'video' && packet.role === 'header') file.header = packet.payload
    const isFrame = packet.kind !== 'data' && packet.role !== 'header'
    if (isFrame) file.base ??= packet.timestamp
    const at = file.base === null ? 0 : (packet.timestamp - file.base) >>> 0
    // Audio can be slightly earlier than the first video frame.
    const time = at > 2 ** 31 ? 0 : at
    file.durationMs = Math.max(file.durationMs, time)
    this.#put(file, packet.tagAt(time))
  }

  #put(file: OpenFile, bytes: Buffer): void {
    file.bytes += bytes.length
    file.writes.write(bytes)
  }

  #end(): void {
    const file = this.#file
    if (!file) return
    this.#file = null
    this.#done.push(
      new Promise((resolve) => {
        file.out.once('close', () => {
          this.#options.onDone(summaryOf(file))
          resolve()
        })
        file.out.end()
      }),
    )
  }
}

/** Returns the file name of a recording: its start. A node recovers files by it. */
export const fileNameOf = (startedAt: number): string => `${new Date(startedAt).toISOString().replaceAll(':', '-')}.flv`

const summaryOf = ({ file, startedAt, bytes, durationMs }: OpenFile): RecordingFile => ({
  file,
  startedAt,
  bytes,
  durationMs,
})
