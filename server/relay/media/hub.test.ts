import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { audio, interframe, keyframe } from '#server/relay/testing/frames.ts'
import { Hub } from './hub.ts'
import type { Packet } from './packet.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A hub with a picture each 40 ms so far, and what came out: packets, and `flush`. */
function running() {
  const hub = new Hub()
  const out: (Packet | 'flush')[] = []
  hub.attach({ take: (packet) => void out.push(packet), flush: () => void out.push('flush') })
  hub.push([keyframe(0)], 1_000)
  hub.push([interframe(40)], 1_040)
  out.length = 0
  return { hub, out }
}

test('a sound just before a picture may go out with it, in the order in which they came', () => {
  const { hub, out } = running()
  hub.push([audio(60)], 1_060)
  hub.push([audio(75)], 1_075)
  hub.push([interframe(80)], 1_080)
  vi.advanceTimersByTime(100)
  expect(out.map((one) => one === 'flush' || one.waits)).toEqual([false, true, false])
  const [, sound, picture] = out as Packet[]
  const together = picture!.chunksAfter(sound!)
  expect(together).toEqual(Buffer.concat([sound!.chunks(), picture!.chunks()]))
  expect(picture!.chunksAfter(sound!)).toBe(together)
})

test('when the picture does not come, the sound waits no longer', () => {
  const { hub, out } = running()
  hub.push([audio(75)], 1_075)
  vi.advanceTimersByTime(6)
  expect(out).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(out[1]).toBe('flush')
})

test('where there is no picture, nothing waits', () => {
  const hub = new Hub()
  const waits: boolean[] = []
  hub.attach({ take: (packet) => void waits.push(packet.waits) })
  for (const at of [0, 20, 40]) hub.push([audio(at)], 1_000 + at)
  expect(waits).toEqual([false, false, false])
})
