// The way of one receiver out of a hub: a bounded queue that begins at keyframes and drops whole groups.
import { type Bundle, Single } from './bundle.ts'
import type { Follower, Hub } from './hub.ts'
import type { Packet } from './packet.ts'

/** Where the bytes go: a socket, or something that behaves like one. */
export interface Sink {
  write(bundle: Bundle): void
  /** Memory that waits to be written, bytes. */
  queued(): number
}

/** Seconds of media that may wait; more is dropped up to a keyframe. */
const queueSeconds = 4
const queueBytesMin = 512 * 1024
const queueBytesMax = 16 * 1024 * 1024

/** How much may wait for a receiver of a stream of this bitrate, in bytes. @param kbps kilobits per second */
export const queueLimit = (kbps: number): number =>
  Math.min(queueBytesMax, Math.max(queueBytesMin, (kbps * 1000 * queueSeconds) / 8))

/** What went through. */
export interface OutletCounts {
  readonly packets: number
  /** Packets that were left out, because the receiver was too slow. */
  readonly dropped: number
  /** How often that began. */
  readonly drops: number
}

export class Outlet implements Follower {
  readonly #hub: Hub
  readonly #sink: Sink
  readonly #limit: () => number
  readonly #detach: () => void
  /** Nothing goes out until a decoder can begin. */
  #waiting = true
  #dropping = false
  #packets = 0
  #dropped = 0
  #drops = 0

  /** Begins with the group since the last keyframe. @param limit bytes that may wait, asked for at each packet */
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

  /** Whether packets are being left out now. */
  get dropping(): boolean {
    return this.#dropping
  }

  takeAll(bundle: Bundle): void {
    const { packets } = bundle
    const queued = this.#sink.queued()
    if (!this.#waiting && queued <= this.#limit()) return this.#send(bundle)
    if (!this.#waiting) {
      this.#waiting = true
      this.#dropping = true
      this.#drops++
    }
    const first = packets.findIndex((packet) => this.#canBegin(packet, queued))
    if (this.#dropping) this.#dropped += first < 0 ? packets.length : first
    if (first >= 0) this.#begin(packets.slice(first))
  }

  /** No more packets. */
  close(): void {
    this.#detach()
  }

  #canBegin(packet: Packet, queued: number): boolean {
    if (this.#dropping && queued > this.#limit() / 4) return false
    if (packet.kind === 'data' || packet.role === 'header') return false
    return this.#hub.hasVideo ? packet.kind === 'video' && packet.role === 'key' : true
  }

  /**
   * Headers are sent again whenever the wait ends: they may have come, or changed, in between. They stand where the media
   * begins: with the time at which they came, it would go back, or stand still for as long as the stream is old.
   */
  #begin(packets: readonly Packet[]): void {
    this.#waiting = false
    this.#dropping = false
    const from = packets[0]?.timestamp ?? 0
    const opening = this.#hub.opening().map((packet) => packet.at(from))
    for (const packet of [...opening, ...packets]) this.#send(new Single([packet]))
  }

  #send(bundle: Bundle): void {
    this.#packets += bundle.packets.length
    this.#sink.write(bundle)
  }
}
