// Entry of an encoder's media into a stream that already runs: behind its own headers, at a keyframe, and not late.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { isFrame } from '#server/relay/media/codecs.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import { isMedia, Packet } from '#server/relay/media/packet.ts'
import { StreamHeaders } from '#server/relay/media/stream-headers.ts'

/** Media that was sent during a silence and arrives after it is late; above this, milliseconds, it is dropped. */
const lateMs = 500
/** An encoder whose clock stood still never catches up: after this time its media is not late, milliseconds. */
const catchUpMs = 3_000
/** Longest wait for a keyframe, milliseconds: some encoders send one only at their start. */
const keyframeMs = 15_000
/** Longest wait for video when the encoder has sent audio only, milliseconds. */
const videoMs = 2_000

export class Entry {
  readonly #hub: Pick<Hub, 'hasVideo'>
  #isOpen: boolean
  #headers = new StreamHeaders()
  /** The encoder has sent video: one that continues over its connection sends its header once. */
  #hasVideo = false
  /** Time and timestamp of the newest media, milliseconds; null before the first of this connection. */
  #last: { at: number; timestamp: number } | null = null
  /** Arrival of the first media during the wait, milliseconds. */
  #since: number | null = null

  /** @param isOpen forwards everything immediately: the stream begins with this encoder */
  constructor(hub: Pick<Hub, 'hasVideo'>, isOpen: boolean) {
    this.#hub = hub
    this.#isOpen = isOpen
  }

  /** True when media is forwarded. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The encoder was silent: its media has to enter again. */
  close(): void {
    this.#isOpen = false
    this.#since = null
  }

  /** Keeps headers while other media is shown. */
  note({ type, timestamp, payload }: Message): void {
    this.#hasVideo ||= type === messageType.video
    if (payload.length > 0 && isMedia(type)) this.#headers.take(new Packet(type, timestamp, payload))
  }

  /**
   * Handles a message.
   * @param now wall clock, milliseconds
   * @returns the messages to forward; null while the entry waits
   */
  take(message: Message, now: number): readonly Message[] | null {
    const { type, timestamp, payload } = message
    this.#hasVideo ||= type === messageType.video
    if (this.#isOpen) {
      if (isFrame(message)) this.#last = { at: now, timestamp }
      return [message]
    }
    if (payload.length === 0 || !isMedia(type)) return null
    const packet = new Packet(type, timestamp, payload)
    if (this.#headers.take(packet) || packet.kind === 'data' || !this.#mayEnter(packet, now)) return null
    this.#isOpen = true
    this.#last = { at: now, timestamp }
    const headers = this.#headers
      .packets()
      .map((one) => ({ type: one.type, streamId: 1, payload: one.payload, timestamp }))
    this.#headers = new StreamHeaders()
    return [...headers, message]
  }

  #mayEnter({ kind, role, timestamp }: Packet, now: number): boolean {
    this.#since ??= now
    const waited = now - this.#since
    if (this.#lateness(timestamp, now) > lateMs && waited < catchUpMs) return false
    if (kind === 'video' && role === 'key') return true
    if (!this.#hasVideo && !this.#hub.hasVideo) return true
    return waited >= (kind === 'audio' && !this.#hasVideo ? videoMs : keyframeMs)
  }

  /** Milliseconds by which the encoder's clock is behind the wall clock since its last media. */
  #lateness(timestamp: number, now: number): number {
    return this.#last ? now - this.#last.at - ((timestamp - this.#last.timestamp) | 0) : 0
  }
}
