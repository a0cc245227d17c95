// Hand-made stream, frame by frame, for tests of exact bytes and times.
import type { Message } from '#server/relay/rtmp/message.ts'

const video = (timestamp: number, head: readonly number[], bytes: number): Message => ({
  type: 9,
  streamId: 1,
  timestamp,
  payload: Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, timestamp & 0xff)]),
})

/** AVC sequence header. @param profile byte that distinguishes headers */
export const avcHeader = (timestamp = 0, profile = 1): Message => video(timestamp, [0x17, 0, 0, 0, 0, profile], 8)
export const keyframe = (timestamp: number, bytes = 1000): Message => video(timestamp, [0x17, 1, 0, 0, 0], bytes)
export const interframe = (timestamp: number, bytes = 300): Message => video(timestamp, [0x27, 1, 0, 0, 0], bytes)
/** Frame of one byte without video data. */
export const tiny = (timestamp: number): Message => ({ ...interframe(timestamp), payload: Buffer.from([0x27]) })
export const aacHeader = (timestamp = 0): Message => ({
  type: 8,
  streamId: 1,
  timestamp,
  payload: Buffer.from([0xaf, 0, 0x11, 0x90]),
})
export const audio = (timestamp: number): Message => ({
  type: 8,
  streamId: 1,
  timestamp,
  payload: Buffer.from([0xaf, 1, 1, 2, 3]),
})

/** Generates seconds of a stream: a keyframe per second, 25 frames, audio between frames. */
export function* stream(fromMs: number, seconds: number): Generator<Message> {
  for (let frame = 0; frame < seconds * 25; frame++) {
    const at = fromMs + frame * 40
    yield frame % 25 === 0 ? keyframe(at) : interframe(at)
    yield audio(at + 20)
  }
}
