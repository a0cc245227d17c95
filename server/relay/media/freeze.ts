// What everybody gets while the encoder is away: its last picture, and silence. Nothing is decoded and nothing made up, so
// that it fits the stream whatever the codec, and needs no other program.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { Hub, Receiver } from './hub.ts'
import type { Packet } from './packet.ts'
import { type Silence, silenceFor } from './silence.ts'

/** A short absence is none. */
const afterMs = 1_000
/** Two pictures a second: platforms take a stream with fewer for a broken one. */
const pictureMs = 500
const tickMs = 100

export interface FreezeOptions {
  /** How long the encoder may be away before it begins. Default: a second. */
  readonly delayMs?: number
  /** Whether nothing shall be passed on for now. */
  readonly isPaused?: () => boolean
}

export class Freeze implements Receiver {
  readonly #hub: Hub
  readonly #options: FreezeOptions
  #header: Buffer | null = null
  /** The last keyframe and the picture after it. Two keyframes in a row may not be the same one (H.264, 7.4.3). */
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
      // Pictures of another stream would not fit.
      this.#header = payload
      this.#pictures = []
    }
  }

  /** The encoder is away. */
  start(): void {
    this.stop()
    this.#timer = setTimeout(() => this.#begin(), this.#options.delayMs ?? afterMs)
  }

  /** The encoder is back, or it is over. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#isOn = false
  }

  #begin(): void {
    const pictures = this.#pictures
    const silence = this.#silence
    this.#isOn = true
    this.#hub.timeline.restart()
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

/** Whether a message holds a picture; the end of a sequence does not. */
const isPicture = (payload: Buffer): boolean => {
  const isEnhanced = ((payload[0] ?? 0) & 0x80) !== 0
  const type = isEnhanced ? (payload[0] ?? 0) & 0x0f : (payload[1] ?? 0)
  return type === 1 || (isEnhanced && type === 3)
}
