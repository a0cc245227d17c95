import { expect, test } from 'vitest'
import { StepMeter } from './recordings.ts'

/** Measures frames by their presentation and decoding times. */
function measured(...frames: readonly (readonly [presented: number, decoded: number])[]) {
  const meter = new StepMeter()
  for (const frame of frames) meter.take(...frame)
  return meter.result()
}
/** Frames of a second each 40 ms. */
const second = (from: number) => Array.from({ length: 25 }, (_, at) => [from + at * 40, from + at * 40] as const)

test('measures steps in the order in which frames are shown', () => {
  const reordered = [
    [80, 0],
    [200, 40],
    [120, 80],
    [160, 120],
  ] as const
  expect(measured(...reordered)).toEqual({ frames: 4, seconds: 0.12, longestMs: 40, longestAt: 0.12, backwards: 0 })
  expect(measured(...second(0), ...second(2_600))).toMatchObject({ frames: 50, longestMs: 1_640, longestAt: 2.6 })
})

test('finds frames that go back, that are shown twice, and that are decoded before earlier ones', () => {
  expect(measured(...second(0), ...second(1_000)).backwards).toBe(0)
  expect(measured(...second(0), [960, 1_000]).backwards).toBe(1)
  expect(measured(...second(0), [1_000, 900]).backwards).toBe(1)
  expect(measured(...second(0), ...second(1_000), [500, 2_000], ...second(2_040)).backwards).toBeGreaterThan(0)
})
