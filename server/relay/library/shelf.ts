// Shelf of what a node makes for its streams: once for each key, a few at a time, and only while it is requested.
import { doubledMs } from '#contract/core/backoff.ts'

/** Retries after a failure of the file, which stays as it is: a busy machine may have been the reason. */
const retries = { firstMs: 30_000, mostMs: 3_600_000 }
/** Streams request what they show each second: what was not requested for this time is in no use, milliseconds. */
const usedMs = 10_000

/** The file could not be fetched: no fault of the file, so that the waits before retries do not grow. */
export class NotFetched extends Error {}

/** An entry of a shelf. */
export interface Kept<About, Made> {
  readonly about: About
  /** Null: not made yet, or failed. */
  made: Made | null
  /** Why the last attempt failed; empty without a failure. */
  failure: string
  failures: number
  /** No attempt before this time, wall clock, milliseconds. */
  notBefore: number
  /** Newest request, wall clock, milliseconds. */
  usedAt: number
}

export interface ShelfOptions<About, Made> {
  /** Entries that are kept beside those in use. */
  readonly keptMax: number
  /** Entries that are made at a time. */
  readonly atOnce: number
  /** @throws NotFetched, or another Error for the file */
  readonly make: (about: About) => Promise<Made>
}

export class Shelf<About, Made> {
  readonly #options: ShelfOptions<About, Made>
  /** By key, the newest request last. */
  readonly #kept = new Map<string, Kept<About, Made>>()
  /** What is being made. */
  readonly #making = new Map<Kept<About, Made>, Promise<void>>()
  #isClosed = false

  constructor(options: ShelfOptions<About, Made>) {
    this.#options = options
  }

  /** Returns an entry, and has it made when its time has come. Call it each second while it is wanted. */
  get(key: string, about: About): Kept<About, Made> {
    const now = Date.now()
    const one = this.#kept.get(key) ?? this.#add(about, now)
    one.usedAt = now
    this.#kept.delete(key)
    this.#kept.set(key, one)
    if (one.made === null && one.notBefore <= now) this.#begin()
    return one
  }

  /** Returns the newest entry of a kind. */
  find(isWanted: (one: Kept<About, Made>) => boolean): Kept<About, Made> | undefined {
    return [...this.#kept.values()].findLast(isWanted)
  }

  /** What was made is damaged or gone: it is made anew later. */
  drop(one: Kept<About, Made>, failure: Error): void {
    one.made = null
    this.#note(one, failure)
  }

  /** Makes nothing more. Resolves when nothing is being made. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#making.values())
  }

  #begin(): void {
    while (!this.#isClosed && this.#making.size < this.#options.atOnce) {
      const next = this.#next()
      if (!next) return
      const made = this.#make(next).finally(() => {
        this.#making.delete(next)
        this.#begin()
      })
      this.#making.set(next, made)
    }
  }

  async #make(one: Kept<About, Made>): Promise<void> {
    try {
      one.made = await this.#options.make(one.about)
      one.failure = ''
    } catch (error) {
      this.#note(one, error as Error)
    }
  }

  /** Returns the next entry to make: in use, and the one with the fewest failures, so that a bad file delays no other. */
  #next(): Kept<About, Made> | undefined {
    const now = Date.now()
    const due = [...this.#kept.values()].filter(
      (one) => one.made === null && one.notBefore <= now && now - one.usedAt < usedMs && !this.#making.has(one),
    )
    return due.toSorted((a, b) => a.failures - b.failures)[0]
  }

  #note(one: Kept<About, Made>, failure: Error): void {
    one.failure = failure.message
    const waitMs = failure instanceof NotFetched ? retries.firstMs : doubledMs(retries, ++one.failures)
    one.notBefore = Date.now() + waitMs
  }

  /** Returns a new entry, and forgets the oldest that are in no use. */
  #add(about: About, now: number): Kept<About, Made> {
    for (const [old, one] of this.#kept) {
      if (this.#kept.size < this.#options.keptMax || now - one.usedAt < usedMs) break
      if (!this.#making.has(one)) this.#kept.delete(old)
    }
    return { about, made: null, failure: '', failures: 0, notBefore: 0, usedAt: now }
  }
}
