import type { Message } from '#server/relay/rtmp/message.ts'
import { expect, test } from 'vitest'
import { enhancedFrame, enhancedHeader, inTrack, manyTracks, opus } from '#server/relay/testing/enhanced.ts'
import { aacHeader, avcHeader, keyframe } from '#server/relay/testing/frames.ts'
import { FirstTrack } from './first-track.ts'

const passed = (messages: readonly Message[]) => {
  const tracks = new FirstTrack()
  return messages.flatMap((message) => tracks.of(message) ?? [])
}
const frame = enhancedFrame('hvc1', 40, true)
const other = enhancedFrame('hvc1', 40, false)

test('passes one track of each kind, as an encoder with one track sends it', () => {
  const video = [enhancedHeader('hvc1'), frame]
  const audio = [opus(0, 0), opus(20, 1)]
  for (const one of [...video, ...audio]) expect(passed([inTrack(0, one)])).toEqual([one])
  const sent = [...video, ...audio].flatMap((one) => [inTrack(0, one), inTrack(1, one), inTrack(2, one)])
  expect(passed(sent)).toEqual([...video, ...audio])
})

test('treats a message without a track number as track 0', () => {
  const plain = [avcHeader(), aacHeader(), keyframe(0)]
  expect(passed([...plain, inTrack(1, frame), inTrack(1, opus(0, 1)), keyframe(40)])).toEqual([...plain, keyframe(40)])
})

test('passes the first received track where track 0 is missing', () => {
  expect(passed([inTrack(3, frame), inTrack(1, other), inTrack(3, frame)])).toEqual([frame, frame])
})

test.each(['many', 'manyCodecs'] as const)('takes the first track out of a message of type %s', (how) => {
  const payload = manyTracks(how, [0, frame], [1, other])
  expect(passed([{ ...frame, payload }])).toEqual([frame])
})

test('keeps modifiers in front of the track', () => {
  const modifier = Buffer.from([0x97, 0x00, 0xaa, 0x06])
  const [wrapped, plain] = [inTrack(0, frame).payload, frame.payload]
  const sent = { ...frame, payload: Buffer.concat([modifier, wrapped.subarray(1)]) }
  const expected = Buffer.concat([Buffer.from([0x97, 0x00, 0xaa, 0x01]), plain.subarray(1)])
  expect(passed([sent]).map(({ payload }) => payload)).toEqual([expected])
})

test('drops a message that ends within its tracks, for any content', () => {
  const whole = manyTracks('manyCodecs', [1, frame], [0, other])
  for (let length = 1; length < frame.payload.length; length++)
    expect(passed([{ ...frame, payload: whole.subarray(0, length) }])).toEqual([])
})

test('prefers track 0 over another one of the same message or of one before', () => {
  const payload = manyTracks('many', [1, enhancedFrame('hvc1', 41, true)], [0, frame])
  expect(passed([{ ...frame, payload }])).toEqual([frame])
  expect(passed([inTrack(1, other), keyframe(0), keyframe(40)]).slice(-2)).toEqual([keyframe(0), keyframe(40)])
})

test('copies one track, however many a message names and however long its modifiers are', () => {
  // 1,000 modifiers of 256 bytes each, then 100,000 empty tracks.
  const modifier = Buffer.concat([Buffer.from([0xff, 0x00, 0xff]), Buffer.alloc(256), Buffer.from([0x07])])
  const head = Buffer.concat([Buffer.from([0x97]), ...Array.from({ length: 1_000 }, () => modifier)])
  head[head.length - 1] = 0x06
  const tracks = Buffer.alloc(400_000)
  const payload = Buffer.concat([head, Buffer.from([0x11]), Buffer.from('hvc1'), tracks])
  const before = process.memoryUsage().arrayBuffers
  const [sent] = passed([{ ...frame, payload }])
  expect(sent?.payload.length).toBe(head.length + 4)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
})
