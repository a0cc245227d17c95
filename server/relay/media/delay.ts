// A stream as it was some time ago, for channels that shall lag behind: kept once for all of them, a cursor for each.
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import type { Message } from '#server/relay/rtmp/chunks.ts'
import { costOf } from './cost.ts'
import { Hub, type Receiver } from './hub.ts'
import type { Packet } from './packet.ts'

interface Entry {
  /** When it came, by the monotonic clock. */
  readonly at: number
  readonly message: Message
}

/** A few seconds of the stream from keyframe to keyframe: in memory, or in a file while nobody needs it soon. */
interface Part {
  readonly from: number
  until: number
  /** Memory that it takes, in a file or not. */
  bytes: number
  entries: Entry[] | null
  /** Without a name: it is gone with the process, however that ends. */
  file: FileHandle | null
  /** It is being written or read. */
  moving: boolean
}

interface Late {
  readonly delayMs: number
  readonly hub: Hub
  /** The next part by its number since the beginning, and the entry in it. */
  part: number
  entry: number
}

const tickMs = 20
const partMs = 5_000
/** A group of pictures that is longer is cut: no player can begin there, which nobody does. */
const partMsMax = 20_000
/** One that costs more memory is cut as well: two seconds of 100 Mbps. */
const partBytesMax = 32 * 1024 * 1024
/** What is needed within this time is in memory. */
const soonMs = 15_000
/** A minute of 6 Mbps stays in memory; from here on what is not needed soon waits in files. */
const memoryBytes = 64 * 1024 * 1024
/** What is needed soon is above that at high bitrates. From here on nothing more is taken up to a keyframe. */
const memoryBytesMax = 192 * 1024 * 1024
/** The same for memory and files together: 40 minutes of 25 Mbps. */
const keptBytesMax = 8 * 1024 * 1024 * 1024

export class DelayLine implements Receiver {
  readonly #source: Hub
  readonly #memoryBytes: number
  readonly #late = new Map<number, Late>()
  readonly #parts: Part[] = []
  /** Number of the first part that is kept. */
  #first = 0
  #timer: NodeJS.Timeout | undefined
  #detach: (() => void) | undefined
  /** As of the last look, and what came since. */
  #inMemory = 0
  #kept = 0
  #isDropping = false

  constructor(source: Hub, options: { readonly memoryBytes?: number } = {}) {
    this.#source = source
    this.#memoryBytes = options.memoryBytes ?? memoryBytes
  }

  /** The stream as it was so long ago; nothing comes out of it before that time has passed. */
  behind(delayMs: number): Hub {
    const known = this.#late.get(delayMs)
    if (known) return known.hub
    if (this.#late.size === 0) this.#begin()
    const late: Late = { delayMs, hub: new Hub(this.#source.gatherMs), part: this.#first, entry: 0 }
    this.#late.set(delayMs, late)
    return late.hub
  }

  /** Nobody needs other delays than these any more. */
  keep(delays: ReadonlySet<number>): void {
    for (const delayMs of this.#late.keys()) if (!delays.has(delayMs)) this.#late.delete(delayMs)
    if (this.#late.size === 0) this.close()
  }

  /** Milliseconds until the last of what came in has gone out everywhere. */
  left(): number {
    const newest = this.#parts.at(-1)?.until ?? 0
    const longest = Math.max(0, ...this.#late.keys())
    return Math.max(0, newest + longest - performance.now())
  }

  /** Memory that it takes, bytes. */
  bytes(): number {
    return this.#parts.reduce((sum, part) => sum + (part.entries ? part.bytes : 0), 0)
  }

  take(packet: Packet): void {
    const { type, timestamp, payload, role, kind } = packet
    const at = performance.now()
    const isStart = kind === 'video' && role === 'key'
    if (!this.#hasRoom(isStart || !this.#source.hasVideo)) return
    const bytes = costOf(packet)
    this.#inMemory += bytes
    this.#kept += bytes
    const last = this.#parts.at(-1)
    const age = last ? at - last.from : Number.POSITIVE_INFINITY
    const entry = { at, message: { type, streamId: 1, timestamp, payload } }
    const isOpen = last?.entries && last.bytes < partBytesMax && age < (isStart ? partMs : partMsMax)
    if (last?.entries && isOpen) {
      last.entries.push(entry)
      last.until = at
      last.bytes += bytes
    } else {
      this.#parts.push({ from: at, until: at, bytes, entries: [entry], file: null, moving: false })
    }
  }

  /** Whether a packet is taken: whole groups are left out where there is too much. */
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
    this.#late.clear()
    for (const part of this.#parts.splice(0)) forget(part)
    this.#first = 0
  }

  /** Begins with what a decoder has to know, and the group that runs. */
  #begin(): void {
    for (const packet of [...this.#source.opening(), ...this.#source.group()]) this.take(packet)
    this.#detach = this.#source.attach(this)
    this.#timer = setInterval(() => this.#tick(performance.now()), tickMs)
  }

  #tick(now: number): void {
    for (const late of this.#late.values()) this.#advance(late, now - late.delayMs)
    const done = Math.min(...[...this.#late.values()].map(({ part }) => part))
    for (; this.#first < done; this.#first++) forget(this.#parts.shift())
    this.#tidy(now)
    this.#inMemory = this.bytes()
    this.#kept = this.#parts.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Hands out what is old enough. */
  #advance(late: Late, now: number): void {
    for (;;) {
      const part = this.#parts[late.part - this.#first]
      const entry = part?.entries?.[late.entry]
      if (entry) {
        if (entry.at > now) return
        late.entry++
        late.hub.push([entry.message], entry.at)
      } else if (part?.entries && part !== this.#parts.at(-1)) {
        late.part++
        late.entry = 0
      } else return
    }
  }

  /** Moves what is not needed soon into files, and back in time. */
  #tidy(now: number): void {
    const isFull = this.bytes() > this.#memoryBytes
    for (const [index, part] of this.#parts.entries()) {
      if (part.moving || part === this.#parts.at(-1)) continue
      // One that a disk brings late is needed all the same.
      const isSoon = [...this.#late.values()].some(
        (late) =>
          late.part === this.#first + index ||
          (part.from + late.delayMs < now + soonMs && part.until + late.delayMs >= now - partMsMax),
      )
      if (part.entries && !isSoon && isFull) void move(part, write)
      else if (!part.entries && isSoon) void move(part, read)
    }
  }
}

/** Everything of a project that lags behind: by the stream that a channel gets, and by how much. */
export class Delays {
  readonly #lines = new Map<Hub, DelayLine>()
  readonly #late = new Map<number, { readonly hub: Hub; readonly line: DelayLine; readonly delayMs: number }>()

  /** The stream of a channel as it was so long ago. */
  behind(source: Hub, { id, delayMs }: { readonly id: number; readonly delayMs: number }): Hub {
    const line = this.#lines.get(source) ?? new DelayLine(source)
    this.#lines.set(source, line)
    const hub = line.behind(delayMs)
    this.#late.set(id, { hub, line, delayMs })
    return hub
  }

  /** Whether a channel lags behind. */
  has(id: number): boolean {
    return this.#late.has(id)
  }

  /** Does something as soon as the first of a late stream is due. @returns whether it has to wait for that */
  waitFor(id: number, then: () => void): boolean {
    const hub = this.#late.get(id)?.hub
    if (!hub || hub.opening().length > 0) return false
    const detach = hub.attach({
      take() {
        detach()
        then()
      },
    })
    return true
  }

  /** Forgets what none of these channels needs. */
  keep(wishes: readonly { readonly id: number; readonly delayMs?: number | undefined }[]): void {
    for (const [id, { delayMs }] of this.#late)
      if (!wishes.some((wish) => wish.id === id && wish.delayMs === delayMs)) this.#late.delete(id)
    for (const [source, line] of this.#lines) {
      const used = [...this.#late.values()].filter((late) => late.line === line)
      line.keep(new Set(used.map(({ delayMs }) => delayMs)))
      if (used.length === 0) this.#lines.delete(source)
    }
  }

  /** Milliseconds until the last of what came in has gone out everywhere. */
  left(): number {
    return Math.max(0, ...[...this.#lines.values()].map((line) => line.left()))
  }

  close(): void {
    this.keep([])
  }
}

function forget(part: Part | undefined): void {
  if (!part) return
  part.entries = null
  void part.file?.close().catch(() => undefined)
  part.file = null
}

async function move(part: Part, how: (part: Part) => Promise<void>): Promise<void> {
  part.moving = true
  // A disk that is full costs these seconds, from keyframe to keyframe, and nothing else.
  await how(part).catch(() => (part.entries = []))
  part.moving = false
}

async function write(part: Part): Promise<void> {
  const { entries } = part
  if (!part.file) {
    const path = join(tmpdir(), `relaydeck-delay-${randomUUID()}`)
    part.file = await open(path, 'wx+', 0o600)
    await unlink(path)
    await part.file.writeFile(serialize(entries))
  }
  part.entries = null
}

async function read(part: Part): Promise<void> {
  const file = part.file
  if (!file) throw new Error('Nothing was written')
  const { size } = await file.stat()
  const bytes = Buffer.allocUnsafe(size)
  await file.read(bytes, 0, size, 0)
  part.entries = deserialize(bytes) as Entry[]
}
