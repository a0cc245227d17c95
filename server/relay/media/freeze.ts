// Repeats the last video frame and silence while the encoder is lost. It does not decode, so it works with every
// video codec and needs no other program.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { Hub, Receiver } from './hub.ts'
import type { Packet } from './packet.ts'
import { type Silence, silenceFor } from './silence.ts'

/** Shorter interruptions are ignored. */
const afterMs = 1_000
/** Two frames per second: platforms treat a stream with fewer as broken. */
const pictureMs = 500
const tickMs = 100

export interface FreezeOptions {
  /** True while the broadcast is paused. */
  readonly isPaused?: () => boolean
}

export class Freeze implements Receiver {
  readonly #hub: Hub
  readonly #options: FreezeOptions
  #header: Buffer | null = null
  /** The last keyframe and the frame after it: H.264 forbids the same keyframe twice in a row (7.4.3). */
  #pictures: Buffer[] = []
  #silence: Silence | null = null
  #timer: NodeJS.Timeout | undefined
  #isOn = false

  constructor(hub: Hub, options: FreezeOptions = {}) {
    this.#hub = hub
    this.#options = options
    hub.attach(this)
  }

  take({ kind, role, payload }: Packet): void {
    if (this.#isOn) return
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

  /** The encoder was lost. @param delayMs milliseconds until the first repeated frame; default: 1,000 */
  start(delayMs: number = afterMs): void {
    this.stop()
    this.#timer = setTimeout(() => this.#begin(), delayMs)
  }

  /** Media of an encoder enters the stream, or the broadcast has ended. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#isOn = false
  }

  #begin(): void {
    const pictures = this.#pictures
    const silence = this.#silence
    this.#isOn = true
    this.#hub.cut(pictures[0] && { type: messageType.video, payload: pictures[0] })
    const began = Date.now()
    let [picture, sound, count] = [0, 0, 0]
    const tick = () => {
      const now = Date.now()
      const messages: Message[] = []
      const add = (type: number, at: number, payload: Buffer) =>
        messages.push({ type, streamId: 1, timestamp: Math.round(at), payload })
      for (;;) {
        const next = pictures[count % Math.max(1, pictures.length)]
        if (next && picture <= now - began && (picture <= sound || !silence)) {
          add(messageType.video, picture, next)
          picture += pictureMs
          count++
        } else if (silence && sound <= now - began) {
          add(messageType.audio, sound, silence.payload)
          sound += silence.ms
        } else {
          break
        }
      }
      if (!this.#options.isPaused?.()) this.#hub.push(messages, now)
      this.#timer = setTimeout(tick, tickMs)
    }
    if (pictures.length > 0 || silence) tick()
  }
}

/** Returns true when a message contains a frame; the end of a sequence does not. */
const isPicture = (payload: Buffer): boolean => {
  const isEnhanced = ((payload[0] ?? 0) & 0x80) !== 0
  const type = isEnhanced ? (payload[0] ?? 0) & 0x0f : (payload[1] ?? 0)
  return type === 1 || (isEnhanced && type === 3)
}
