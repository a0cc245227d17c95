// Smoothed round-trip time (draft-sharabayko-srt 4.10).

/** Upper limit, milliseconds: longer measurements are wrong, or the process was suspended. */
const mostMs = 10_000

export class Trip {
  /** Milliseconds. Initial value of the draft. */
  ms = 100
  variance = 50

  measure(ms: number): void {
    if (!(ms >= 0 && ms <= mostMs)) return
    this.variance = (3 * this.variance + Math.abs(ms - this.ms)) / 4
    this.ms = (7 * this.ms + ms) / 8
  }
}
