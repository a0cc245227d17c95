// One channel of the hub: who listens, and what was published lately for those who were away for a moment.
import { randomBytes } from 'node:crypto'
import type { Placed } from './protocol.ts'

/** Publications and bytes that are kept, and for how long. */
const keptMax = 200
const bytesMax = 512 * 1024
const keptMs = 10 * 60_000

interface Kept extends Placed {
  readonly at: number
  readonly bytes: number
  readonly replaces: string | null
}

/** What somebody who comes back has missed. */
export interface Recovery {
  readonly recovered: boolean
  readonly publications: readonly Placed[]
}

export interface Listener {
  /** @param frame the push as it goes over the wire */
  push(frame: string): void
}

export class Channel {
  readonly name: string
  /** Names this life of the channel: positions of another one mean nothing. */
  readonly epoch = randomBytes(4).toString('hex')
  readonly listeners = new Set<Listener>()
  offset = 0
  #kept: Kept[] = []
  #bytes = 0
  /** Up to which offset something that matters is gone. */
  #lost = 0
  #usedAt: number

  constructor(name: string, now: number) {
    this.name = name
    this.#usedAt = now
  }

  /**
   * Sends to everybody who listens.
   * @param replaces kind of it, where the newest says everything that those before it said: only that is kept
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

  /** What came after a position. An empty epoch is any. */
  since(offset: number, epoch: string): Recovery {
    const known = (epoch === '' || epoch === this.epoch) && offset >= this.#lost && offset <= this.offset
    if (!known) return { recovered: false, publications: [] }
    return { recovered: true, publications: this.#kept.filter((kept) => kept.offset > offset).map(placed) }
  }

  /** What is still kept, the oldest first. */
  history = (): Placed[] => this.#kept.map(placed)

  /** Forgets what is old. @returns whether the channel itself can be forgotten */
  sweep(now: number): boolean {
    this.#forget((kept) => now - kept.at > keptMs, true)
    if (this.listeners.size > 0) this.#usedAt = now
    return now - this.#usedAt > keptMs
  }

  #forget(which: (kept: Kept) => boolean, isLoss: boolean): void {
    const gone = this.#kept.filter(which)
    if (gone.length === 0) return
    this.#kept = this.#kept.filter((kept) => !which(kept))
    for (const kept of gone) {
      if (isLoss) this.#drop(kept)
      else this.#bytes -= kept.bytes
    }
  }

  #drop(kept: Kept | undefined): void {
    if (!kept) return
    this.#bytes -= kept.bytes
    this.#lost = Math.max(this.#lost, kept.offset)
  }
}

const placed = ({ offset, data }: Kept): Placed => ({ offset, data })
