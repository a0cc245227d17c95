// The stream's own time: goes on over reconnects of the encoder, and never back within a track.

/** A step that no encoder makes on purpose: then its clock was set, or it began anew. */
const jumpMs = 10_000
const wrap = 2 ** 32

export class Timeline {
  #offset = 0
  /** Unwrapped: counts on where 32 bits end. */
  #last: number | null = null
  #lastAt = 0
  readonly #tracks = new Map<number, number>()
  #begins = false

  /** The next packet is the first of a new connection: it follows the last one by the time that has passed. */
  restart(): void {
    this.#begins = true
  }

  /**
   * Where a packet stands.
   * @param track a number per track, such as its message type
   * @param timestamp as it came, milliseconds, 32 bits
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

  /** The time that 32 bits mean, next to the last one. */
  #near(time: number, last: number | null): number {
    if (last === null) return time
    return time + Math.round((last - time) / wrap) * wrap
  }
}
