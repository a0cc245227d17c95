// Writes one project to disk as FLV, which is good up to its last whole tag whatever happens to the node.
import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { CountedWrites } from '#server/relay/media/cost.ts'
import { flvHeader } from '#server/relay/media/flv.ts'
import type { Hub, Receiver } from '#server/relay/media/hub.ts'
import type { Packet } from '#server/relay/media/packet.ts'

/** A file as far as it is written. */
export interface Take {
  readonly file: string
  /** When it began; wall clock, milliseconds. */
  readonly startedAt: number
  readonly bytes: number
  readonly durationMs: number
}

/** Why no more is written. */
export type RecordTrouble = 'disk_full' | 'limit' | 'disk_slow' | 'disk_error'

export interface RecorderOptions {
  readonly hub: Hub
  /** Folder of the project, which is there. */
  readonly folder: string
  /** A file ends at the next keyframe after so much. */
  readonly splitBytes: number
  readonly splitMs: number
  readonly onBegin: (take: Take) => void
  /** The file is on disk. */
  readonly onDone: (take: Take) => void
  /** Nothing more is written until somebody begins again. */
  readonly onTrouble: (trouble: RecordTrouble) => void
}

/** A disk that is so far behind is none to write to: 40 s of 6 Mbps. */
const queueBytesMax = 32 * 1024 * 1024

interface Open {
  readonly out: WriteStream
  readonly writes: CountedWrites
  readonly file: string
  readonly startedAt: number
  /** Time of the stream at which the file has 0; null before its first frame. */
  base: number | null
  header: Buffer | null
  bytes: number
  durationMs: number
}

export class Recorder implements Receiver {
  readonly #options: RecorderOptions
  readonly #detach: () => void
  readonly #done: Promise<void>[] = []
  #file: Open | null = null
  #over = false
  #lastStart = 0

  /** Begins with the group since the last keyframe. */
  constructor(options: RecorderOptions) {
    this.#options = options
    this.#detach = options.hub.attach(this)
    for (const packet of options.hub.group()) this.take(packet)
  }

  /** The file that is being written. */
  get now(): Take | null {
    return this.#file && takeOf(this.#file)
  }

  take(packet: Packet): void {
    if (this.#over) return
    if (this.#file && this.#endsAt(packet, this.#file)) this.#end()
    if (!this.#file && this.#canBegin(packet)) this.#begin()
    const file = this.#file
    if (!file) return
    this.#write(file, packet)
    if (file.writes.queued() > queueBytesMax) this.fail('disk_slow')
  }

  /** Ends the file for a reason. */
  fail(trouble: RecordTrouble): void {
    if (this.#over) return
    this.#options.onTrouble(trouble)
    void this.close()
  }

  /** Ends the file. @returns when everything is on disk */
  async close(): Promise<void> {
    this.#over = true
    this.#detach()
    this.#end()
    await Promise.all(this.#done)
  }

  /** Long enough, at a place to cut; or another stream begins, which no file can go on with. */
  #endsAt(packet: Packet, { bytes, durationMs, header }: Open): boolean {
    if (packet.kind !== 'video') return false
    if (packet.role === 'header') return header !== null && !header.equals(packet.payload)
    const { splitBytes, splitMs } = this.#options
    return packet.role === 'key' && (bytes >= splitBytes || durationMs >= splitMs)
  }

  #canBegin(packet: Packet): boolean {
    if (packet.kind === 'data' || packet.role === 'header') return false
    return this.#options.hub.hasVideo ? packet.kind === 'video' && packet.role === 'key' : true
  }

  #begin(): void {
    const { folder, hub, onBegin } = this.#options
    // Its name, which no other file may have.
    const startedAt = Math.max(Date.now(), this.#lastStart + 1)
    this.#lastStart = startedAt
    const file = join(folder, nameOf(startedAt))
    const out = createWriteStream(file, { flags: 'ax', mode: 0o600 })
    const writes = new CountedWrites(out)
    const open: Open = { out, writes, file, startedAt, base: null, header: null, bytes: 0, durationMs: 0 }
    this.#file = open
    out.on('error', (error: NodeJS.ErrnoException) => this.fail(error.code === 'ENOSPC' ? 'disk_full' : 'disk_error'))
    this.#put(open, flvHeader(hub.tracks()))
    for (const packet of hub.opening()) this.#write(open, packet)
    onBegin(takeOf(open))
  }

  #write(file: Open, packet: Packet): void {
    if (packet.kind === 'video' && packet.role === 'header') file.header = packet.payload
    const isFrame = packet.kind !== 'data' && packet.role !== 'header'
    if (isFrame) file.base ??= packet.timestamp
    const at = file.base === null ? 0 : (packet.timestamp - file.base) >>> 0
    // Sound may stand a little before the picture that the file begins with.
    const time = at > 2 ** 31 ? 0 : at
    file.durationMs = Math.max(file.durationMs, time)
    this.#put(file, packet.tagAt(time))
  }

  #put(file: Open, bytes: Buffer): void {
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
          this.#options.onDone(takeOf(file))
          resolve()
        })
        file.out.end()
      }),
    )
  }
}

/** A file is called by when it began: a node that starts knows its files by that. */
export const nameOf = (startedAt: number): string => `${new Date(startedAt).toISOString().replaceAll(':', '-')}.flv`

const takeOf = ({ file, startedAt, bytes, durationMs }: Open): Take => ({ file, startedAt, bytes, durationMs })
