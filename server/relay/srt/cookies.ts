// Handshake cookies: a caller proves its address before the relay keeps state for it (draft-sharabayko-srt 4.3.1.1).
import { createHmac, randomBytes } from 'node:crypto'

/** A cookie is valid in its minute and in the next one. */
const minuteMs = 60_000

export class Cookies {
  readonly #secret = randomBytes(32)
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Returns the cookie of an address with its port. */
  of(address: string, minutesAgo = 0): number {
    const minute = Math.floor(this.#now() / minuteMs) - minutesAgo
    return createHmac('sha256', this.#secret).update(`${address} ${minute}`).digest().readUInt32BE(0)
  }

  accepts(cookie: number, address: string): boolean {
    return cookie === this.of(address) || cookie === this.of(address, 1)
  }
}
