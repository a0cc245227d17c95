// Parts of a stream from the browser that need no browser: bitrate, clock, size, messages.
import { expect, test } from 'vitest'
import { sizeFor } from './picture-encoder.ts'
import { bitrates, isFull, nextBitrate } from './rate.ts'
import { TrackClock } from './track-clock.ts'
import { writePart } from './uplink.ts'

test('the bitrate falls with a backlog as far as its minimum, and rises again without one', () => {
  expect(nextBitrate(1_000_000, 0.7)).toBe(700_000)
  expect(nextBitrate(1_000_000, 0.3)).toBe(1_000_000)
  expect(nextBitrate(1_000_000, 0.05)).toBe(1_080_000)
  expect(nextBitrate(310_000, 2)).toBe(bitrates.least)
  expect(nextBitrate(2_490_000, 0)).toBe(bitrates.most)
  expect([isFull(1.4), isFull(1.6)]).toEqual([false, true])
})

test('tracks with other beginnings are on the clock of the page', () => {
  const [camera, microphone] = [new TrackClock(), new TrackClock()]
  expect(camera.timeOf(2_756_000, 1_000)).toBe(1_000)
  expect(microphone.timeOf(1_500, 1_010)).toBe(1_010)
  // Late arrivals do not move them.
  expect(camera.timeOf(2_756_033, 1_090)).toBe(1_033)
  expect(microphone.timeOf(1_520, 1_030)).toBe(1_030)
  // A device that stalled is tied anew.
  expect(camera.timeOf(2_756_066, 9_000)).toBe(9_000)
  expect(camera.timeOf(2_756_099, 9_033)).toBe(9_033)
})

test.each([
  [1920, 1080, 1280, 720],
  [1080, 1920, 720, 1280],
  [640, 480, 640, 480],
  [1600, 1200, 960, 720],
  [2560, 1080, 1280, 540],
  [1365, 767, 1280, 720],
])('a source of %i × %i is sent as %i × %i', (width, height, ...sent) => {
  expect(Object.values(sizeFor({ width, height }))).toEqual(sent)
})

test('a message has kind, flags, milliseconds and payload', () => {
  const part = { kind: 9, time: 66_051.4, isKey: true, payload: Uint8Array.of(7, 8) }
  expect([...writePart(part)]).toEqual([9, 1, 0, 1, 2, 3, 7, 8])
  expect([...writePart({ kind: 6, time: -1, isHeader: true, payload: Uint8Array.of(1) })]).toEqual([
    6, 2, 0, 0, 0, 0, 1,
  ])
})
