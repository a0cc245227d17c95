// Order of messages that come by several pipes: they leave in the order of their times.
import type { Message } from '#server/relay/rtmp/message.ts'

/** Longest wait of a message, and time after which a pipe without messages is not waited for, milliseconds. */
const waitMs = 500
const stalledMs = 1_000
/** A time so far back belongs to another clock, milliseconds. */
const jumpMs = 10_000
/** Messages that wait; above it the oldest leave. */
const queueMax = 2_000

interface Waiting {
  readonly message: Message
  /** Arrival, monotonic milliseconds. */
  readonly at: number
}

export class Braid {
  readonly #release: (message: Message) => void
  /** Newest time of each pipe, and its arrival, milliseconds. */
  readonly #pipes: { time: number; at: number }[]
  /** In the order of their times. */
  #queue: Waiting[] = []

  /** @param pipes their number @param release receives the messages in order */
  constructor(pipes: number, release: (message: Message) => void) {
    const at = performance.now()
    this.#pipes = Array.from({ length: pipes }, () => ({ time: -1, at }))
    this.#release = release
  }

  /** Adds a message of a pipe. */
  push(pipe: number, message: Message): void {
    const now = performance.now()
    const from = this.#pipes[pipe]
    if (!from) return
    const { timestamp } = message
    if (timestamp < from.time - jumpMs) {
      this.flush()
      for (const one of this.#pipes) one.time = -1
    }
    from.time = Math.max(timestamp, from.time)
    from.at = now
    let at = this.#queue.length
    while (at > 0 && (this.#queue[at - 1]?.message.timestamp ?? 0) > timestamp) at--
    this.#queue.splice(at, 0, { message, at: now })
    const until = Math.min(...this.#pipes.filter((one) => now - one.at < stalledMs).map(({ time }) => time))
    const late = this.#queue.findLastIndex((one) => now - one.at >= waitMs) + 1
    const found = this.#queue.findIndex((one) => one.message.timestamp > until)
    const due = found === -1 ? this.#queue.length : found
    for (const one of this.#queue.splice(0, Math.max(due, late, this.#queue.length - queueMax)))
      this.#release(one.message)
  }

  /** Releases what waits. */
  flush(): void {
    for (const { message } of this.#queue.splice(0)) this.#release(message)
  }
}
