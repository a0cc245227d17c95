// What a caller has to bring back before anything is kept for it: it shows that it gets what is sent to its address
// (draft-sharabayko-srt 4.3.1.1).
import { createHmac, randomBytes } from 'node:crypto'

/** A cookie is good for this minute and the next. */
const minuteMs = 60_000

export class Cookies {
  readonly #secret = randomBytes(32)
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** For an address with its port. */
  of(address: string, minutesAgo = 0): number {
    const minute = Math.floor(this.#now() / minuteMs) - minutesAgo
    return createHmac('sha256', this.#secret).update(`${address} ${minute}`).digest().readUInt32BE(0)
  }

  accepts(cookie: number, address: string): boolean {
    return cookie === this.of(address) || cookie === this.of(address, 1)
  }
}
