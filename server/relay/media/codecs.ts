// Role and codec of a media message by its first bytes (FLV 10.1 annex E.4, Enhanced RTMP v2, veovera.org). The relay forwards
// payloads unchanged and only needs to recognise headers and keyframes.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'

/** `header`: decoders need it first. `key`: decoders can begin here. */
export type PacketRole = 'header' | 'key' | 'frame'

/** Role and codec of a message. */
export interface Inspection {
  readonly role: PacketRole
  readonly codec: string
}

const plain = (role: PacketRole, codec: string): Inspection => ({ role, codec })

/** Video codecs by their FLV number; encoders used 12 for HEVC before Enhanced RTMP. */
const videoCodecs: Readonly<Record<number, string>> = { 2: 'flv1', 7: 'avc1', 12: 'hvc1' }
/** Video codecs whose messages have a composition time. */
const timed: ReadonlySet<string> = new Set(['avc1', 'hvc1'])
/** The audio format that announces Enhanced RTMP. */
const enhancedAudio = 9
const audioCodecs: Readonly<Record<number, string>> = { 2: 'mp3 ', 10: 'aac ', 11: 'spex', 13: 'opus' }
/** Packet types of Enhanced RTMP, the same numbers for audio and video. */
const packetType = { start: 0, coded: 1, end: 2, tsStart: 5, modifier: 7 } as const

/** Returns true when a message follows Enhanced RTMP. @param type RTMP message type of audio or video */
export const isEnhanced = (type: number, payload: Buffer): boolean =>
  type === messageType.video ? ((payload[0] ?? 0) & 0x80) !== 0 : (payload[0] ?? 0) >> 4 === enhancedAudio

/** Inspects a video message. */
export function inspectVideo(payload: Buffer): Inspection {
  const first = payload[0] ?? 0
  const frameType = (first >> 4) & 7
  if (isEnhanced(messageType.video, payload))
    return inspectEnhanced(payload, 'video', frameType === 1 ? 'key' : 'frame')
  const codec = videoCodecs[first & 0x0f] ?? ''
  const hasHeader = timed.has(codec)
  if (hasHeader && payload[1] === 0) return plain('header', codec)
  // The end of a sequence is marked as a keyframe and has no frame.
  if (hasHeader && payload[1] === packetType.end) return plain('frame', codec)
  return plain(frameType === 1 ? 'key' : 'frame', codec)
}

/** Inspects an audio message. */
export function inspectAudio(payload: Buffer): Inspection {
  const format = (payload[0] ?? 0) >> 4
  if (format === enhancedAudio) return inspectEnhanced(payload, 'audio', 'frame')
  const codec = audioCodecs[format] ?? ''
  return plain(codec === 'aac ' && payload[1] === 0 ? 'header' : 'frame', codec)
}

/** Returns true for audio or video that is no header. */
export function isFrame({ type, payload }: Pick<Message, 'type' | 'payload'>): boolean {
  if (payload.length === 0) return false
  if (type === messageType.video) return inspectVideo(payload).role !== 'header'
  return type === messageType.audio && inspectAudio(payload).role !== 'header'
}

/**
 * Returns the packet type of an Enhanced RTMP message, after its modifiers.
 * @returns the type, and the offset of the byte whose low half holds it; the FourCC or the track header follows
 */
export function enhancedType(payload: Buffer): { readonly type: number; readonly at: number } {
  let at = 0
  let type = (payload[at] ?? 0) & 0x0f
  // A modifier: its size minus one, its bytes, and a byte with the next type.
  while (type === packetType.modifier && at + 1 < payload.length) {
    let size = (payload[++at] ?? 0) + 1
    if (size === 256 && at + 3 <= payload.length) {
      size = payload.readUInt16BE(at + 1) + 1
      at += 2
    }
    at += size + 1
    type = (payload[at] ?? 0) & 0x0f
  }
  return { type, at }
}

/** Composition time of a video message, milliseconds: presentation follows decoding by it. 0 where the message has none. */
export function compositionMs({ type, payload }: Pick<Message, 'type' | 'payload'>): number {
  if (type !== messageType.video) return 0
  if (!isEnhanced(type, payload)) {
    const codec = videoCodecs[(payload[0] ?? 0) & 0x0f] ?? ''
    return timed.has(codec) && payload[1] === packetType.coded && payload.length >= 5 ? payload.readIntBE(2, 3) : 0
  }
  const { type: coded, at } = enhancedType(payload)
  const hasTime = coded === packetType.coded && payload.length >= at + 8
  return hasTime && timed.has(payload.toString('latin1', at + 1, at + 5)) ? payload.readIntBE(at + 5, 3) : 0
}

function inspectEnhanced(payload: Buffer, kind: 'audio' | 'video', role: PacketRole): Inspection {
  const { type, at } = enhancedType(payload)
  const codec = payload.toString('latin1', at + 1, at + 5).replaceAll(/[^ -~]/g, '?')
  // For audio 5 announces several tracks.
  const isHeader = type === packetType.start || (kind === 'video' && type === packetType.tsStart)
  if (type === packetType.end) return { role: 'frame', codec }
  return { role: isHeader ? 'header' : role, codec }
}
