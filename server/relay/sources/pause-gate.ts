// Pauses a stream: drops everything except headers and metadata, and resumes at a keyframe. Connections stay open, and
// timestamps continue.
import type { Message } from '#server/relay/rtmp/message.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import { isMedia, Packet } from '#server/relay/media/packet.ts'

export class PauseGate {
  readonly #hub: Pick<Hub, 'hasVideo'>
  #isPaused = false
  #awaitsKeyframe = false

  constructor(hub: Pick<Hub, 'hasVideo'>) {
    this.#hub = hub
  }

  /** Pauses the stream, or resumes it at the next keyframe. */
  set(isPaused: boolean): void {
    if (this.#isPaused && !isPaused) this.#awaitsKeyframe = true
    this.#isPaused = isPaused
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Returns whether a message is forwarded. */
  passes({ type, timestamp, payload }: Message): boolean {
    if (!this.#isPaused && !this.#awaitsKeyframe) return true
    if (!isMedia(type) || payload.length === 0) return true
    const packet = new Packet(type, timestamp, payload)
    if (packet.role === 'header' || packet.isMetadata()) return true
    if (this.#isPaused || packet.kind === 'data') return false
    if (this.#hub.hasVideo && !(packet.kind === 'video' && packet.role === 'key')) return false
    this.#awaitsKeyframe = false
    return true
  }
}
