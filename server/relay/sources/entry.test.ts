import { expect, test } from 'vitest'
import { aacHeader, audio, avcHeader, interframe, keyframe } from '#server/relay/testing/frames.ts'
import { Entry } from './entry.ts'

const withVideo = { hasVideo: true }

test('a returning encoder enters at a keyframe, behind its headers at the time of that keyframe', () => {
  const entry = new Entry(withVideo, false)
  for (const message of [avcHeader(0), aacHeader(0), audio(0), interframe(0)]) expect(entry.take(message, 0)).toBeNull()
  const key = keyframe(500)
  expect(entry.take(key, 500)).toEqual([{ ...avcHeader(0), timestamp: 500 }, { ...aacHeader(0), timestamp: 500 }, key])
  expect(entry.isOpen).toBe(true)
})

test('media that was sent during a silence is dropped until the encoder has caught up', () => {
  const entry = new Entry(withVideo, true)
  entry.take(keyframe(1_000), 0)
  entry.close()
  // Five seconds of silence, then the five seconds that were in the network.
  for (const at of [1_040, 2_000, 3_000, 4_000, 5_000]) expect(entry.take(keyframe(at), 5_000)).toBeNull()
  expect(entry.take(keyframe(6_000), 5_000)).toHaveLength(1)
})

test('an encoder whose clock stood still enters after three seconds', () => {
  const entry = new Entry(withVideo, true)
  entry.take(keyframe(1_000), 0)
  entry.close()
  expect(entry.take(keyframe(1_040), 10_000)).toBeNull()
  expect(entry.take(keyframe(3_040), 12_000)).toBeNull()
  expect(entry.take(keyframe(4_040), 13_000)).toHaveLength(1)
})

test('an encoder without video enters after two seconds, one without keyframes after fifteen', () => {
  const sound = new Entry(withVideo, false)
  expect([0, 1_000, 1_990].map((at) => sound.take(audio(at), at))).toEqual([null, null, null])
  expect(sound.take(audio(2_000), 2_000)).toHaveLength(1)
  const still = new Entry(withVideo, false)
  still.take(avcHeader(0), 0)
  expect([0, 8_000, 14_990].map((at) => still.take(interframe(at), at))).toEqual([null, null, null])
  expect(still.take(interframe(15_000), 15_000)).toHaveLength(2)
  // Without video so far there is nothing to wait for.
  expect(new Entry({ hasVideo: false }, false).take(audio(0), 0)).toHaveLength(1)
})

test('sound does not let frames without their keyframe in when an encoder with video was silent', () => {
  const entry = new Entry(withVideo, true)
  entry.take(avcHeader(0), 0)
  entry.take(keyframe(0), 0)
  entry.close()
  // It continues over its connection, without headers, in the middle of a long group of pictures.
  for (let at = 2_000; at < 8_000; at += 40)
    expect([entry.take(interframe(at), at), entry.take(audio(at), at)]).toEqual([null, null])
  expect(entry.take(keyframe(8_000), 8_000)).toHaveLength(1)
})
