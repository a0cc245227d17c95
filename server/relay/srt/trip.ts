// How long it takes there and back, smoothed (draft-sharabayko-srt 4.10).

/** Nothing measures longer: what says so lies, or has slept. */
const mostMs = 10_000

export class Trip {
  /** Milliseconds. Before anything was measured: what the draft begins with. */
  ms = 100
  variance = 50

  measure(ms: number): void {
    if (!(ms >= 0 && ms <= mostMs)) return
    this.variance = (3 * this.variance + Math.abs(ms - this.ms)) / 4
    this.ms = (7 * this.ms + ms) / 8
  }
}
