import { expect, test } from 'vitest'
import { interframe, keyframe } from '#server/relay/testing/frames.ts'
import { Meter } from './meter.ts'

const gop = (...messages: Parameters<Meter['add']>[0][]) => {
  const meter = new Meter(0)
  for (const message of messages) meter.add(message)
  return meter.sample(1_000).gopMs
}

test('measures the keyframe distance, also across the wrap of 32 bits', () => {
  expect(gop(keyframe(0), interframe(40), keyframe(2_000))).toBe(2_000)
  expect(gop(keyframe(2 ** 32 - 500), keyframe(1_500))).toBe(2_000)
})

test('keeps the last distance when time goes back', () => {
  expect(gop(keyframe(0), keyframe(2_000), keyframe(1_000))).toBe(2_000)
  expect(gop(keyframe(5_000), keyframe(0))).toBeNull()
})

test('measures no distance across two encoders', () => {
  const meter = new Meter(0)
  meter.add(keyframe(0))
  meter.restart()
  meter.add(keyframe(90_000))
  expect(meter.sample(1_000).gopMs).toBeNull()
})
