// Silent AAC frames.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { inspectAudio } from './codecs.ts'

/** A silent frame. */
export interface Silence {
  /** Payload of an FLV audio tag. */
  readonly payload: Buffer
  /** Duration, milliseconds. */
  readonly ms: number
}

/** Sample rates by their index (ISO/IEC 14496-3, table 1.18). */
const rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
const samplesPerFrame = 1024
const lowComplexity = 2

/** Raw data blocks with zero spectrum by the number of channels. */
const frames: Readonly<Record<Sound['channels'], readonly number[]>> = {
  1: [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80],
  2: [0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80],
}

/** AAC-LC with one or two channels. */
export interface Sound {
  readonly sampleRate: number
  readonly channels: 1 | 2
}

/**
 * Reads the sound that an audio header announces.
 * @param header payload of an audio header tag
 * @returns null if the audio is not AAC-LC with one or two channels
 */
export function soundOf(header: Buffer): Sound | null {
  const { role, codec } = inspectAudio(header)
  if (role !== 'header' || codec !== 'aac ' || header.length < 4) return null
  // AudioSpecificConfig: object type (5 bits), sample rate (4), channels (4).
  const config = header.readUInt16BE(2)
  const sampleRate = rates[(config >> 7) & 0x0f]
  const channels = (config >> 3) & 0x0f
  if (config >> 11 !== lowComplexity || sampleRate === undefined) return null
  return channels === 1 || channels === 2 ? { sampleRate, channels } : null
}

/** Duration of a frame, milliseconds. */
export const soundFrameMs = ({ sampleRate }: Sound): number => (samplesPerFrame / sampleRate) * 1000

/**
 * Returns a silent frame for a stream.
 * @param header payload of its audio header tag
 * @returns null if the audio is not AAC-LC with one or two channels
 */
export function silenceFor(header: Buffer): Silence | null {
  const sound = soundOf(header)
  if (!sound) return null
  return { payload: Buffer.from([header[0] ?? 0, 1, ...frames[sound.channels]]), ms: soundFrameMs(sound) }
}

/** AAC-LC, 48 kHz, stereo. */
export const silentHeader = Buffer.from([0xaf, 0, 0x11, 0x90])
/** A step of the picture above this time is a gap, which gets no silence, milliseconds. */
const gapMs = 1_000

/** Silence that follows the picture of a stream. */
export class SilentSound {
  readonly #frame: Silence | null
  /** Timestamp of the next frame, 32 bits; null before the first picture. */
  #next: number | null = null

  /** @param header payload of the audio header that the stream has; default: `silentHeader` */
  constructor(header: Buffer = silentHeader) {
    this.#frame = silenceFor(header)
  }

  /** Returns whether there is silence at a time already. @param timestamp milliseconds, 32 bits */
  covers(timestamp: number): boolean {
    const ahead = this.#next === null ? 0 : (Math.floor(this.#next) - timestamp) | 0
    return ahead > 0 && ahead <= gapMs
  }

  /** Returns the frames up to a picture. @param timestamp of the picture, milliseconds, 32 bits */
  upTo(timestamp: number): Message[] {
    if (!this.#frame) return []
    const { payload, ms } = this.#frame
    let left = this.#next === null ? gapMs + 1 : (timestamp - Math.floor(this.#next)) | 0
    if (Math.abs(left) > gapMs) {
      this.#next = timestamp
      left = 0
    }
    const messages: Message[] = []
    for (; left >= 0; left = (timestamp - Math.floor(this.#next ?? 0)) | 0) {
      const at = this.#next ?? timestamp
      messages.push({ type: messageType.audio, streamId: 1, timestamp: Math.floor(at) % 2 ** 32, payload })
      this.#next = at + ms
    }
    return messages
  }
}
