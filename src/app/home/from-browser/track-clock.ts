// Times of a track on the clock of the page. Each track counts from its own beginning.

/** Deviation above which a track is tied anew: its device stalled, or its clock is another one, milliseconds. */
const deviationMsMax = 150

export class TrackClock {
  #offset: number | null = null

  /**
   * Returns the time of a frame or of samples.
   * @param own time of the track, milliseconds
   * @param now clock of the page at the arrival, milliseconds
   */
  timeOf(own: number, now: number): number {
    const offset = now - own
    if (this.#offset === null || Math.abs(offset - this.#offset) > deviationMsMax) this.#offset = offset
    return own + this.#offset
  }
}
