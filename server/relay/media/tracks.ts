// Tracks of an encoder that sends several (Enhanced RTMP v2, "Multitrack"): splits messages into those that an encoder with one track sends.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { enhancedType, isEnhanced } from './codecs.ts'

/** Packet types that announce tracks. */
const multitrack = { [messageType.video]: 6, [messageType.audio]: 5 } as const
/** Track layout of a message. */
const layout = { one: 0, many: 1, manyCodecs: 2 } as const
const fourCcBytes = 4
const sizeBytes = 3
/** Packet types of a track: the same numbers for audio and video. */
const packetType = { start: 0, coded: 1, end: 2, codedX: 3, modifier: 7 } as const

/** Sound format of AAC in plain RTMP (FLV 10.1, E.4.2.1). */
const aacFormat = 10

/** Track ids are one byte, which limits the tracks of a message. */
const namedMax = 256
/** Tracks of a kind that an encoder may have; further ones are dropped. */
const tracksMax = 8

/** A message of one track. */
export interface TrackMessage {
  readonly kind: 'audio' | 'video' | 'data'
  /** Number of the track; 0 without numbers. */
  readonly id: number
  /** Track 0, or without it the first track of its kind. */
  readonly isMain: boolean
  readonly message: Message
}

/** Identifies a track by its kind and number: audio is even. */
export const trackKey = (kind: TrackMessage['kind'], id: number): number => id * 2 + (kind === 'video' ? 1 : 0)

/** Position of a track in its message. Offsets in bytes. */
interface Track {
  readonly id: number
  readonly fourCcAt: number
  readonly from: number
  readonly to: number
}

/** The tracks of a message. `typeAt`: offset of the packet type. `inner`: packet type of each track. */
interface Found {
  readonly typeAt: number
  readonly inner: number
  readonly list: readonly Track[]
}

export class Tracks {
  readonly #main = new Map<number, number>()
  /** Ids of the tracks by message type. */
  readonly #known = new Map<number, Set<number>>()

  /** Returns the tracks of a message, each as an encoder with one track sends it. Drops what is invalid. */
  split(message: Message): readonly TrackMessage[] {
    const { type, payload } = message
    if (type !== messageType.video && type !== messageType.audio)
      return [{ kind: 'data', id: 0, isMain: true, message }]
    const kind = type === messageType.video ? 'video' : 'audio'
    if (payload.length === 0) return [{ kind, id: 0, isMain: true, message }]
    const found = tracksOf(type, payload)
    if (!found) {
      this.#main.set(type, 0)
      this.#isKnown(type, 0)
      return [{ kind, id: 0, isMain: true, message }]
    }
    const { list } = found
    const main = this.#main.get(type) ?? (list.find(({ id }) => id === 0) ?? list[0])?.id
    if (main === undefined) return []
    this.#main.set(type, main)
    this.#isKnown(type, main)
    const seen = new Set<number>()
    return list.flatMap((track): readonly TrackMessage[] => {
      const { id } = track
      if (seen.has(id) || !(id === main || this.#isKnown(type, id))) return []
      seen.add(id)
      const alone = aloneOf(type, payload, found, track)
      return alone ? [{ kind, id, isMain: id === main, message: { ...message, payload: alone } }] : []
    })
  }

  /** Returns whether a track is one of the first ones of its kind. */
  #isKnown(type: number, id: number): boolean {
    const known = this.#known.get(type) ?? new Set()
    this.#known.set(type, known)
    if (known.size < tracksMax) known.add(id)
    return known.has(id)
  }
}

/**
 * Payload with one track, without the track header. AVC and AAC get the framing of plain RTMP, which every platform reads; other
 * codecs have none.
 * @returns null for a packet type that plain RTMP does not have
 */
function aloneOf(
  type: keyof typeof multitrack,
  payload: Buffer,
  { typeAt, inner }: Found,
  track: Track,
): Buffer | null {
  const { fourCcAt, from, to } = track
  const body = payload.subarray(from, to)
  const codec = payload.toString('latin1', fourCcAt, fourCcAt + fourCcBytes)
  if (type === messageType.video && codec === 'avc1') return plainAvc((payload[0] ?? 0) & 0x70, inner, body)
  if (type === messageType.audio && codec === 'mp4a') return plainAac(inner, body)
  const head = Buffer.from(payload.subarray(0, typeAt + 1))
  head[typeAt] = ((head[typeAt] ?? 0) & 0xf0) | inner
  return Buffer.concat([head, payload.subarray(fourCcAt, fourCcAt + fourCcBytes), body])
}

/** AVC in plain RTMP (FLV 10.1, E.4.3.1). @param frameType high half of the first byte */
function plainAvc(frameType: number, inner: number, body: Buffer): Buffer | null {
  const first = frameType | 7
  if (inner === packetType.start) return Buffer.concat([Buffer.from([first, 0, 0, 0, 0]), body])
  // The composition time begins the body.
  if (inner === packetType.coded) return body.length < 3 ? null : Buffer.concat([Buffer.from([first, 1]), body])
  if (inner === packetType.codedX) return Buffer.concat([Buffer.from([first, 1, 0, 0, 0]), body])
  return inner === packetType.end ? Buffer.from([first, 2, 0, 0, 0]) : null
}

/** AAC in plain RTMP (FLV 10.1, E.4.2.1): its sound format always says 44 kHz stereo. */
function plainAac(inner: number, body: Buffer): Buffer | null {
  if (inner !== packetType.start && inner !== packetType.coded) return null
  return Buffer.concat([Buffer.from([0xaf, inner]), body])
}

/** @returns null for a message without tracks */
function tracksOf(type: keyof typeof multitrack, payload: Buffer): Found | null {
  if (!isEnhanced(type, payload)) return null
  const { type: outer, at: typeAt } = enhancedType(payload)
  if (outer !== multitrack[type]) return null
  const how = (payload[typeAt + 1] ?? 0) >> 4
  const inner = (payload[typeAt + 1] ?? 0) & 0x0f
  // Tracks within tracks, or a modifier behind the announcement.
  if (inner === multitrack[type] || inner === packetType.modifier) return { typeAt, inner, list: [] }
  const hasOwnCodecs = how === layout.manyCodecs
  const list: Track[] = []
  let at = typeAt + 2 + (hasOwnCodecs ? 0 : fourCcBytes)
  while (list.length < namedMax) {
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

/**
 * Puts AAC of plain RTMP into a track (Enhanced RTMP v2, one track).
 * @returns null for other sound
 */
export function soundInTrack(id: number, message: Message): Message | null {
  const { type, payload } = message
  const isPlainAac = type === messageType.audio && payload.length >= 2 && (payload[0] ?? 0) >> 4 === aacFormat
  if (!isPlainAac) return null
  const inner = payload[1] === 0 ? packetType.start : packetType.coded
  const head = [0x90 | multitrack[messageType.audio], (layout.one << 4) | inner, ...Buffer.from('mp4a'), id]
  return { ...message, payload: Buffer.concat([Buffer.from(head), payload.subarray(2)]) }
}
