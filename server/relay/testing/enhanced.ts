// Streams in codecs that RTMP does not number (Enhanced RTMP v2), made by hand: no encoder for them is at hand everywhere.
import type { Message } from '#server/relay/rtmp/message.ts'

const video = (timestamp: number, head: readonly number[], fourCc: string, body: Buffer): Message => ({
  type: 9,
  streamId: 1,
  timestamp,
  payload: Buffer.concat([Buffer.from(head.slice(0, 1)), Buffer.from(fourCc), Buffer.from(head.slice(1)), body]),
})

/** Bytes that no two frames share. */
const picture = (seed: number, bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => (seed * 31 + at) & 0xff))

/** First byte: the bit of Enhanced RTMP, the frame type (1 key, 2 inter), the packet type. */
const head = (frameType: 1 | 2, packetType: number): number => 0x80 | (frameType << 4) | packetType
const packetType = { sequenceStart: 0, codedFrames: 1, codedFramesX: 3 } as const

/** Decoder configurations: HEVC Main of a 64 × 64 picture without its parameter sets, AV1 Main (`av1C`). */
const configurations = {
  hvc1: Buffer.from('0101600000009000000000001ef000fcfdf8f800000f0000', 'hex'),
  av01: Buffer.from('81000c00', 'hex'),
} as const
export type EnhancedCodec = keyof typeof configurations

/** What a decoder has to know. */
export const enhancedHeader = (codec: EnhancedCodec, timestamp = 0): Message =>
  video(timestamp, [head(1, packetType.sequenceStart)], codec, configurations[codec])

/** A picture. HEVC says in three bytes how much later it is shown; AV1 has no such bytes. */
export const enhancedFrame = (codec: EnhancedCodec, timestamp: number, isKey: boolean): Message => {
  const later = codec === 'hvc1' ? [0, 0, 40] : []
  return video(timestamp, [head(isKey ? 1 : 2, packetType.codedFrames), ...later], codec, picture(timestamp, 900))
}

/** HEVC without those three bytes, where a picture is shown when it comes. */
export const hevcFrameX = (timestamp: number): Message =>
  video(timestamp, [head(2, packetType.codedFramesX)], 'hvc1', picture(timestamp, 300))

/** Opus in Enhanced RTMP. @param type 0: header, 1: sound */
export const opus = (timestamp: number, type: 0 | 1): Message => ({
  type: 8,
  streamId: 1,
  timestamp,
  payload: Buffer.concat([Buffer.from([0x90 | type]), Buffer.from('Opus'), picture(timestamp, type === 0 ? 19 : 120)]),
})

/** A second of it: a keyframe, then 24 pictures, a sound between two. */
export function* enhancedSecond(codec: EnhancedCodec, fromMs: number): Generator<Message> {
  for (let frame = 0; frame < 25; frame++) {
    const at = fromMs + frame * 40
    yield codec === 'hvc1' && frame % 2 === 1 ? hevcFrameX(at) : enhancedFrame(codec, at, frame === 0)
    yield opus(at + 20, 1)
  }
}

/** How a message holds its tracks: `many` share a codec, `manyCodecs` have one each. */
const layouts = { one: 0, many: 1, manyCodecs: 2 } as const

/** The same message in a track of its kind. @param id number of the track */
export const inTrack = (id: number, message: Message): Message => ({
  ...message,
  payload: manyTracks('one', [id, message]),
})

/** Several tracks in one message. */
export function manyTracks(
  how: keyof typeof layouts,
  ...tracks: readonly [readonly [number, Message], ...(readonly [number, Message])[]]
): Buffer {
  const [[, { type, payload }]] = tracks
  const first = payload[0] ?? 0
  const start = [(first & 0xf0) | (type === 9 ? 6 : 5), (layouts[how] << 4) | (first & 0x0f)]
  const parts = tracks.map(([id, { payload: bytes }]) => {
    const size = bytes.length - 5
    const about = Buffer.from([id, ...(how === 'one' ? [] : [size >> 16, (size >> 8) & 0xff, size & 0xff])])
    return Buffer.concat([how === 'manyCodecs' ? bytes.subarray(1, 5) : Buffer.alloc(0), about, bytes.subarray(5)])
  })
  return Buffer.concat([Buffer.from(start), how === 'manyCodecs' ? Buffer.alloc(0) : payload.subarray(1, 5), ...parts])
}
