// The first audio and the first video track of an encoder that sends several (Enhanced RTMP v2, "Multitrack").
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { enhancedType, isEnhanced } from './codecs.ts'

/** Packet types that announce tracks. */
const multitrack = { [messageType.video]: 6, [messageType.audio]: 5 } as const
/** Track layout of a message. */
const layout = { one: 0, many: 1, manyCodecs: 2 } as const
const fourCcBytes = 4
const sizeBytes = 3

/** Track ids are one byte, which limits the number of tracks. */
const tracksMax = 256

/** Position of a track in its message. Offsets in bytes. */
interface Track {
  readonly id: number
  readonly fourCcAt: number
  readonly from: number
  readonly to: number
}

/** The tracks of a message. `typeAt`: offset of the packet type. `inner`: packet type of each track. */
interface Tracks {
  readonly typeAt: number
  readonly inner: number
  readonly list: readonly Track[]
}

/**
 * Passes one track of each kind: track 0 (also without a number), or without it the first track that
 * the encoder sends.
 */
export class FirstTrack {
  readonly #chosen = new Map<number, number>()

  /** Returns the message as an encoder with one track sends it; null when it does not contain that track. */
  of(message: Message): Message | null {
    const { type, payload } = message
    if (type !== messageType.video && type !== messageType.audio) return message
    if (payload.length === 0) return message
    const tracks = tracksOf(type, payload)
    if (!tracks) {
      this.#chosen.set(type, 0)
      return message
    }
    const { list } = tracks
    const chosen = this.#chosen.get(type) ?? (list.find(({ id }) => id === 0) ?? list[0])?.id
    if (chosen === undefined) return null
    this.#chosen.set(type, chosen)
    const track = list.find(({ id }) => id === chosen)
    return track ? { ...message, payload: alone(payload, tracks, track) } : null
  }
}

/** Payload with one track, without the track header. */
function alone(payload: Buffer, { typeAt, inner }: Tracks, { fourCcAt, from, to }: Track): Buffer {
  const head = Buffer.from(payload.subarray(0, typeAt + 1))
  head[typeAt] = ((head[typeAt] ?? 0) & 0xf0) | inner
  return Buffer.concat([head, payload.subarray(fourCcAt, fourCcAt + fourCcBytes), payload.subarray(from, to)])
}

/** @returns null for a message without tracks */
function tracksOf(type: keyof typeof multitrack, payload: Buffer): Tracks | null {
  if (!isEnhanced(type, payload)) return null
  const { type: packetType, at: typeAt } = enhancedType(payload)
  if (packetType !== multitrack[type]) return null
  const how = (payload[typeAt + 1] ?? 0) >> 4
  const inner = (payload[typeAt + 1] ?? 0) & 0x0f
  const hasOwnCodecs = how === layout.manyCodecs
  const list: Track[] = []
  let at = typeAt + 2 + (hasOwnCodecs ? 0 : fourCcBytes)
  while (list.length < tracksMax) {
    const fourCcAt = hasOwnCodecs ? at : typeAt + 2
    if (hasOwnCodecs) at += fourCcBytes
    const id = payload[at]
    const from = at + 1 + (how === layout.one ? 0 : sizeBytes)
    if (id === undefined || from > payload.length) break
    const to = how === layout.one ? payload.length : from + payload.readUIntBE(at + 1, sizeBytes)
    // A track beyond the end of its message is invalid.
    if (to > payload.length) break
    list.push({ id, fourCcAt, from, to })
    if (how === layout.one) break
    at = to
  }
  return { typeAt, inner, list }
}
