// What a media message is, told from its first bytes: FLV 10.1 annex E.4 and Enhanced RTMP v2 (veovera.org).
// Bytes go through unchanged, whatever the codec; only headers and keyframes have to be known.
import type { PacketRole } from './packet.ts'

/** What the first bytes of a message say. */
export interface Inspection {
  readonly role: PacketRole
  readonly codec: string
  readonly track: number
}

const plain = (role: PacketRole, codec: string): Inspection => ({ role, codec, track: 0 })

/** Codecs of video that FLV numbers; 12 is what encoders used for HEVC before Enhanced RTMP. */
const videoCodecs: Readonly<Record<number, string>> = { 2: 'flv1', 7: 'avc1', 12: 'hvc1' }
const audioCodecs: Readonly<Record<number, string>> = { 2: 'mp3 ', 10: 'aac ', 11: 'spex', 13: 'opus' }
/** Packet types of Enhanced RTMP, the same numbers for audio and video. */
const packetType = { start: 0, end: 2, tsStart: 5, modifier: 7 } as const
const manyTracksManyCodecs = 2

/** Looks at a video message. */
export function inspectVideo(payload: Buffer): Inspection {
  const first = payload[0] ?? 0
  const frameType = (first >> 4) & 7
  if (first & 0x80) return inspectEnhanced(payload, 6, frameType === 1 ? 'key' : 'frame')
  const codec = videoCodecs[first & 0x0f] ?? ''
  const hasHeader = codec === 'avc1' || codec === 'hvc1'
  if (hasHeader && payload[1] === 0) return plain('header', codec)
  // The end of a sequence calls itself a keyframe, and there is no picture in it.
  if (hasHeader && payload[1] === packetType.end) return plain('frame', codec)
  return plain(frameType === 1 ? 'key' : 'frame', codec)
}

/** Looks at an audio message. */
export function inspectAudio(payload: Buffer): Inspection {
  const format = (payload[0] ?? 0) >> 4
  if (format === 9) return inspectEnhanced(payload, 5, 'frame')
  const codec = audioCodecs[format] ?? ''
  return plain(codec === 'aac ' && payload[1] === 0 ? 'header' : 'frame', codec)
}

/** @param multitrack packet type that says a track follows: 6 for video, 5 for audio */
function inspectEnhanced(payload: Buffer, multitrack: number, role: PacketRole): Inspection {
  let type = (payload[0] ?? 0) & 0x0f
  let at = 1
  // Modifiers stand in front: their size less one, their bytes, and the type that follows.
  while (type === packetType.modifier && at < payload.length) {
    let size = (payload[at++] ?? 0) + 1
    if (size === 256 && at + 2 <= payload.length) {
      size = payload.readUInt16BE(at) + 1
      at += 2
    }
    at += size
    type = (payload[at++] ?? 0) & 0x0f
  }
  let track = 0
  const tracks = type === multitrack
  let kind = 0
  if (tracks) {
    kind = (payload[at] ?? 0) >> 4
    type = (payload[at++] ?? 0) & 0x0f
  }
  const codec = payload.toString('latin1', at, at + 4).replaceAll(/[^ -~]/g, '?')
  if (tracks) track = payload[at + 4] ?? 0
  if (kind === manyTracksManyCodecs) return { role, codec, track }
  // For audio 5 is taken by multitrack, which was looked through above.
  const isHeader = type === packetType.start || (multitrack === 6 && type === packetType.tsStart)
  if (type === packetType.end) return { role: 'frame', codec, track }
  return { role: isHeader ? 'header' : role, codec, track }
}
