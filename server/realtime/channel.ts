// A channel of the hub: its subscribers, and a history from which reconnecting clients recover.
import { randomBytes } from 'node:crypto'
import type { Positioned } from './protocol.ts'

/** Limits of the history: publications, bytes, age. */
const keptMax = 200
const bytesMax = 512 * 1024
const keptMs = 10 * 60_000

interface StoredPublication extends Positioned {
  readonly at: number
  readonly bytes: number
  readonly replaces: string | null
}

/** Publications that a reconnecting client missed. */
export interface Recovery {
  readonly recovered: boolean
  readonly publications: readonly Positioned[]
}

export interface Listener {
  /** @param frame the serialised push */
  push(frame: string): void
}

export class Channel {
  readonly name: string
  /** Identifies this instance of the channel: offsets of another epoch are not comparable. */
  readonly epoch = randomBytes(4).toString('hex')
  readonly listeners = new Set<Listener>()
  offset = 0
  #kept: StoredPublication[] = []
  #bytes = 0
  /** Publications up to this offset may be missing from the history. */
  #lost = 0
  #usedAt: number

  constructor(name: string, now: number) {
    this.name = name
    this.#usedAt = now
  }

  /**
   * Sends to every subscriber.
   * @param replaces event whose earlier publications are removed from the history; null: none
   */
  publish(data: unknown, replaces: string | null, now: number): void {
    this.#usedAt = now
    const offset = ++this.offset
    const frame = JSON.stringify({ push: { channel: this.name, pub: { data, offset } } })
    if (replaces !== null) this.#forget((kept) => kept.replaces === replaces, false)
    this.#kept.push({ offset, data, at: now, bytes: frame.length, replaces })
    this.#bytes += frame.length
    while (this.#kept.length > keptMax || this.#bytes > bytesMax) this.#drop(this.#kept.shift())
    for (const listener of this.listeners) listener.push(frame)
  }

  /** Returns the publications after an offset. An empty epoch matches any. */
  since(offset: number, epoch: string): Recovery {
    const known = (epoch === '' || epoch === this.epoch) && offset >= this.#lost && offset <= this.offset
    if (!known) return { recovered: false, publications: [] }
    return { recovered: true, publications: this.#kept.filter((kept) => kept.offset > offset).map(positioned) }
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
      else this.#bytes -= kept.bytes
    }
  }

  #drop(kept: StoredPublication | undefined): void {
    if (!kept) return
    this.#bytes -= kept.bytes
    this.#lost = Math.max(this.#lost, kept.offset)
  }
}

const positioned = ({ offset, data }: StoredPublication): Positioned => ({ offset, data })
