// Delay line: buffers a stream once and replays it with any number of delays.
import { costOf } from '#server/relay/cost.ts'
import { Hub, type Receiver } from './hub.ts'
import type { Packet } from './packet.ts'
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Message } from '#server/relay/rtmp/message.ts'

// Segment of a delayed stream: some seconds of messages, in memory or in a file.

interface Entry {
  /** Arrival, by the monotonic clock. */
  readonly at: number
  readonly message: Message
}

class DelaySegment {
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

/** Replay of the stream with one delay. */
interface Replay {
  readonly delayMs: number
  readonly hub: Hub
  /** The next entry: number of its segment since the beginning, and index in it. */
  segment: number
  entry: number
}

const tickMs = 20
const segmentMs = 5_000
/** Longer GOPs are cut. */
const segmentMsMax = 20_000
/** Larger GOPs are cut: two seconds of 100 Mbps. */
const segmentBytesMax = 32 * 1024 * 1024
/** Segments that are replayed within this time are in memory. */
const soonMs = 15_000
/** A minute of 6 Mbps. Above, segments that are not replayed soon are moved to files. */
const memoryBytes = 64 * 1024 * 1024
/** At high bitrates the segments of the next seconds need more. Above, packets are dropped up to a keyframe. */
const memoryBytesMax = 192 * 1024 * 1024
/** The same for memory and files together: 40 minutes of 25 Mbps. */
const keptBytesMax = 8 * 1024 * 1024 * 1024

export class DelayLine implements Receiver {
  readonly #source: Hub
  readonly #memoryBytes: number
  readonly #replays = new Map<number, Replay>()
  readonly #segments: DelaySegment[] = []
  /** Number of the first segment that is kept. */
  #first = 0
  #timer: NodeJS.Timeout | undefined
  #detach: (() => void) | undefined
  /** As of the last tick, plus later packets. */
  #inMemory = 0
  #kept = 0
  #isDropping = false

  constructor(source: Hub, options: { readonly memoryBytes?: number } = {}) {
    this.#source = source
    this.#memoryBytes = options.memoryBytes ?? memoryBytes
  }

  /** Returns the stream with a delay; it stays empty until the delay has passed. */
  behind(delayMs: number): Hub {
    const existing = this.#replays.get(delayMs)
    if (existing) return existing.hub
    if (this.#replays.size === 0) this.#begin()
    const replay: Replay = { delayMs, hub: new Hub(this.#source.gatherMs), segment: this.#first, entry: 0 }
    this.#replays.set(delayMs, replay)
    return replay.hub
  }

  /** Ends all other delays. */
  keep(delays: ReadonlySet<number>): void {
    for (const delayMs of this.#replays.keys()) if (!delays.has(delayMs)) this.#replays.delete(delayMs)
    if (this.#replays.size === 0) this.close()
  }

  /** Returns the milliseconds until the newest packet has been replayed everywhere. */
  left(): number {
    const newest = this.#segments.at(-1)?.until ?? 0
    const longest = Math.max(0, ...this.#replays.keys())
    return Math.max(0, newest + longest - performance.now())
  }

  /** Memory in use, bytes. */
  bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + (segment.entries ? segment.bytes : 0), 0)
  }

  take(packet: Packet): void {
    const { type, timestamp, payload, role, kind } = packet
    const at = performance.now()
    const isStart = kind === 'video' && role === 'key'
    if (!this.#hasRoom(isStart || !this.#source.hasVideo)) return
    const bytes = costOf(packet)
    this.#inMemory += bytes
    this.#kept += bytes
    const last = this.#segments.at(-1)
    const age = last ? at - last.from : Number.POSITIVE_INFINITY
    const entry = { at, message: { type, streamId: 1, timestamp, payload } }
    const isOpen = last?.entries && last.bytes < segmentBytesMax && age < (isStart ? segmentMs : segmentMsMax)
    if (last?.entries && isOpen) {
      last.entries.push(entry)
      last.until = at
      last.bytes += bytes
    } else {
      this.#segments.push(new DelaySegment(entry, bytes))
    }
  }

  /** Returns true when a packet is kept: above the limits whole GOPs are dropped. */
  #hasRoom(canBegin: boolean): boolean {
    const share = this.#isDropping ? 2 : 1
    const isFull = this.#inMemory * share > memoryBytesMax || this.#kept * share > keptBytesMax
    if (isFull) this.#isDropping = true
    else if (canBegin) this.#isDropping = false
    return !this.#isDropping
  }

  close(): void {
    clearInterval(this.#timer)
    this.#detach?.()
    this.#detach = undefined
    this.#isDropping = false
    this.#replays.clear()
    for (const segment of this.#segments.splice(0)) segment.discard()
    this.#first = 0
  }

  /** Begins with the headers and the current group of pictures. */
  #begin(): void {
    for (const packet of [...this.#source.headers(), ...this.#source.group()]) this.take(packet)
    this.#detach = this.#source.attach(this)
    this.#timer = setInterval(() => this.#tick(performance.now()), tickMs)
  }

  #tick(now: number): void {
    for (const replay of this.#replays.values()) this.#advance(replay, now - replay.delayMs)
    const done = Math.min(...[...this.#replays.values()].map(({ segment }) => segment))
    for (; this.#first < done; this.#first++) this.#segments.shift()?.discard()
    this.#moveSegments(now)
    this.#inMemory = this.bytes()
    this.#kept = this.#segments.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Replays all entries that arrived by then. */
  #advance(replay: Replay, then: number): void {
    for (;;) {
      const segment = this.#segments[replay.segment - this.#first]
      const entry = segment?.entries?.[replay.entry]
      if (entry) {
        if (entry.at > then) return
        replay.entry++
        replay.hub.push([entry.message], entry.at)
      } else if (segment?.entries && segment !== this.#segments.at(-1)) {
        replay.segment++
        replay.entry = 0
      } else return
    }
  }

  /** Moves segments that are not replayed soon to files, and back in time. */
  #moveSegments(now: number): void {
    const isFull = this.bytes() > this.#memoryBytes
    for (const [index, segment] of this.#segments.entries()) {
      if (segment.isMoving || segment === this.#segments.at(-1)) continue
      // A slow disk may deliver a segment late; it is replayed nevertheless.
      const isSoon = [...this.#replays.values()].some(
        (replay) =>
          replay.segment === this.#first + index ||
          (segment.from + replay.delayMs < now + soonMs && segment.until + replay.delayMs >= now - segmentMsMax),
      )
      if (segment.entries && !isSoon && isFull) segment.unload()
      else if (!segment.entries && isSoon) segment.load()
    }
  }
}
