import { sendFlv } from '#server/relay/media/flv-sender.ts'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { interframe, keyframe, stream, tiny } from '#server/relay/testing/frames.ts'
import { CountedWrites, writeBytes } from './cost.ts'
import { Hub } from '#server/relay/media/hub.ts'

/** Writable stream that accepts no data until it is released. */
function stalled() {
  const waiting: (() => void)[] = []
  const out = new Writable({ write: (_bytes, _encoding, done) => void waiting.push(done) })
  return {
    out,
    async flow() {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        next()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

test('counts a pending write with its memory cost until it is written', async () => {
  const { out, flow } = stalled()
  const writes = new CountedWrites(out)
  for (let write = 0; write < 100; write++) writes.write(Buffer.alloc(3))
  expect(writes.queued()).toBe(100 * (3 + writeBytes))
  await flow()
  expect(writes.queued()).toBe(0)
})

test('keeps a stalled receiver within its limit, for packets of any size', async () => {
  const hub = new Hub()
  hub.push([keyframe(0)], 0)
  const { out } = stalled()
  const limit = 512 * 1024
  const outlet = sendFlv(hub, out, () => limit)
  for (let at = 1; at < 20_000; at++) {
    hub.push([tiny(at)], at)
    await new Promise((resolve) => process.nextTick(resolve))
  }
  expect(out.writableLength).toBeLessThan(limit / 4)
  expect(outlet.counts.dropped).toBeGreaterThan(10_000)
  outlet.close()
})

test('keeps a usual stream far below the limits', () => {
  const hub = new Hub()
  for (const message of stream(0, 1)) hub.push([message], message.timestamp)
  for (let at = 1000; at < 12_000; at += 16) hub.push([interframe(at, 12_500)], at)
  expect(hub.group().length).toBeGreaterThan(700)
})
