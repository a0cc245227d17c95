// Timeline of a stream: continuous over reconnects of the encoder, and monotonic within a track.

/** A larger step means that the clock of the encoder was set, or that it restarted. */
const jumpMs = 10_000
const wrap = 2 ** 32
/** Longest distance between the last frame before a cut and the first one after it, milliseconds. */
const frameMsMax = 40
/** Longest frame of sound, milliseconds: a larger step is a gap. */
const soundMsMax = 100
/** Steps of rounded timestamps differ by this, milliseconds. */
const roundingMs = 1

/** Kind of a media packet; headers and metadata have none. */
export interface Frame {
  /** Composition of a video packet, milliseconds. */
  readonly composition?: number
  readonly isSound?: boolean
}

export class Timeline {
  #offset = 0
  /** Without the 32-bit wrap. */
  #last: number | null = null
  #lastAt = 0
  readonly #tracks = new Map<number, number>()
  #begins = false
  /** Earliest time of the next packet after a restart. */
  #notBefore = 0
  /** Newest sound, and its length, milliseconds. */
  #sound: { readonly time: number; readonly frameMs: number } | null = null
  /** Sound before this time overlaps the one before the cut. */
  #soundFrom = 0
  /** Latest presentation of a frame, its decoding, and the distance to the frame before it. */
  #video: { readonly presented: number; readonly time: number; readonly frameMs: number } | null = null

  /**
   * The next packet is the first of a new connection: it follows the last one by the elapsed time.
   * @param composition of the keyframe that follows, milliseconds: it is presented behind all frames so far, of which those with
   * B-frames are presented after their decoding
   */
  restart(composition = 0): void {
    this.#begins = true
    this.#soundFrom = this.#sound ? this.#sound.time + this.#sound.frameMs : 0
    this.#notBefore = this.#video ? this.#video.presented + this.#video.frameMs - composition : 0
  }

  /**
   * Returns the time of a packet on this timeline.
   * @param track a number per track, such as its message type
   * @param timestamp of the encoder, milliseconds, 32 bits
   * @param now wall clock in milliseconds
   * @returns milliseconds, 32 bits; null for sound that overlaps the one before a cut
   */
  place(track: number, timestamp: number, now: number, { composition, isSound = false }: Frame = {}): number | null {
    const last = this.#last
    let time = this.#near(timestamp + this.#offset, last)
    if (last !== null && (this.#begins || Math.abs(time - last) > jumpMs)) {
      const expected = Math.max(last + Math.max(1, now - this.#lastAt), this.#begins ? this.#notBefore : 0)
      this.#offset += expected - time
      time = expected
    }
    this.#begins = false
    if (isSound && time < this.#soundFrom) return null
    time = Math.max(time, this.#tracks.get(track) ?? 0)
    this.#tracks.set(track, time)
    this.#last = Math.max(time, last ?? 0)
    this.#lastAt = now
    if (composition !== undefined) this.#present(time, composition)
    if (isSound) this.#hear(time)
    return time % wrap
  }

  #hear(time: number): void {
    const { time: before = time, frameMs = 0 } = this.#sound ?? {}
    const step = time - before
    const isSame = Math.abs(step - frameMs) <= roundingMs
    this.#sound = { time, frameMs: isSame ? Math.max(step, frameMs) : step > 0 && step <= soundMsMax ? step : frameMs }
    this.#soundFrom = 0
  }

  #present(time: number, composition: number): void {
    const { presented = 0, time: before = time, frameMs = 0 } = this.#video ?? {}
    const step = time - before
    this.#video = {
      presented: Math.max(presented, time + composition),
      time,
      frameMs: step > 0 ? Math.min(step, frameMsMax) : frameMs,
    }
  }

  /** Unwraps a 32-bit time next to the last one. */
  #near(time: number, last: number | null): number {
    if (last === null) return time
    return time + Math.round((last - time) / wrap) * wrap
  }
}
