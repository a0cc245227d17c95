// A channel of the hub: its subscribers, and a history from which reconnecting clients recover.
import { randomBytes } from 'node:crypto'
import type { Publication } from '#contract/events/publications.ts'
import type { Positioned } from './protocol.ts'

/** Limits of the history: publications, bytes. */
const limits = { kept: 200, bytes: 512 * 1024 } as const
/** Age of publications in the history. */
const keptMs = 10 * 60_000

interface StoredPublication extends Positioned {
  readonly at: number
  readonly bytes: number
  readonly replaces: string | null
}

/** Retention of one publication in the history of its channel. */
interface Retention {
  /** False: clients read what they missed from the API. */
  readonly isKept: boolean
  /** Event whose earlier publications are removed from the history; null: none. */
  readonly replaces: string | null
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

/** Events whose newest publication replaces the earlier ones in the history. */
const replacing: readonly string[] = ['live-status', 'project-update', 'notification']

/** Returns how a publication is kept. Chats are not: a client reads `chat/changes`, so that no history has a deleted text. */
function retentionOf(data: Publication): Retention {
  const event = 'event' in data ? data.event : null
  return { isKept: event !== 'messages', replaces: event !== null && replacing.includes(event) ? event : null }
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

  /** Sends to every subscriber. */
  publish(data: Publication, now: number): void {
    const { isKept, replaces } = retentionOf(data)
    this.#usedAt = now
    const offset = ++this.offset
    const frame = Buffer.from(JSON.stringify({ push: { channel: this.name, pub: { data, offset } } }))
    if (replaces !== null) this.#forget((kept) => kept.replaces === replaces, false)
    if (isKept) this.#keep({ offset, data, at: now, bytes: frame.length, replaces })
    for (const listener of this.listeners) listener.push(frame)
  }

  /** Returns the publications after an offset. An empty epoch matches any. */
  since(offset: number, epoch: string): Recovery {
    const recovered = (epoch === '' || epoch === this.epoch) && offset >= this.#lost && offset <= this.offset
    return {
      recovered,
      publications: recovered ? this.#kept.filter((kept) => kept.offset > offset).map(positioned) : [],
    }
  }

  /** Returns the history, oldest first. */
  history = (): Positioned[] => this.#kept.map(positioned)

  /** Removes expired publications. @returns whether the channel itself is unused and can be removed */
  sweep(now: number): boolean {
    this.#forget((kept) => now - kept.at > keptMs, true)
    if (this.listeners.size > 0) this.#usedAt = now
    return now - this.#usedAt > keptMs
  }

  #keep(publication: StoredPublication): void {
    this.#kept.push(publication)
    this.#bytes += publication.bytes
    while (this.#kept.length > limits.kept || this.#bytes > limits.bytes) {
      const [oldest] = this.#kept
      this.#forget((kept) => kept === oldest, true)
    }
  }

  #forget(which: (kept: StoredPublication) => boolean, isLoss: boolean): void {
    for (const { offset, bytes } of this.#kept.filter(which)) {
      this.#bytes -= bytes
      if (isLoss) this.#lost = Math.max(this.#lost, offset)
    }
    this.#kept = this.#kept.filter((kept) => !which(kept))
  }
}

const positioned = ({ offset, data }: StoredPublication): Positioned => ({ offset, data })
