// Rule by which a poor main encoder gives way to a backup, and takes over again.
import type { QualityRule } from '#contract/relay/desired-state.ts'

/** Seconds of an average: a group of pictures begins with a large frame. */
const averageSeconds = 2

export class Quality {
  #rule: QualityRule | undefined
  #isPoor = false
  /** Bitrates of the last seconds, kbps. */
  #recent: number[] = []
  /** The bitrate is on the other side of its limit since this time, milliseconds. */
  #since: number | null = null

  /** Undefined: no rule. */
  set rule(rule: QualityRule | undefined) {
    this.#rule = rule
    if (!rule) this.#turn(false)
  }

  /** The main encoder gives way to a backup that sends. */
  get isPoor(): boolean {
    return this.#isPoor
  }

  /** The main encoder is lost: its bitrate is none. */
  interrupt(): void {
    this.#recent = []
    this.#since = null
  }

  /** Judges a second of the main encoder. @param now any clock, milliseconds */
  second(kbps: number, now: number): void {
    if (!this.#rule) return
    this.#recent = [...this.#recent, kbps].slice(-averageSeconds)
    const average = this.#recent.reduce((sum, one) => sum + one, 0) / this.#recent.length
    const { kbps: least, ms, backKbps, backMs } = this.#rule
    const isOther = this.#isPoor ? average >= backKbps : average < least
    if (!isOther) return void (this.#since = null)
    this.#since ??= now
    if (now - this.#since >= (this.#isPoor ? backMs : ms)) this.#turn(!this.#isPoor)
  }

  #turn(isPoor: boolean): void {
    this.#isPoor = isPoor
    this.#since = null
  }
}
