// Holds messages back for a time. What does not fit goes on early: a delay is never paid with the memory of others.
import type { Message } from '#server/relay/rtmp/chunks.ts'

/** About eleven minutes of 3 Mbps. */
const bytesMax = 256 * 1024 * 1024
const tickMs = 20

export class DelayLine {
  readonly #out: (message: Message) => void
  #ms: number
  #waiting: { readonly at: number; readonly message: Message }[] = []
  #bytes = 0
  #timer: NodeJS.Timeout | undefined

  /** @param ms how long messages wait */
  constructor(ms: number, out: (message: Message) => void) {
    this.#ms = ms
    this.#out = out
  }

  /** Another delay from now on. None at all: what waits is left out. */
  set(ms: number): void {
    if (ms === this.#ms) return
    this.#ms = ms
    if (ms === 0) this.clear()
  }

  push(message: Message, now: number): void {
    if (this.#ms === 0) return this.#out(message)
    this.#waiting.push({ at: now, message })
    this.#bytes += message.payload.length
    this.#timer ??= setInterval(() => this.#release(Date.now()), tickMs)
  }

  /** Leaves out what waits. */
  clear(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#waiting = []
    this.#bytes = 0
  }

  #release(now: number): void {
    let due = 0
    for (const { at, message } of this.#waiting) {
      if (now - at < this.#ms && this.#bytes <= bytesMax) break
      this.#bytes -= message.payload.length
      due++
    }
    for (const { message } of this.#waiting.splice(0, due)) this.#out(message)
  }
}
