import { expect, test } from 'vitest'
import { Timeline } from './timeline.ts'

const [audio, video] = [8, 9]

test('passes timestamps on unchanged', () => {
  const line = new Timeline()
  expect([5000, 5040, 5080].map((at, index) => line.place(video, at, index * 40))).toEqual([5000, 5040, 5080])
})

test('continues after a reconnect, later by the elapsed time', () => {
  const line = new Timeline()
  line.place(video, 90_000, 0)
  line.place(audio, 90_020, 20)
  line.restart()
  expect(line.place(video, 0, 3020)).toBe(93_020)
  expect(line.place(audio, 20, 3040)).toBe(93_040)
})

test('keeps each track monotonic', () => {
  const line = new Timeline()
  expect([100, 140, 120, 160].map((at) => line.place(video, at, at))).toEqual([100, 140, 140, 160])
})

test('allows an offset between tracks', () => {
  const line = new Timeline()
  line.place(video, 1000, 0)
  expect(line.place(audio, 900, 0)).toBe(900)
})

test('bridges a jump of the encoder’s clock', () => {
  const line = new Timeline()
  line.place(video, 1000, 0)
  expect(line.place(video, 9_000_000, 40)).toBe(1040)
  expect(line.place(video, 9_000_040, 80)).toBe(1080)
  expect(line.place(video, 0, 120)).toBe(1120)
})

test('continues after the wrap of 32 bits at 49 days', () => {
  const line = new Timeline()
  line.place(video, 2 ** 32 - 40, 0)
  expect(line.place(video, 0, 40)).toBe(0)
  expect(line.place(video, 40, 80)).toBe(40)
})

test('presents the first frame after a cut behind the last one with B-frames', () => {
  const line = new Timeline()
  // Decoded at 0 and 33, presented at 66 and 166.
  line.place(video, 0, 0, { composition: 66 })
  line.place(video, 33, 33, { composition: 133 })
  line.restart(0)
  expect(line.place(video, 7_000, 40, { composition: 0 })).toBe(33 + 133 + 33)
  expect(line.place(video, 7_033, 73, { composition: 0 })).toBe(33 + 133 + 33 + 33)
})

test('keeps the elapsed time at a cut that is long enough', () => {
  const line = new Timeline()
  line.place(video, 0, 0, { composition: 66 })
  line.place(video, 33, 33, { composition: 133 })
  line.restart(66)
  expect(line.place(video, 7_000, 1_033, { composition: 66 })).toBe(1_033)
})

test('leaves out sound that overlaps the one before a cut', () => {
  const line = new Timeline()
  const isSound = true
  for (const at of [0, 21, 43, 64]) line.place(audio, at, at, { isSound })
  line.restart()
  expect(line.place(video, 5_000, 70)).toBe(70)
  expect([5_003, 5_008, 5_016, 5_037].map((at) => line.place(audio, at, 80, { isSound }))).toEqual([
    null,
    null,
    86,
    107,
  ])
  // A header is no sound.
  line.restart()
  expect(line.place(audio, 0, 81)).toBe(108)
})
