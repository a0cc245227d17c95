// Fuzzed SRT datagrams: the relay does not throw and keeps no state for them.
import { refusal } from '#server/relay/ingest/refusal.ts'
import { expect, test } from 'vitest'
import { createCallers, type Peer } from './callers.ts'
import { writeAbilities, writeText } from './extensions.ts'
import { handshakeType, readHandshake, writeHandshake } from './handshake.ts'
import {
  controlType,
  headerBytes,
  readPacket,
  writeAcknowledgement,
  writeControl,
  writeData,
  writeDrop,
  writeRanges,
} from './packets.ts'

const from = { address: '192.0.2.1', port: 9000 }
const keyOf = async () => 'the-key-of-project-7'
const options = { keyOf, latencyMs: 120, pendingMax: 20 }
const guest = { begin: () => undefined, take: () => undefined, ended: () => undefined }

/** Handshake of a caller in the form that libsrt sends. */
function hello(changes: Partial<Parameters<typeof writeHandshake>[0]> = {}): Buffer {
  const body = writeHandshake({
    version: 4,
    encryption: 0,
    extension: 2,
    sequence: 1000,
    mtu: 1500,
    window: 8192,
    type: handshakeType.induction,
    socket: 42,
    cookie: 0,
    extensions: [],
    ...changes,
  })
  return writeControl(controlType.handshake, { timestamp: 0, destination: 0, body })
}

const abilities = { type: 1, content: writeAbilities({ version: 0x010501, flags: 0xbf, receiveMs: 120, sendMs: 120 }) }
const forKey = (key: string) => ({ type: 5, content: writeText(key) })
const conclusion = (cookie: number, key = 'key', changes = {}) =>
  hello({
    version: 5,
    extension: 5,
    type: handshakeType.conclusion,
    cookie,
    extensions: [abilities, forKey(key)],
    ...changes,
  })

/** Port without a socket that records sent datagrams. */
function port(admit = async () => guest as Awaited<ReturnType<Parameters<typeof createCallers>[1]['admit']>>) {
  const sent: Buffer[] = []
  const callers = createCallers((packet) => void sent.push(packet), { ...options, admit })
  const answer = () => {
    const packet = readPacket(sent.at(-1) ?? Buffer.alloc(0))
    return packet?.isControl ? readHandshake(packet.body) : null
  }
  const cookieOf = (who: Peer = from) => {
    callers.take(hello(), who)
    return answer()?.cookie ?? 0
  }
  return { callers, sent, answer, cookieOf }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('keeps no state before the caller returns its cookie, and sends no response longer than the request', async () => {
  const { callers, sent, cookieOf } = port()
  for (let at = 0; at < 1000; at++) callers.take(hello(), { address: `192.0.2.${at % 250}`, port: at })
  expect(callers.sizes()).toEqual({ connections: 0, pending: 0 })
  expect(sent.every((packet) => packet.length <= hello().length)).toBe(true)
  const before = sent.length
  const cookie = cookieOf({ address: '192.0.2.9', port: 1 })
  callers.take(conclusion(cookie), from)
  callers.take(conclusion(0), from)
  expect(sent).toHaveLength(before + 1)
  expect(callers.sizes()).toEqual({ connections: 0, pending: 0 })
  callers.take(conclusion(cookieOf()), from)
  await settled()
  expect(callers.sizes()).toEqual({ connections: 1, pending: 0 })
  callers.close()
})

test('sends the same response to a repeated handshake and admits the caller only once', async () => {
  let decisions = 0
  const { callers, sent, answer, cookieOf } = port(async () => (decisions++, guest))
  const asks = conclusion(cookieOf())
  for (let left = 3; left > 0; left--) callers.take(asks, from)
  await settled()
  callers.take(asks, from)
  expect([decisions, callers.sizes().connections]).toEqual([1, 1])
  expect(sent.at(-1)).toEqual(sent.at(-2))
  expect(answer()).toMatchObject({ version: 5, type: handshakeType.conclusion, sequence: 1000 })
  callers.close()
})

test.each([
  ['another version', { version: 4 }, refusal.version],
  ['no abilities', { extensions: [forKey('key')] }, refusal.rogue],
  ['no stream id', { extensions: [abilities] }, refusal.badRequest],
  ['a number without encryption', { extensions: [abilities, forKey('project/7')] }, refusal.unsecure],
  ['a key in the clear and encryption', { encryption: 2 }, refusal.unsecure],
  [
    'file transfer',
    { extensions: [abilities, forKey('key'), { type: 6, content: writeText('file') }] },
    refusal.congestion,
  ],
])('refuses a caller with %s and sends the code', async (_, changes, why) => {
  const { callers, answer, cookieOf } = port()
  callers.take(conclusion(cookieOf(), 'key', changes), from)
  await settled()
  expect(answer()?.type).toBe(1000 + why)
  expect(callers.sizes()).toEqual({ connections: 0, pending: 0 })
})

test('frees the place of a refused caller and limits callers of one address', async () => {
  const refusing = port(async () => ({ refuse: refusal.forbidden }))
  refusing.callers.take(conclusion(refusing.cookieOf()), from)
  await settled()
  expect(refusing.answer()?.type).toBe(2403)
  const slow = port(() => new Promise(() => undefined))
  for (let number = 0; number < 30; number++) {
    const who = { ...from, port: 9000 + number }
    slow.callers.take(conclusion(slow.cookieOf(who)), who)
  }
  expect(slow.callers.sizes()).toEqual({ connections: 0, pending: 20 })
  expect(slow.answer()?.type).toBe(1000 + refusal.overload)
})

test('survives datagrams that were changed anywhere', async () => {
  let isTaken = false
  // The key is in use from now on.
  const admit = async () => (isTaken ? { refuse: refusal.conflict } : ((isTaken = true), guest))
  const { callers, sent, answer, cookieOf } = port(admit)
  const cookie = cookieOf()
  callers.take(conclusion(cookie), from)
  await settled()
  const destination = answer()?.socket ?? 0
  const about = { timestamp: 5, destination }
  const control = (type: number, body: Buffer) => writeControl(type, { ...about, info: 1, body })
  const someAck = { next: 1001, rtt: 1, rttVariance: 1, room: 1, packetRate: 1, byteRate: 1 }
  const originals = [
    hello(),
    conclusion(cookie),
    writeData({ ...about, sequence: 1001, message: 1, key: null, payload: Buffer.alloc(1316, 0x47) }),
    control(controlType.acknowledgement, writeAcknowledgement(someAck)),
    control(controlType.loss, writeRanges([[1000, 2000]])),
    control(controlType.drop, writeDrop([1000, 1500])),
    control(controlType.acknowledged, Buffer.alloc(0)),
    control(controlType.extension, Buffer.alloc(12)),
  ]
  let state = 7
  const random = (below: number) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8) % below
  const memory = process.memoryUsage()
  for (let round = 0; round < 60_000; round++) {
    const bytes = Buffer.from(originals[round % originals.length] ?? Buffer.alloc(0))
    for (let left = random(4); left >= 0; left--) bytes[random(bytes.length)] = random(256)
    // Most datagrams are addressed to the open connection.
    if (random(4) > 0 && bytes.length >= headerBytes) bytes.writeUInt32BE(destination, 12)
    callers.take(bytes.subarray(0, random(8) === 0 ? random(bytes.length + 1) : bytes.length), from)
    sent.length = 0
    if (round % 5_000 === 0) await settled()
  }
  await settled()
  const now = process.memoryUsage()
  expect(now.arrayBuffers + now.heapUsed - memory.arrayBuffers - memory.heapUsed).toBeLessThan(100 * 1024 * 1024)
  expect(callers.sizes().connections).toBeLessThanOrEqual(1)
  callers.close()
})
