// Decides when packets are written, so that packets that arrive close together share one write per receiver.
import type { Packet } from './packet.ts'

/** An audio and a video packet this close share a write, milliseconds. */
export const nearMs = 8
/** Tolerance beyond the expected arrival, milliseconds. */
const toleranceMs = 1

/** Arrival of the last packet of a kind, and its distance to the one before. */
interface Arrival {
  readonly at: number
  readonly timestamp: number
  readonly interval: number
}

const none: Arrival = { at: 0, timestamp: 0, interval: 0 }

export class WriteCoalescer {
  readonly #flush: () => void
  readonly #audioWaitMs: number
  #video = none
  #audio = none
  #isScheduled = false
  #timer: NodeJS.Timeout | undefined
  /** Kind of the packet that waits for the timer, unless a packet of the other kind arrives. */
  #waitingKind: Packet['kind'] = 'data'

  /**
   * @param flush writes all packets seen so far
   * @param audioWaitMs how long an audio packet may wait for a video packet, milliseconds
   */
  constructor(flush: () => void, audioWaitMs: number) {
    this.#audioWaitMs = audioWaitMs
    this.#flush = () => {
      this.#isScheduled = false
      flush()
    }
  }

  /** Schedules the write of a packet. @param now any clock, milliseconds */
  see({ kind, timestamp }: Packet, now: number): void {
    const other = kind === 'video' ? this.#audio : this.#video
    if (kind === 'video') this.#video = { at: now, timestamp, interval: timestamp - this.#video.timestamp }
    else if (kind === 'audio') this.#audio = { at: now, timestamp, interval: timestamp - this.#audio.timestamp }
    // A second packet of the same kind waits with the first one.
    if (this.#isScheduled || (this.#timer && kind === this.#waitingKind)) return
    const wait = other.at + other.interval - now
    const waitMax = kind === 'audio' ? this.#audioWaitMs : Math.min(nearMs, this.#audioWaitMs)
    if (kind !== 'data' && !this.#timer && wait > 0 && wait <= waitMax) {
      this.#waitingKind = kind
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        this.#flush()
      }, wait + toleranceMs)
      return
    }
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isScheduled = true
    process.nextTick(this.#flush)
  }
}
