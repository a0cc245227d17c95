// Two SRT ends over a line that loses, delays and reorders packets, with a fixed clock and a seeded random generator.
import { expect, test } from 'vitest'
import { SrtConnection } from './connection.ts'
import { controlType, readPacket } from './packets.ts'

/** Seeded random numbers (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Line {
  /** Lost packets, percent. */
  readonly lost: number
  readonly delayMs: number
  readonly jitterMs?: number
  /** Times between which the line drops all packets. */
  readonly cut?: readonly [from: number, to: number]
  readonly latencyMs?: number
  readonly first?: number
  /** The sender has several paths. */
  readonly isBonded?: boolean
  /** Packets every 10 ms, and the duration. */
  readonly packets?: number
  readonly ms?: number
}

function send({
  lost,
  delayMs,
  jitterMs = 0,
  cut = [0, 0],
  latencyMs = 400,
  first = 5,
  isBonded = false,
  packets = 6,
  ms = 5_000,
}: Line) {
  const random = chance(1)
  let now = 1_000
  let onLine: { at: number; packet: Buffer; to: 'sender' | 'receiver' }[] = []
  const put = (to: 'sender' | 'receiver') => (packet: Buffer) => {
    const isCut = now - 1_000 >= cut[0] && now - 1_000 < cut[1]
    if (isCut || random() * 100 < lost) return
    onLine.push({ at: now + delayMs + random() * jitterMs, packet: Buffer.from(packet), to })
  }
  const arrived: number[] = []
  const ended: string[] = []
  let reports = 0
  const common = { peer: 9, first, latencyMs, window: 8192, now: () => now }
  const sender = new SrtConnection({
    ...common,
    mode: 'play',
    out: put('receiver'),
    onPayload: () => undefined,
    onEnd: (why) => ended.push(`sender ${why}`),
  })
  const receiver = new SrtConnection({
    ...common,
    ...(isBonded && { paths: () => [] }),
    mode: 'publish',
    out: put('sender'),
    onPayload: (payload) => arrived.push(payload.readUInt32BE(0)),
    onEnd: (why) => ended.push(`receiver ${why}`),
  })
  let sent = 0
  const run = (until: number, isSending: boolean) => {
    for (; now < until; now++) {
      if (isSending && now % 10 === 0) {
        for (let left = packets; left > 0; left--) {
          const payload = Buffer.alloc(100)
          payload.writeUInt32BE(sent++, 0)
          sender.send(payload)
        }
      }
      for (const { packet, to } of onLine.filter(({ at }) => at <= now)) {
        const read = readPacket(packet)
        if (read?.isControl && read.type === controlType.loss) reports++
        if (read) (to === 'sender' ? sender : receiver).take(read)
      }
      onLine = onLine.filter(({ at }) => at > now)
      if (now % 10 === 5) {
        sender.tick()
        receiver.tick()
      }
    }
  }
  run(1_000 + ms, true)
  run(now + latencyMs + 2_000, false)
  return { sent, arrived, ended, reports, counts: receiver.counts(), sender, receiver, run, now: () => now }
}

const all = (count: number) => Array.from({ length: count }, (_, index) => index)

test('delivers packets in order without loss', () => {
  const { sent, arrived, counts } = send({ lost: 0, delayMs: 20 })
  expect(arrived).toEqual(all(sent))
  expect(counts).toMatchObject({ lost: 0, dropped: 0 })
})

test.each([
  [2, 20],
  [10, 20],
  [20, 40],
])('delivers all packets in order with %i %% loss and a delay of %i ms', (lost, delayMs) => {
  const { sent, arrived, counts } = send({ lost, delayMs, latencyMs: 1_000 })
  expect(arrived).toEqual(all(sent))
  expect(counts.lost).toBeGreaterThan((sent * lost) / 200)
})

test('delivers reordered packets in order', () => {
  const { sent, arrived } = send({ lost: 3, delayMs: 10, jitterMs: 40 })
  expect(arrived).toEqual(all(sent))
})

test('requests no packet that a slower path brings, and lost ones as before', () => {
  const bonded = { delayMs: 10, jitterMs: 100, latencyMs: 2_000, isBonded: true }
  const whole = send({ ...bonded, lost: 0 })
  expect(whole.arrived).toEqual(all(whole.sent))
  expect([whole.reports, whole.counts.lost]).toEqual([0, 0])
  expect(send({ ...bonded, lost: 0, isBonded: false }).reports).toBeGreaterThan(100)
  const { sent, arrived, counts } = send({ ...bonded, lost: 2 })
  expect(arrived).toEqual(all(sent))
  expect(counts.lost).toBeLessThan(sent * 0.05)
})

test('delivers what slower paths bring after the shutdown of a bonded sender', () => {
  const { sent, arrived, ended, sender, run, now } = send({
    lost: 0,
    delayMs: 10,
    jitterMs: 100,
    latencyMs: 2_000,
    isBonded: true,
    ms: 100,
  })
  for (let left = 5; left > 0; left--) sender.send(Buffer.alloc(100))
  sender.end()
  run(now() + 400, false)
  expect(ended).toEqual(['sender closed', 'receiver unpublish'])
  expect(arrived).toHaveLength(sent + 5)
})

test('a sender that finishes leaves the receiver time beyond the latency to show the last packets', () => {
  const { sent, arrived, ended, sender, run, now } = send({ lost: 0, delayMs: 10, latencyMs: 2_000, ms: 100 })
  const finishedAt = now()
  sender.finish()
  run(finishedAt + 2_900, false)
  expect(ended).toEqual([])
  run(finishedAt + 3_100, false)
  expect(ended).toEqual(['sender closed', 'receiver unpublish'])
  expect(arrived).toHaveLength(sent)
})

test('continues after sequence numbers wrap', () => {
  const { sent, arrived } = send({ lost: 5, delayMs: 20, jitterMs: 20, first: 2 ** 31 - 500 })
  expect(arrived).toEqual(all(sent))
})

test('drops late packets and delivers the rest in order and in time', () => {
  const { sent, arrived, counts, ended } = send({ lost: 60, delayMs: 40, latencyMs: 120 })
  expect(arrived).toEqual([...arrived].toSorted((a, b) => a - b))
  expect(new Set(arrived).size).toBe(arrived.length)
  expect(arrived.length).toBeLessThan(sent)
  expect(arrived.length).toBeGreaterThan(sent / 4)
  expect(counts.dropped).toBeGreaterThan(0)
  expect(ended).toEqual([])
})

test('continues after a cut of two seconds; the buffers stay within their limits', () => {
  const { sent, arrived, ended } = send({ lost: 0, delayMs: 20, cut: [1_000, 3_000], ms: 6_000 })
  expect(arrived.at(-1)).toBe(sent - 1)
  expect(arrived.length).toBeGreaterThan(sent / 2)
  expect(ended).toEqual([])
})

test('treats a gap above the window as a jump and keeps the connection', () => {
  const { sent, arrived } = send({ lost: 0, delayMs: 5, cut: [1_000, 4_000], packets: 40, ms: 5_000 })
  expect(arrived.at(-1)).toBe(sent - 1)
  expect(arrived).toEqual([...arrived].toSorted((a, b) => a - b))
})

test('keeps both ends connected while they receive packets, and ends them soon after packets stop', () => {
  const quiet = send({ lost: 0, delayMs: 20, ms: 100 })
  quiet.run(quiet.now() + 30_000, false)
  expect(quiet.ended).toEqual([])
  const cut = send({ lost: 0, delayMs: 20, ms: 100, cut: [3_000, 60_000] })
  cut.run(cut.now() + 9_000, false)
  expect(cut.ended.toSorted()).toEqual(['receiver timeout', 'sender timeout'])
  const goodbye = send({ lost: 0, delayMs: 20, ms: 100 })
  goodbye.sender.end()
  goodbye.run(goodbye.now() + 100, false)
  expect(goodbye.ended).toEqual(['sender closed', 'receiver unpublish'])
})
