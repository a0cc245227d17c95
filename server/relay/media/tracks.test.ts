import type { Message } from '#server/relay/rtmp/message.ts'
import { expect, test } from 'vitest'
import { enhanced, enhancedFrame, enhancedHeader, inTrack, manyTracks, opus } from '#server/relay/testing/enhanced.ts'
import { aacHeader, audio as sound, avcHeader, keyframe } from '#server/relay/testing/frames.ts'
import { soundInTrack, Tracks } from './tracks.ts'

function randomFrom(start: number): (most: number) => number {
  let state = start >>> 0
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

const passed = (messages: readonly Message[]) => {
  const tracks = new Tracks()
  return messages.flatMap((message) => tracks.split(message).flatMap((one) => (one.isMain ? [one.message] : [])))
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

test('knows eight tracks of a kind, drops further ones, track 255 among them, and tracks within tracks', () => {
  const tracks = new Tracks()
  const ids = (messages: readonly Message[]) => messages.flatMap((one) => tracks.split(one).map(({ id }) => id))
  expect(ids(Array.from({ length: 20 }, (_, id) => inTrack(id, frame)))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(ids([inTrack(255, frame), inTrack(0, inTrack(1, frame)), inTrack(7, frame)])).toEqual([7])
})

test('writes AVC and AAC of tracks as plain RTMP', () => {
  const plain = [avcHeader(0), keyframe(0), aacHeader(0), sound(20)]
  const sent = plain.map((message) => inTrack(1, enhanced(message)))
  expect(new Tracks().split(sent[0] ?? frame)).toMatchObject([{ kind: 'video', id: 1, isMain: true }])
  expect(passed(sent)).toEqual(plain)
})

test('survives 100,000 mutated messages with bounded time and memory', () => {
  const tracks = new Tracks()
  const upTo = randomFrom(20_261_124)
  const seeds = (['many', 'manyCodecs'] as const).map((how) => ({
    ...frame,
    payload: manyTracks(how, [0, frame], [255, other]),
  }))
  const all = [...seeds, inTrack(1, frame), inTrack(255, opus(0, 1)), inTrack(1, enhanced(keyframe(0)))]
  for (let round = 0; round < 100_000; round++) {
    const seed = all[upTo(all.length)] ?? frame
    const payload = Buffer.from(seed.payload).subarray(0, upTo(20) === 0 ? upTo(12) : undefined)
    for (let change = upTo(4); change > 0 && payload.length > 0; change--)
      payload[upTo(Math.min(30, payload.length))] = upTo(256)
    const parts = tracks.split({ ...seed, payload })
    expect(parts.length).toBeLessThanOrEqual(9)
    for (const { message } of parts) expect(message.payload.length).toBeLessThanOrEqual(payload.length + 5)
  }
})

test('a sound in a track is split into what it was', () => {
  const tracks = new Tracks()
  const aac = (first: number, type: number): Message => ({
    type: 8,
    streamId: 1,
    timestamp: 5,
    payload: Buffer.from([first, type, 1, 2, 3]),
  })
  tracks.split(aac(0xaf, 0))
  for (const message of [aac(0xaf, 0), aac(0xaf, 1)]) {
    const wrapped = soundInTrack(3, message)
    expect(tracks.split(wrapped!)).toEqual([{ kind: 'audio', id: 3, isMain: false, message }])
  }
  // MP3, and a message without a frame.
  expect(soundInTrack(3, aac(0x2f, 1))).toBeNull()
  expect(soundInTrack(3, { ...aac(0xaf, 1), payload: Buffer.from([0xaf]) })).toBeNull()
})
