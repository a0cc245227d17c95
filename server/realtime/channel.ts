// A channel of the hub: its subscribers, and a history from which reconnecting clients recover.
import { randomBytes } from 'node:crypto'
import { Deletions } from '#contract/events/deletions.ts'
import type { Positioned } from './protocol.ts'

/** Limits of a lane of the history: publications, bytes. Lanes do not displace each other. */
const limits = {
  events: { kept: 200, bytes: 512 * 1024 },
  chat: { kept: 64, bytes: 256 * 1024 },
} as const
/** Age of publications in the history. */
const keptMs = 10 * 60_000

/** Part of the history: batches of the chat have one of their own. */
export type Lane = keyof typeof limits

interface StoredPublication extends Positioned {
  readonly at: number
  readonly bytes: number
  readonly replaces: string | null
  readonly lane: Lane
}

/** Retention of one publication in the history of its channel. */
export interface Retention {
  readonly lane: Lane
  /** Event whose earlier publications are removed from the history; null: none. */
  readonly replaces: string | null
  /** Returns whether an earlier publication of the lane has to be removed, because it has deleted texts. */
  readonly erases?: (data: unknown) => boolean
}

/** Publications that a reconnecting client missed. */
export interface Recovery {
  readonly recovered: boolean
  readonly publications: readonly Positioned[]
}

export interface Listener {
  /** @param frame the serialised push, UTF-8: encoded once for all listeners */
  push(frame: Buffer): void
}

export class Channel {
  readonly name: string
  /** Identifies this instance of the channel: offsets of another epoch are not comparable. */
  readonly epoch = randomBytes(4).toString('hex')
  readonly listeners = new Set<Listener>()
  readonly deletions = new Deletions()
  offset = 0
  #kept: StoredPublication[] = []
  readonly #size = { events: { kept: 0, bytes: 0 }, chat: { kept: 0, bytes: 0 } }
  /** Publications of a lane up to this offset may be missing from the history. */
  readonly #lost = { events: 0, chat: 0 }
  #usedAt: number

  constructor(name: string, now: number) {
    this.name = name
    this.#usedAt = now
  }

  /** Sends to every subscriber. */
  publish(data: unknown, { lane, replaces, erases }: Retention, now: number): void {
    this.#usedAt = now
    const offset = ++this.offset
    const frame = Buffer.from(JSON.stringify({ push: { channel: this.name, pub: { data, offset } } }))
    if (replaces !== null) this.#forget((kept) => kept.replaces === replaces, false)
    if (erases) this.#forget((kept) => kept.lane === lane && erases(kept.data), true)
    this.#kept.push({ offset, data, at: now, bytes: frame.length, replaces, lane })
    const size = this.#size[lane]
    size.kept++
    size.bytes += frame.length
    while (size.kept > limits[lane].kept || size.bytes > limits[lane].bytes) this.#shift(lane)
    for (const listener of this.listeners) listener.push(frame)
  }

  /**
   * Returns the publications after an offset. An empty epoch matches any. A loss of chat batches alone leaves the other
   * publications.
   */
  since(offset: number, epoch: string): Recovery {
    const known = (epoch === '' || epoch === this.epoch) && offset >= this.#lost.events && offset <= this.offset
    if (!known) return { recovered: false, publications: [] }
    const publications = this.#kept.filter((kept) => kept.offset > offset).map(positioned)
    return { recovered: offset >= this.#lost.chat, publications }
  }

  /** Returns the history, oldest first. */
  history = (): Positioned[] => this.#kept.map(positioned)

  /** Removes expired publications. @returns whether the channel itself is unused and can be removed */
  sweep(now: number): boolean {
    this.#forget((kept) => now - kept.at > keptMs, true)
    if (this.listeners.size > 0) this.#usedAt = now
    return now - this.#usedAt > keptMs
  }

  #forget(which: (kept: StoredPublication) => boolean, isLoss: boolean): void {
    const gone = this.#kept.filter(which)
    if (gone.length === 0) return
    this.#kept = this.#kept.filter((kept) => !which(kept))
    for (const kept of gone) {
      if (isLoss) this.#drop(kept)
      else this.#uncount(kept)
    }
  }

  /** Removes the oldest publication of a lane. */
  #shift(lane: Lane): void {
    const at = this.#kept.findIndex((kept) => kept.lane === lane)
    const [oldest] = this.#kept.splice(at, 1)
    if (oldest) this.#drop(oldest)
  }

  #drop(kept: StoredPublication): void {
    this.#uncount(kept)
    this.#lost[kept.lane] = Math.max(this.#lost[kept.lane], kept.offset)
  }

  #uncount({ lane, bytes }: StoredPublication): void {
    this.#size[lane].kept--
    this.#size[lane].bytes -= bytes
  }
}

const positioned = ({ offset, data }: StoredPublication): Positioned => ({ offset, data })
