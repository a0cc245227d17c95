// Frames in the place of the encoder, in a loop with silence: a picture of the project, else the last frame of the encoder, which is
// not decoded, so that it works with every video codec and needs no other program.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { Hub, Receiver } from '#server/relay/media/hub.ts'
import type { Packet } from '#server/relay/media/packet.ts'
import { type Silence, silenceFor } from '#server/relay/media/silence.ts'

/** Two frames per second: platforms treat a stream with fewer as broken. */
const pictureMs = 500
const tickMs = 100

/** Frames that repeat; the first one is a keyframe. */
export interface Loop {
  /** Video header of the frames; null: none is needed. */
  readonly header: Buffer | null
  readonly frames: readonly Buffer[]
  /** Distance of two frames, milliseconds. */
  readonly frameMs: number
}

export class Fill implements Receiver {
  readonly #hub: Hub
  #header: Buffer | null = null
  /** The last keyframe and the frame after it: H.264 forbids the same keyframe twice in a row (7.4.3). */
  #pictures: Buffer[] = []
  #silence: Silence | null = null
  #timer: NodeJS.Timeout | undefined
  #loop: Loop | null = null

  constructor(hub: Hub) {
    this.#hub = hub
    hub.attach(this)
  }

  /** The loop that is sent; null: none. */
  get loop(): Loop | null {
    return this.#loop
  }

  take({ kind, role, payload }: Packet): void {
    if (this.#loop) return
    if (kind === 'audio' && role === 'header') this.#silence = silenceFor(payload)
    if (kind !== 'video') return
    if (role === 'key') this.#pictures = [payload]
    else if (role === 'frame' && this.#pictures.length === 1 && isPicture(payload)) this.#pictures.push(payload)
    else if (role === 'header' && !this.#header?.equals(payload)) {
      // Frames with other headers cannot be decoded.
      this.#header = payload
      this.#pictures = []
    }
  }

  /** Returns the last frame of the encoder as a loop. */
  frozen(): Loop {
    return { header: this.#header, frames: this.#pictures, frameMs: pictureMs }
  }

  /** Sends a loop until `stop`. */
  play(loop: Loop): void {
    this.stop()
    this.#loop = loop
    const { header, frames, frameMs } = loop
    const silence = this.#silence
    if (frames.length === 0 && !silence) return
    this.#hub.cut(frames[0] && { type: messageType.video, payload: frames[0] })
    const began = Date.now()
    const isOther = header !== null && !this.#hub.header('video')?.payload.equals(header)
    if (isOther && frames.length > 0) this.#hub.push([messageAt(messageType.video, 0, header)], began)
    let [sound, count] = [0, 0]
    const tick = () => {
      const now = Date.now()
      const messages: Message[] = []
      for (;;) {
        const next = frames[count % Math.max(1, frames.length)]
        const picture = count * frameMs
        if (next && picture <= now - began && (picture <= sound || !silence)) {
          messages.push(messageAt(messageType.video, picture, next))
          count++
        } else if (silence && sound <= now - began) {
          messages.push(messageAt(messageType.audio, sound, silence.payload))
          sound += silence.ms
        } else {
          break
        }
      }
      this.#hub.push(messages, now)
      this.#timer = setTimeout(tick, Math.min(tickMs, frameMs))
    }
    tick()
  }

  /** Media of an encoder enters the stream, nothing is to be sent, or the broadcast has ended. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#loop = null
  }
}

const messageAt = (type: number, at: number, payload: Buffer): Message => ({
  type,
  streamId: 1,
  timestamp: Math.round(at),
  payload,
})

/** Returns true when a message contains a frame; the end of a sequence does not. */
const isPicture = (payload: Buffer): boolean => {
  const isEnhanced = ((payload[0] ?? 0) & 0x80) !== 0
  const type = isEnhanced ? (payload[0] ?? 0) & 0x0f : (payload[1] ?? 0)
  return type === 1 || (isEnhanced && type === 3)
}
