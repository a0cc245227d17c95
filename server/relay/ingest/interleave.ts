// Order of a stream whose sound takes longer than its picture, or the other way round: messages leave in the order of their times.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'

/** Time that a track waits for the other one, milliseconds. */
export interface InterleaveTiming {
  /** Before the first message of the other track. */
  readonly firstMs: number
  /** Later: a track that stalls does not hold the other one longer. */
  readonly waitMs: number
}

/** Messages that wait; above it the oldest leave. */
const queueMax = 600

const isHeader = ({ payload }: Message) => payload[1] === 0

export class Interleave {
  readonly #timing: InterleaveTiming
  readonly #release: (message: Message) => void
  /** In the order of their times. */
  #queue: Message[] = []
  /** Newest time of each track, milliseconds; null before its first message. */
  #video: number | null = null
  #audio: number | null = null
  #isOn = false

  /** @param release receives the messages in order */
  constructor(timing: InterleaveTiming, release: (message: Message) => void) {
    this.#timing = timing
    this.#release = release
  }

  /** The stream has sound: from now on its tracks wait for each other. */
  begin(): void {
    this.#isOn = true
  }

  push(message: Message): void {
    if (!this.#isOn || message.type === messageType.data) return this.#release(message)
    const { type, timestamp } = message
    if (type === messageType.video) this.#video = Math.max(timestamp, this.#video ?? 0)
    // A header comes long before its first sound.
    else if (!isHeader(message)) this.#audio = Math.max(timestamp, this.#audio ?? 0)
    let at = this.#queue.length
    while (at > 0 && (this.#queue[at - 1]?.timestamp ?? 0) > timestamp) at--
    this.#queue.splice(at, 0, message)
    this.#flush()
  }

  /** Releases what both tracks have passed, and what has waited long enough. */
  #flush(): void {
    const { firstMs, waitMs } = this.#timing
    const [video, audio] = [this.#video, this.#audio]
    const newest = Math.max(video ?? 0, audio ?? 0)
    const isWhole = video !== null && audio !== null
    const until = isWhole ? Math.max(Math.min(video, audio), newest - waitMs) : newest - firstMs
    const count = this.#queue.findIndex(({ timestamp }) => timestamp > until)
    const due = Math.max(count === -1 ? this.#queue.length : count, this.#queue.length - queueMax)
    for (const message of this.#queue.splice(0, due)) this.#release(message)
  }
}
