import { DelayLine } from './delay-line.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { avcHeader, interframe, keyframe, stream, tiny } from '#server/relay/testing/frames.ts'
import { Hub } from './hub.ts'
import type { Packet } from './packet.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

const got = (hub: Hub): Packet[] => {
  const packets: Packet[] = []
  hub.attach({ take: (packet) => void packets.push(packet) })
  return packets
}

/** File operations take real time. */
const breathe = () => new Promise<void>((resolve) => setTimeout(resolve, 2))

/** Sends a stream by the clock, in steps of one second. */
async function play(source: Hub, fromMs: number, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    const at = fromMs + second * 1000
    for (const message of stream(at, 1)) source.push([message], Date.now())
    vi.advanceTimersByTime(1000)
    await breathe()
  }
}

test('replays each delay independently from one buffer', async () => {
  const source = new Hub()
  const line = new DelayLine(source)
  const [two, five] = [got(line.behind(2_000)), got(line.behind(5_000))]
  await play(source, 0, 4)
  // Those of the seconds 0, 1 and 2, which have arrived by then.
  expect(two.length).toBe(150)
  expect(five.length).toBe(0)
  expect(line.left()).toBe(4_000)
  vi.advanceTimersByTime(5_000)
  expect([two.length, five.length]).toEqual([200, 200])
  expect(two.map(({ timestamp }) => timestamp)).toEqual([...stream(0, 4)].map(({ timestamp }) => timestamp))
  expect(line.left()).toBe(0)
  line.close()
})

test('moves segments above the memory limit to files and replays them unchanged', async () => {
  const source = new Hub()
  const line = new DelayLine(source, { memoryBytes: 200_000 })
  const late = got(line.behind(60_000))
  await play(source, 0, 50)
  for (; line.bytes() >= 2_000_000; await breathe()) vi.advanceTimersByTime(20)
  expect(late.length).toBe(0)
  // Waits for the disk.
  for (; late.length < 2500; await breathe()) vi.advanceTimersByTime(1000)
  const sent = [...stream(0, 50)]
  expect(late.every(({ payload }, index) => payload.equals(sent[index]?.payload ?? Buffer.alloc(0)))).toBe(true)
  line.close()
})

test('limits memory for an encoder that sends tiny frames, and continues at a keyframe', async () => {
  const source = new Hub()
  const line = new DelayLine(source)
  const late = got(line.behind(2_000))
  source.push([avcHeader(), keyframe(0)], Date.now())
  let most = 0
  for (let round = 0; round < 100; round++) {
    source.push(
      Array.from({ length: 4_000 }, () => tiny(1)),
      Date.now(),
    )
    most = Math.max(most, line.bytes())
  }
  // 400,000 packets of 0.6 KB and more.
  expect(most).toBeGreaterThan(100 * 1024 * 1024)
  expect(most).toBeLessThan(200 * 1024 * 1024)
  vi.advanceTimersByTime(10_000)
  const before = late.length
  source.push([interframe(40), keyframe(80)], Date.now())
  vi.advanceTimersByTime(10_000)
  expect(late.slice(before).map(({ timestamp }) => timestamp)).toEqual([80])
  line.close()
})
