// A stream that is held: nothing goes on but what decoders have to know, and it goes on again at a picture that can be
// begun with. Connections stay; time passes for receivers as it did for everybody.
import type { Message } from '#server/relay/rtmp/chunks.ts'
import { messageType } from '#server/relay/rtmp/messages.ts'
import type { Hub } from './hub.ts'
import { Packet } from './packet.ts'

export class Hold {
  readonly #hub: Pick<Hub, 'hasVideo'>
  #isHeld = false
  #isWaiting = false

  constructor(hub: Pick<Hub, 'hasVideo'>) {
    this.#hub = hub
  }

  /** Holds the stream, or lets it go on from the next keyframe. */
  set(isHeld: boolean): void {
    if (this.#isHeld && !isHeld) this.#isWaiting = true
    this.#isHeld = isHeld
  }

  /** Whether it is held now. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Whether a message goes on. */
  passes({ type, timestamp, payload }: Message): boolean {
    if (!this.#isHeld && !this.#isWaiting) return true
    const isMedia = type === messageType.audio || type === messageType.video || type === messageType.data
    if (!isMedia || payload.length === 0) return true
    const packet = new Packet(type, timestamp, payload)
    if (packet.role === 'header' || packet.isMetadata()) return true
    if (this.#isHeld || packet.kind === 'data') return false
    if (this.#hub.hasVideo && !(packet.kind === 'video' && packet.role === 'key')) return false
    this.#isWaiting = false
    return true
  }
}
