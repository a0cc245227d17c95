// When what came goes out: with what came together with it, and with what is about to come. A write costs each receiver
// more than the bytes in it.
import type { Packet } from './packet.ts'

/** A picture and a sound that are this near go out together, in milliseconds. */
export const nearMs = 8
/** What is waited for may be so much later than its rhythm says. */
const lateMs = 1

/** When the last packet of a kind came, and how far it was from the one before. */
interface Beat {
  readonly at: number
  readonly timestamp: number
  readonly every: number
}

const none: Beat = { at: 0, timestamp: 0, every: 0 }

export class Rhythm {
  readonly #out: () => void
  readonly #soundMs: number
  #picture = none
  #sound = none
  #isDue = false
  #timer: NodeJS.Timeout | undefined
  /** What waits for the timer, unless the other kind comes. */
  #waiting: Packet['kind'] = 'data'

  /**
   * @param out everything that was seen shall go out now
   * @param soundMs how long a sound may wait for a picture, milliseconds
   */
  constructor(out: () => void, soundMs: number) {
    this.#soundMs = soundMs
    this.#out = () => {
      this.#isDue = false
      out()
    }
  }

  /** Takes note of a packet, and sees to it that it goes out. @param now any clock, milliseconds */
  see({ kind, timestamp }: Packet, now: number): void {
    const next = kind === 'video' ? this.#sound : this.#picture
    if (kind === 'video') this.#picture = { at: now, timestamp, every: timestamp - this.#picture.timestamp }
    else if (kind === 'audio') this.#sound = { at: now, timestamp, every: timestamp - this.#sound.timestamp }
    // A second sound waits with the first one.
    if (this.#isDue || (this.#timer && kind === this.#waiting)) return
    const wait = next.at + next.every - now
    const waitMax = kind === 'audio' ? this.#soundMs : Math.min(nearMs, this.#soundMs)
    if (kind !== 'data' && !this.#timer && wait > 0 && wait <= waitMax) {
      this.#waiting = kind
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        this.#out()
      }, wait + lateMs)
      return
    }
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isDue = true
    process.nextTick(this.#out)
  }
}
