// SRT caller against libsrt, and against listeners that misbehave.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPrograms } from './programs/programs.ts'
import { freePort } from './testing/free-port.ts'
import { lossyLine } from './testing/lossy-line.ts'
import { folder, hasPrograms } from './testing/programs.ts'
import { until } from './testing/rig.ts'
import { handshakePacket, rawListener, recordSrt } from './testing/srt-receiver.ts'
import { callSrt, type SrtCallEnd, type SrtListenerAddress } from './srt/caller.ts'
import type { SrtConnection } from './srt/connection.ts'
import { createKeys, readKeyMaterial, unwrap } from './srt/encryption.ts'
import { extensionType, writeAbilities } from './srt/extensions.ts'
import { type Handshake, handshakeType, srtMagic } from './srt/handshake.ts'
import { controlType, transportBytes, writeAcknowledgement, writeControl, writeRanges } from './srt/packets.ts'

const dir = folder()
let isHere = false
beforeAll(async () => {
  const programs = openPrograms('ffmpeg')
  isHere = hasPrograms && (await programs.ffmpeg)?.srt === true
  await programs.close()
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const passphrase = 'a-passphrase-of-a-receiver'
const secretOf = (text: string, keyBytes: 16 | 24 | 32 = 16) => createKeys(text, keyBytes)

/** A call, with its connection and its end. */
function call(port: number, change: Partial<SrtListenerAddress> = {}) {
  let connection: SrtConnection | null = null
  const ends: SrtCallEnd[] = []
  const made = callSrt(
    { address: '127.0.0.1', port, streamId: 'secret/stream', latencyMs: 2_000, secret: null, ...change },
    { onOpen: (opened) => void (connection = opened), onEnd: (end) => void ends.push(end) },
  )
  onTestFinished(() => made.close())
  return { made, ends, connection: () => connection, opened: () => until(() => connection) }
}

/** Numbered payloads. */
const payloads = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, number) => {
    const bytes = Buffer.alloc(transportBytes, number & 0xff)
    bytes.writeUInt32BE(number)
    return bytes
  })

/** Sends payloads at some 10 Mbps, waits until the peer has acknowledged all of them, and ends. */
async function sendAll({ opened, made }: ReturnType<typeof call>, all: readonly Buffer[]): Promise<SrtConnection> {
  const connection = await opened()
  for (let at = 0; at < all.length; at += 10) {
    for (const one of all.slice(at, at + 10)) connection.send(one)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(connection.written() + connection.queued()).toBe(all.length * transportBytes)
  made.finish()
  return connection
}

test.each([
  ['plain', 0, null],
  ['encrypted with 128 bits', 0, 16],
  ['encrypted with 192 bits', 0, 24],
  ['encrypted with 256 bits, with 2 % packet loss', 2, 32],
  ['plain, with 2 % packet loss', 2, null],
] as const)('libsrt receives every byte: %s', async (name, lossy, keyBytes) => {
  if (!isHere) return
  const file = join(dir, `${name.replaceAll(/\W/g, '')}.bin`)
  const secret = keyBytes && (await secretOf(passphrase, keyBytes))
  const { one, receiver, line } = await reach(file, lossy, secret)
  const all = payloads(2_000)
  await sendAll(one, all)
  await until(() => receiver.size() === all.length * transportBytes)
  expect(readFileSync(file).equals(Buffer.concat(all))).toBe(true)
  expect(line.counts().lost > 10).toBe(lossy > 0)
})

/**
 * Starts a receiver that listens, and calls it. It takes one caller: when that has given up before the answer of a receiver that
 * hardly runs, another receiver is called.
 */
async function reach(file: string, lossy: number, secret: SrtListenerAddress['secret']) {
  for (;;) {
    const port = await freePort()
    const receiver = recordSrt(port, file, secret ? `passphrase=${passphrase}` : '')
    onTestFinished(() => receiver.stop('SIGKILL'))
    const line = await lossyLine(port, lossy)
    onTestFinished(() => line.close())
    await until(receiver.isListening)
    const one = call(line.port, { secret })
    await until(() => one.connection() ?? one.ends[0])
    if (one.connection()) return { one, receiver, line }
    await receiver.stop('SIGKILL')
  }
}

test('libsrt refuses another passphrase with its code', async () => {
  if (!isHere) return
  const port = await freePort()
  const receiver = recordSrt(port, join(dir, 'wrong.bin'), `passphrase=${passphrase}`)
  onTestFinished(() => receiver.stop('SIGKILL'))
  const secret = await secretOf('another-passphrase')
  const refused = async (change: Partial<SrtListenerAddress>): Promise<SrtCallEnd | undefined> => {
    for (;;) {
      const one = call(port, change)
      await until(() => one.ends.length > 0)
      if (one.ends[0]?.how === 'refused') return one.ends[0]
    }
  }
  expect(await refused({ secret })).toEqual({ how: 'refused', code: 1010 })
  expect(await refused({ secret: null })).toEqual({ how: 'refused', code: 1011 })
})

test('wraps a key that the passphrase unwraps, and no other one', async () => {
  const { material, keys } = await secretOf(passphrase, 24)
  const read = readKeyMaterial(material)
  expect(read).toMatchObject({ bits: 192, parities: ['even'] })
  if (!read) throw new Error('Not read')
  const unwrapped = await unwrap(read, passphrase)
  const text = Buffer.from('some media')
  expect(unwrapped?.decrypt(keys.encrypt(text, 77), 77, 'even')).toEqual(text)
  expect(await unwrap(read, 'another-passphrase')).toBeNull()
})

// Listeners that misbehave: the process goes on, and the call ends or ignores them.

const induced = (received: Handshake): Handshake => ({
  ...received,
  version: 5,
  extension: srtMagic,
  cookie: 1234,
  extensions: [],
})
const abilities = (flags = 0x3f) => ({
  type: extensionType.handshakeResponse,
  content: writeAbilities({ version: 0x01_05_01, flags, receiveMs: 500, sendMs: 0 }),
})
const welcome = (received: Handshake, change: Partial<Handshake> = {}): Handshake => ({
  ...received,
  socket: 99,
  extensions: [abilities()],
  ...change,
})

/** Listener that responds with a conclusion made by a test. */
const listener = async (conclude: (received: Handshake) => Handshake | Buffer | null) => {
  const made = await rawListener((received) =>
    received.type === handshakeType.induction ? induced(received) : conclude(received),
  )
  onTestFinished(() => made.close())
  return made
}

test('repeats the cookie of the listener, and requests its stream id and latency', async () => {
  const made = await listener((received) => welcome(received))
  const one = call(made.port)
  await one.opened()
  const said = made.handshakes.find(({ type }) => type === handshakeType.conclusion)
  expect(said).toMatchObject({ version: 5, cookie: 1234, extension: 5, encryption: 0 })
  expect(made.handshakes[0]).toMatchObject({ version: 4, extension: 2, cookie: 0, sequence: said?.sequence })
})

test.each([
  ['a listener of SRT 1.2', (received: Handshake) => ({ ...received, version: 4, extension: 2 })],
  ['no SRT', (received: Handshake) => ({ ...received, version: 5, extension: 0 })],
] as const)('ends with %s', async (_, answer) => {
  const made = await rawListener(answer)
  onTestFinished(() => made.close())
  const one = call(made.port)
  await until(() => one.ends.length > 0)
  expect(one.ends).toEqual([{ how: 'foreign' }])
})

test.each<[string, (received: Handshake) => Handshake]>([
  ['no abilities', (received) => welcome(received, { extensions: [] })],
  ['truncated abilities', (received) => welcome(received, { extensions: [{ type: 2, content: Buffer.alloc(4) }] })],
  ['the mode for files', (received) => welcome(received, { extensions: [abilities(0x40)] })],
  ['no socket', (received) => welcome(received, { socket: 0 })],
  ['an older version', (received) => welcome(received, { version: 4 })],
])('ends with a welcome with %s', async (_, conclude) => {
  const made = await listener(conclude)
  const one = call(made.port)
  await until(() => one.ends.length > 0)
  expect(one.ends).toEqual([{ how: 'foreign' }])
})

test('counts a key that the listener did not take as a wrong passphrase', async () => {
  const made = await listener((received) => {
    const state = { type: extensionType.keyResponse, content: Buffer.from([0, 0, 0, 4]) }
    return welcome(received, { extensions: [abilities(), state] })
  })
  const one = call(made.port, { secret: await secretOf(passphrase) })
  await until(() => one.ends.length > 0)
  expect(one.ends).toEqual([{ how: 'refused', code: 1010 }])
})

test('ends without an answer, and after an induction alone', async () => {
  const silent = await rawListener(() => null)
  onTestFinished(() => silent.close())
  const half = await listener(() => null)
  const calls = [call(silent.port), call(half.port)]
  await until(() => calls.every(({ ends }) => ends.length > 0))
  expect(calls.map(({ ends }) => ends)).toEqual([[{ how: 'silent' }], [{ how: 'silent' }]])
  expect(half.handshakes.length).toBeGreaterThan(5)
})

test('ends when the port is closed', async () => {
  const one = call(await freePort())
  await until(() => one.ends.length > 0)
  expect(one.ends).toMatchObject([{ how: 'network', error: { code: 'ECONNREFUSED' } }])
})

test('ignores what is not for it: broken packets, other sockets, oversized extensions', async () => {
  let isReady = false
  const made = await listener((received) => {
    if (isReady) return welcome(received)
    const truncated = handshakePacket(welcome(received), received.socket).subarray(0, 70)
    const oversized = Buffer.from(handshakePacket(welcome(received), received.socket))
    // Length of the first extension, in words.
    oversized.writeUInt16BE(0xffff, 16 + 48 + 2)
    const elsewhere = handshakePacket(welcome(received), received.socket + 1)
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.alloc(15, 0xff),
      Buffer.alloc(1400, 0x80),
      truncated,
      oversized,
      elsewhere,
    ])
      made.send(bytes)
    return null
  })
  const one = call(made.port)
  await until(() => made.handshakes.length > 3)
  expect([one.connection(), one.ends]).toEqual([null, []])
  isReady = true
  await one.opened()
  expect(one.ends).toEqual([])
})

test('survives answers with changed bytes', async () => {
  let state = 7
  const random = (most: number) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8) % most
  const mutated = (packet: Buffer) => {
    const bytes = Buffer.from(packet)
    // The socket number stays, so that the answer is read.
    for (let left = random(6); left >= 0; left--) {
      const at = random(bytes.length)
      if (at < 12 || at > 15) bytes[at] = random(256)
    }
    return random(4) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
  }
  const made = await rawListener((received) => {
    const isFirst = received.type === handshakeType.induction
    const packet = handshakePacket(isFirst ? induced(received) : welcome(received), received.socket)
    for (let left = 20; left > 0; left--) made.send(mutated(packet))
    return packet
  })
  onTestFinished(() => made.close())
  const secret = await secretOf(passphrase)
  const calls = Array.from({ length: 100 }, (_, number) => call(made.port, { secret: number % 2 ? secret : null }))
  await until(() => calls.every(({ ends, connection }) => ends.length === 1 || connection() !== null))
  expect(calls.every(({ ends }) => ends.length <= 1)).toBe(true)
})

test('survives floods of forged control packets, and ends when nothing is acknowledged', async () => {
  const made = await listener((received) => welcome(received))
  const one = call(made.port)
  const connection = await one.opened()
  const { sequence = 0, socket = 0 } = made.handshakes[0] ?? {}
  const control = (type: number, body: Buffer, info = 0) =>
    made.send(writeControl(type, { timestamp: 0, destination: socket, info, body }))
  const far = { rtt: 0, rttVariance: 0, room: 0, packetRate: 0, byteRate: 0 }
  const everything = writeRanges(Array.from({ length: 180 }, () => [sequence, (sequence + 2 ** 29) % 2 ** 31] as const))
  for (const payload of payloads(500)) connection.send(payload)
  for (let round = 0; round < 200; round++) {
    control(controlType.loss, everything)
    control(controlType.acknowledgement, writeAcknowledgement({ ...far, next: (sequence + 2 ** 30) % 2 ** 31 }), round)
    control(controlType.acknowledgement, Buffer.alloc(3))
    control(controlType.extension, Buffer.alloc(1400, 0xff))
    control(controlType.drop, Buffer.alloc(8, 0x7f))
    control(controlType.handshake, Buffer.alloc(48, 0xff))
    control(0x7ffe, Buffer.alloc(100))
    if (round % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await until(() => one.ends.length > 0)
  expect(one.ends).toEqual([{ how: 'timeout' }])
  expect(connection.acknowledged()).toBe(0)
})

test('ends with the shutdown of the listener', async () => {
  const made = await listener((received) => welcome(received))
  const one = call(made.port)
  await one.opened()
  made.send(writeControl(controlType.shutdown, { timestamp: 0, destination: made.handshakes[0]?.socket ?? 0 }))
  await until(() => one.ends.length > 0)
  expect(one.ends).toEqual([{ how: 'unpublish' }])
})

test('calls no handler after it is closed', async () => {
  const made = await listener((received) => welcome(received))
  const [early, late] = [call(made.port), call(made.port)]
  early.made.close()
  await late.opened()
  late.made.close()
  late.made.close()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([early.connection(), early.ends, late.ends]).toEqual([null, [], []])
})
