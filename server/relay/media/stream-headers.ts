// Packets that a decoder needs before the first frame.
import type { Packet } from './packet.ts'

/** Headers and metadata have some hundred bytes; larger ones are forwarded and not kept. */
const bytesMax = 65_536

/** Keeps the newest metadata, and the newest header of audio and of video. */
export class StreamHeaders {
  readonly #headers = new Map<Packet['kind'], Packet>()
  #metadata: Packet | null = null

  /** Keeps a packet that is a header or metadata. @returns whether it is */
  take(packet: Packet): boolean {
    const isMetadata = packet.isMetadata()
    if (!isMetadata && packet.role !== 'header') return false
    if (packet.payload.length > bytesMax) return true
    if (isMetadata) this.#metadata = packet
    else this.#headers.set(packet.kind, packet)
    return true
  }

  /** Metadata first, then the headers. */
  packets(): readonly Packet[] {
    return [...(this.#metadata ? [this.#metadata] : []), ...this.#headers.values()]
  }

  /** The newest header of a kind. */
  header(kind: 'audio' | 'video'): Packet | undefined {
    return this.#headers.get(kind)
  }
}
