// Ladder of a channel: when a slow channel receives a smaller picture of the encoder, and when the larger one again.
import { doubledMs } from '#contract/core/backoff.ts'
import { usualTiming } from '#server/relay/destinations/timing.ts'

/** The longest wait for a larger picture, in first waits. */
const waitsMost = 10
/** A return that lasts this long has proved itself, milliseconds. */
const provedMs = 600_000
/** Shortest time between two steps, milliseconds: the queue of the larger picture has to leave first. */
const stepMs = 5_000

/** One second of a channel. */
export interface LadderFacts {
  /** Number of times that dropping began, ever. */
  readonly drops: number
  readonly isDropping: boolean
  /** The channel receives a smaller picture than the chosen one. */
  readonly isLower: boolean
}

/** Decides for one channel. Times are of any clock, milliseconds. */
export class Ladder {
  #drops: number
  readonly #waits: Parameters<typeof doubledMs>[0]
  #quietSince: number
  #steppedAt = Number.NEGATIVE_INFINITY
  /** Returns in a row that have failed. */
  #failures = 0
  /** Last return to a larger picture; null: none, or it has proved itself. */
  #returnedAt: number | null = null

  /**
   * @param drops so far
   * @param waitMs time without a drop before the larger picture returns; doubles with each return that fails
   */
  constructor(drops: number, now: number, waitMs = usualTiming.ladderMs) {
    this.#drops = drops
    this.#waits = { firstMs: waitMs, mostMs: waitMs * waitsMost }
    this.#quietSince = now
  }

  /** Judges a second. @returns the step to take */
  see({ drops, isDropping, isLower }: LadderFacts, now: number): 'down' | 'up' | null {
    // A clock that was set back begins anew.
    if (now < this.#quietSince) [this.#quietSince, this.#steppedAt, this.#returnedAt] = [now, now, null]
    if (drops > this.#drops && now - this.#steppedAt >= stepMs) {
      this.#drops = drops
      this.#fall(now)
      return 'down'
    }
    if (isDropping || drops > this.#drops) {
      this.#quietSince = now
      return null
    }
    if (this.#returnedAt !== null && now - this.#returnedAt >= provedMs) [this.#failures, this.#returnedAt] = [0, null]
    if (!isLower || now - this.#quietSince < doubledMs(this.#waits, this.#failures + 1)) return null
    this.#quietSince = this.#steppedAt = this.#returnedAt = now
    return 'up'
  }

  #fall(now: number): void {
    if (this.#returnedAt !== null) this.#failures++
    this.#returnedAt = null
    this.#quietSince = this.#steppedAt = now
  }
}
