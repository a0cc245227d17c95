import type { Message } from '#server/relay/rtmp/message.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { audio, avcHeader, interframe, keyframe, tiny } from '#server/relay/testing/frames.ts'
import type { Bundle } from './bundle.ts'
import { Hub } from './hub.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const start = 1_000_000
/** Flushes due packets; packets that wait for an expected one stay. */
const breathe = () => new Promise((resolve) => process.nextTick(resolve))
const times = (bundles: readonly Bundle[]) => bundles.map(({ packets }) => packets.map(({ timestamp }) => timestamp))

/** Hub with a video frame every 40 ms and an audio frame every 20 ms, and its output since. */
async function running(...before: Message[]) {
  const hub = new Hub()
  const out: Bundle[] = []
  hub.follow({ takeAll: (bundle) => void out.push(bundle) })
  const push = async (...messages: Message[]) => {
    hub.push(messages, start + (messages[0]?.timestamp ?? 0))
    await breathe()
  }
  for (const message of before) await push(message)
  vi.advanceTimersByTime(100)
  out.length = 0
  return { hub, out, push }
}

test('joins audio just before video with it, in arrival order, for all receivers', async () => {
  const { out, push } = await running(keyframe(0), interframe(40), audio(55))
  await push(audio(75))
  expect(out).toEqual([])
  await push(interframe(80))
  vi.advanceTimersByTime(100)
  expect(times(out)).toEqual([[75, 80]])
  const [bundle] = out
  expect(bundle?.chunks()).toEqual(Buffer.concat(bundle!.packets.map((packet) => packet.chunks())))
  expect(bundle?.chunks()).toBe(bundle?.chunks())
})

test('joins video with the audio just after it', async () => {
  const { out, push } = await running(keyframe(0), audio(25), interframe(40), audio(45))
  await push(audio(65))
  await push(interframe(80))
  expect(times(out)).toEqual([[65]])
  await push(audio(85))
  expect(times(out)).toEqual([[65], [80, 85]])
})

test('flushes packets that arrived together in one bundle immediately', async () => {
  const { out, push } = await running(keyframe(0), interframe(40))
  await push(audio(60), audio(80), interframe(80))
  expect(times(out)).toEqual([[60, 80, 80]])
})

test('lets audio wait longer, all for the same video frame', async () => {
  const hub = new Hub(40)
  const out: Bundle[] = []
  hub.follow({ takeAll: (bundle) => void out.push(bundle) })
  for (const message of [keyframe(0), interframe(40), audio(45), audio(65), interframe(80), audio(101)]) {
    hub.push([message], start + message.timestamp)
    await breathe()
  }
  expect(times(out)).toEqual([[0], [40], [45, 65, 80]])
})

test('flushes when an expected packet does not arrive', async () => {
  const { out, push } = await running(keyframe(0), interframe(40))
  await push(audio(75))
  vi.advanceTimersByTime(5)
  expect(out).toEqual([])
  vi.advanceTimersByTime(1)
  expect(times(out)).toEqual([[75]])
})

test('flushes without delay when no packet is near', async () => {
  const { out, push } = await running()
  for (const at of [0, 20, 40]) await push(audio(at))
  expect(times(out)).toEqual([[0], [20], [40]])
})

test('leaves no state behind when receivers are added and removed', async () => {
  const { hub, out, push } = await running(keyframe(0), interframe(40))
  await push(audio(75))
  const late: Bundle[] = []
  const stop = hub.follow({ takeAll: (bundle) => void late.push(bundle) })
  expect(times(out)).toEqual([[75]])
  hub.push([interframe(80)], start + 80)
  stop()
  await push(audio(100))
  expect(times(out)).toEqual([[75], [80], [100]])
  expect(times(late)).toEqual([[80]])
})

test('limits memory for an encoder that sends tiny frames', async () => {
  const hub = new Hub()
  const bundles: number[] = []
  hub.follow({ takeAll: ({ packets }) => void bundles.push(packets.length) })
  hub.push([avcHeader(), keyframe(0)], start)
  let most = 0
  for (let round = 0; round < 100; round++) {
    hub.push(
      Array.from({ length: 4_000 }, () => tiny(1)),
      start,
    )
    most = Math.max(most, hub.group().length)
  }
  await breathe()
  // 16 MB at 1 KB per packet, and no group until the next keyframe.
  expect(most).toBeGreaterThan(10_000)
  expect(most).toBeLessThanOrEqual(16_384)
  expect(hub.group()).toEqual([])
  expect(Math.max(...bundles)).toBeLessThan(1_100)
  hub.push([keyframe(40)], start)
  expect(hub.group().length).toBe(1)
})
