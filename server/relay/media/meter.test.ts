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

test('averages the last five seconds with media, without the first second of a connection', () => {
  const meter = new Meter(0)
  const second = (at: number, frames: number) => {
    for (let frame = 0; frame < frames; frame++) meter.add(interframe(at * 1000 + frame * 40))
    meter.sample((at + 1) * 1000)
  }
  second(0, 25)
  second(1, 25)
  second(2, 25)
  expect(meter.averages()).toBeNull()
  second(3, 25)
  expect(meter.averages()).toMatchObject({ fps: 25, audioKbps: 0, stepMs: 40 })
  // A hold.
  for (let at = 4; at < 10; at++) second(at, 0)
  expect(meter.averages()?.fps).toBe(25)
  for (let at = 10; at < 16; at++) second(at, 20)
  expect(meter.averages()).toMatchObject({ fps: 20, stepMs: 240 })
})

test('measures the stream since the last keyframe before its group ends', () => {
  const meter = new Meter(0)
  expect(meter.keyAgeMs()).toBe(0)
  meter.add(keyframe(1_000))
  meter.add(interframe(6_000))
  expect(meter.keyAgeMs()).toBe(5_000)
})
