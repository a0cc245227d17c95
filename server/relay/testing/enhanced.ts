// Hand-made Enhanced RTMP v2 streams in HEVC, AV1 and Opus, because not every machine has encoders for them.
import type { Message } from '#server/relay/rtmp/message.ts'

const video = (timestamp: number, head: readonly number[], fourCc: string, body: Buffer): Message => ({
  type: 9,
  streamId: 1,
  timestamp,
  payload: Buffer.concat([Buffer.from(head.slice(0, 1)), Buffer.from(fourCc), Buffer.from(head.slice(1)), body]),
})

/** Bytes that differ in each frame. */
const picture = (seed: number, bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => (seed * 31 + at) & 0xff))

/** First byte: the bit of Enhanced RTMP, the frame type (1 key, 2 inter), the packet type. */
const head = (frameType: 1 | 2, packetType: number): number => 0x80 | (frameType << 4) | packetType
const packetType = { sequenceStart: 0, codedFrames: 1, codedFramesX: 3 } as const

/** Decoder configurations: HEVC Main at 64 × 64 pixels without parameter sets, AV1 Main (`av1C`). */
const configurations = {
  hvc1: Buffer.from('0101600000009000000000001ef000fcfdf8f800000f0000', 'hex'),
  av01: Buffer.from('81000c00', 'hex'),
} as const
export type EnhancedCodec = keyof typeof configurations

/** Sequence header with the decoder configuration. */
export const enhancedHeader = (codec: EnhancedCodec, timestamp = 0): Message =>
  video(timestamp, [head(1, packetType.sequenceStart)], codec, configurations[codec])

/** Video frame. HEVC has a composition time of three bytes; AV1 has none. */
export const enhancedFrame = (codec: EnhancedCodec, timestamp: number, isKey: boolean): Message => {
  const later = codec === 'hvc1' ? [0, 0, 40] : []
  return video(timestamp, [head(isKey ? 1 : 2, packetType.codedFrames), ...later], codec, picture(timestamp, 900))
}

/** HEVC frame without composition time: presentation equals decoding time. */
export const hevcFrameX = (timestamp: number): Message =>
  video(timestamp, [head(2, packetType.codedFramesX)], 'hvc1', picture(timestamp, 300))

/** Opus in Enhanced RTMP. @param type 0: header, 1: audio */
export const opus = (timestamp: number, type: 0 | 1): Message => ({
  type: 8,
  streamId: 1,
  timestamp,
  payload: Buffer.concat([Buffer.from([0x90 | type]), Buffer.from('Opus'), picture(timestamp, type === 0 ? 19 : 120)]),
})

/** One second: a keyframe and 24 further frames, with audio between them. */
export function* enhancedSecond(codec: EnhancedCodec, fromMs: number): Generator<Message> {
  for (let frame = 0; frame < 25; frame++) {
    const at = fromMs + frame * 40
    yield codec === 'hvc1' && frame % 2 === 1 ? hevcFrameX(at) : enhancedFrame(codec, at, frame === 0)
    yield opus(at + 20, 1)
  }
}

/** Multitrack type: `many` tracks share a codec, `manyCodecs` have one each. */
const layouts = { one: 0, many: 1, manyCodecs: 2 } as const

/** Puts a message into a track of its kind. @param id track number */
export const inTrack = (id: number, message: Message): Message => ({
  ...message,
  payload: manyTracks('one', [id, message]),
})

/** Joins several tracks in one message. */
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

/** Returns a message of AVC or AAC in Enhanced RTMP. @param message as plain RTMP has it */
export function enhanced(message: Message): Message {
  const { type, payload } = message
  const kind = payload[1] ?? 0
  if (type === 8)
    return {
      ...message,
      payload: Buffer.concat([Buffer.from([0x90 | kind]), Buffer.from('mp4a'), payload.subarray(2)]),
    }
  // Only coded frames have a composition time.
  const body = payload.subarray(kind === packetType.codedFrames ? 2 : 5)
  const first = 0x80 | ((payload[0] ?? 0) & 0x70) | kind
  return { ...message, payload: Buffer.concat([Buffer.from([first]), Buffer.from('avc1'), body]) }
}
