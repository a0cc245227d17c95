// Bitrate limit of the tariff: tolerates short peaks, warns, then disconnects the encoder.
import type { BitrateState } from '#contract/relay/reports.ts'

/** Milliseconds. */
export interface BitrateTiming {
  /** Time above the limit until the warning, and from the warning to the disconnection. */
  readonly patienceMs: number
  /** Time for which the encoder is refused afterwards. */
  readonly refuseMs: number
}

export const defaultBitrateTiming: BitrateTiming = { patienceMs: 15_000, refuseMs: 60_000 }

/** Encoders are not exact, and their bitrate setting excludes audio. */
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

  /** Average of the last check; for a refused encoder, the average that exceeded the limit. */
  get kbps(): number {
    return this.#kbps
  }

  /**
   * Checks the average bitrate; call it each second.
   * @param kbps averaged over ten seconds
   * @param now wall clock, milliseconds
   * @returns the new state; null if it has not changed
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
      // The warning always comes first, also when a check was late.
      if (before === 'high' && since >= 2 * patienceMs) {
        this.#state = 'refused'
        this.#refusedUntil = now + refuseMs
        this.#over = null
      } else if (since >= patienceMs) this.#state = 'high'
    }
    return this.#state === before ? null : this.#state
  }
}
