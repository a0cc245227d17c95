// Timeline of a stream: continuous over reconnects of the encoder, and monotonic within a track.

/** A larger step means that the clock of the encoder was set, or that it restarted. */
const jumpMs = 10_000
const wrap = 2 ** 32

export class Timeline {
  #offset = 0
  /** Without the 32-bit wrap. */
  #last: number | null = null
  #lastAt = 0
  readonly #tracks = new Map<number, number>()
  #begins = false

  /** The next packet is the first of a new connection: it follows the last one by the elapsed time. */
  restart(): void {
    this.#begins = true
  }

  /**
   * Returns the time of a packet on this timeline.
   * @param track a number per track, such as its message type
   * @param timestamp of the encoder, milliseconds, 32 bits
   * @param now wall clock in milliseconds
   * @returns milliseconds, 32 bits
   */
  place(track: number, timestamp: number, now: number): number {
    const last = this.#last
    let time = this.#near(timestamp + this.#offset, last)
    if (last !== null && (this.#begins || Math.abs(time - last) > jumpMs)) {
      const expected = last + Math.max(1, now - this.#lastAt)
      this.#offset += expected - time
      time = expected
    }
    this.#begins = false
    time = Math.max(time, this.#tracks.get(track) ?? 0)
    this.#tracks.set(track, time)
    this.#last = Math.max(time, last ?? 0)
    this.#lastAt = now
    return time % wrap
  }

  /** Unwraps a 32-bit time next to the last one. */
  #near(time: number, last: number | null): number {
    if (last === null) return time
    return time + Math.round((last - time) / wrap) * wrap
  }
}
