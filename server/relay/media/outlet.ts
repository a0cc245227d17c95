// Output of a hub for one receiver: a bounded queue that begins at keyframes and drops whole groups of pictures.
import { type Bundle, Single } from './bundle.ts'
import type { Follower, Hub } from './hub.ts'
import type { Packet } from './packet.ts'

/** Destination of the bytes: a socket, a pipe or a file. */
export interface Sink {
  write(bundle: Bundle): void
  /** Memory in the send queue, bytes. */
  queued(): number
}

/** Seconds of media that may wait; above, packets are dropped up to a keyframe. */
const queueSeconds = 4
const queueBytesMin = 512 * 1024
const queueBytesMax = 16 * 1024 * 1024

/** Returns the queue limit for a stream of this bitrate, in bytes. @param kbps kilobits per second */
export const queueLimit = (kbps: number): number =>
  Math.min(queueBytesMax, Math.max(queueBytesMin, (kbps * 1000 * queueSeconds) / 8))

export interface OutletCounts {
  readonly packets: number
  /** Packets dropped because the receiver was too slow. */
  readonly dropped: number
  /** Number of times that dropping began. */
  readonly drops: number
}

export class Outlet implements Follower {
  readonly #hub: Hub
  readonly #sink: Sink
  readonly #limit: () => number
  readonly #detach: () => void
  /** Until a decoder can begin. */
  #isWaiting = true
  #isDropping = false
  #packets = 0
  #dropped = 0
  #drops = 0

  /** Begins with the packets since the last keyframe. @param limit queue limit in bytes, read at each bundle */
  constructor(hub: Hub, sink: Sink, limit: () => number) {
    this.#hub = hub
    this.#sink = sink
    this.#limit = limit
    this.#detach = hub.follow(this)
    if (hub.group().length > 0) this.#begin(hub.group())
  }

  get counts(): OutletCounts {
    return { packets: this.#packets, dropped: this.#dropped, drops: this.#drops }
  }

  /** True while packets are dropped. */
  get dropping(): boolean {
    return this.#isDropping
  }

  takeAll(bundle: Bundle): void {
    const { packets } = bundle
    const queued = this.#sink.queued()
    if (!this.#isWaiting && queued <= this.#limit()) return this.#send(bundle)
    if (!this.#isWaiting) {
      this.#isWaiting = true
      this.#isDropping = true
      this.#drops++
    }
    const first = packets.findIndex((packet) => this.#canBegin(packet, queued))
    if (this.#isDropping) this.#dropped += first < 0 ? packets.length : first
    if (first >= 0) this.#begin(packets.slice(first))
  }

  /** Stops the output; the sink stays open. */
  close(): void {
    this.#detach()
  }

  #canBegin(packet: Packet, queued: number): boolean {
    if (this.#isDropping && queued > this.#limit() / 4) return false
    if (packet.kind === 'data' || packet.role === 'header') return false
    return this.#hub.hasVideo ? packet.kind === 'video' && packet.role === 'key' : true
  }

  /**
   * Sends the headers again, because they may have changed during the wait. Their timestamp is that of the first packet:
   * with their own, time would go back.
   */
  #begin(packets: readonly Packet[]): void {
    this.#isWaiting = false
    this.#isDropping = false
    const from = packets[0]?.timestamp ?? 0
    const headers = this.#hub.headers().map((packet) => packet.at(from))
    for (const packet of [...headers, ...packets]) this.#send(new Single([packet]))
  }

  #send(bundle: Bundle): void {
    this.#packets += bundle.packets.length
    this.#sink.write(bundle)
  }
}
