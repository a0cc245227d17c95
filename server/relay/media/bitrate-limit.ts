// The bitrate that a tariff allows: single scenes may well be above it, and who goes on above it is warned, then stopped.
import type { BitrateState } from '#contract/relay/reports.ts'

/** How long things take, in milliseconds. */
export interface BitrateTiming {
  /** Above the limit for so long: a warning; for so long again: the end. */
  readonly patienceMs: number
  /** How long the encoder is refused afterwards. */
  readonly refuseMs: number
}

export const defaultBitrateTiming: BitrateTiming = { patienceMs: 15_000, refuseMs: 60_000 }

/** Encoders are not exact, and what they call the bitrate leaves out the sound. */
const tolerance = 1.15

export class BitrateLimit {
  readonly #timing: BitrateTiming
  /** Kilobits per second; 0: no limit. */
  max = 0
  #state: BitrateState = 'fine'
  #kbps = 0
  #over: number | null = null
  #refusedUntil = 0

  constructor(timing: BitrateTiming = defaultBitrateTiming) {
    this.#timing = timing
  }

  get state(): BitrateState {
    return this.#state
  }

  /** What was judged last; of one that was sent away, what it was sent away for. */
  get kbps(): number {
    return this.#kbps
  }

  /**
   * Judges a second.
   * @param kbps averaged over ten seconds
   * @param now wall clock, milliseconds
   * @returns the state that it has come into; null when it stays
   */
  judge(kbps: number, now: number): BitrateState | null {
    const { patienceMs, refuseMs } = this.#timing
    const before = this.#state
    if (before !== 'refused') this.#kbps = kbps
    if (before === 'refused') {
      if (now >= this.#refusedUntil) this.#state = 'fine'
    } else if (this.max === 0 || kbps <= this.max * tolerance) {
      this.#over = null
      this.#state = 'fine'
    } else {
      this.#over ??= now
      const since = now - this.#over
      // Nobody is sent away without a warning, however late this was asked.
      if (before === 'high' && since >= 2 * patienceMs) {
        this.#state = 'refused'
        this.#refusedUntil = now + refuseMs
        this.#over = null
      } else if (since >= patienceMs) this.#state = 'high'
    }
    return this.#state === before ? null : this.#state
  }
}
