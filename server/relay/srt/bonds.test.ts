// Bonded encoders on the SRT port: registration, limits, and forged datagrams.
import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { type BondOptions, createBonds } from './bonds.ts'
import type { Flow, Peer } from './callers.ts'
import { controlType, writeControl, writeData } from './packets.ts'

const [create, join, keepalive] = [0x9200, 0x9201, 0x9000]
const words = (...types: number[]) => Buffer.from(types.flatMap((type) => [type >> 8, type & 0xff]))
const typed = (type: number, id: Buffer) => Buffer.concat([words(type), id])
const peer = (number: number, from = 5000): Peer => ({ address: `198.51.${number >> 8}.${number & 255}`, port: from })

/** Bonds of a port with a clock set by hand. `sent`: datagrams to addresses, `taken`: those that the callers received. */
function port(more: Partial<BondOptions> = {}) {
  let now = 100_000
  const sent: { readonly packet: Buffer; readonly to: Peer }[] = []
  const taken: { readonly bytes: Buffer; readonly from: Peer }[] = []
  const received = { bytes: 0 }
  const bonds = createBonds({
    take: (bytes, from) => void taken.push({ bytes, from }),
    send: (packet, to) => void sent.push({ packet, to }),
    now: () => now,
    ...more,
  })
  const take = (bytes: Buffer, from: Peer) => {
    received.bytes += bytes.length
    bonds.take(bytes, from)
  }
  /** Sends a datagram. @returns the datagrams that it caused */
  const ask = (bytes: Buffer, from: Peer) => {
    const before = sent.length
    take(bytes, from)
    return sent.slice(before).map(({ packet }) => packet)
  }
  const pass = (ms: number) => {
    now += ms
    vi.advanceTimersByTime(Math.max(ms, 1_000))
  }
  /** Registers a bond of one path. @returns its id */
  const register = (from: Peer) => {
    const [answer = Buffer.alloc(0)] = ask(typed(create, randomBytes(256)), from)
    const id = answer.subarray(2)
    return { id, answers: ask(typed(join, id), from) }
  }
  const data = (sequence: number) =>
    writeData({ sequence, message: 1, key: null, timestamp: 0, destination: 1, payload: Buffer.alloc(100) })
  return { bonds, sent, taken, received, take, ask, pass, register, data }
}

vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })

test('joins several paths into one peer above all ports, and answers keepalives', () => {
  const { bonds, taken, ask, take, register, data } = port()
  const { id, answers } = register(peer(1))
  expect(answers).toEqual([words(0x9202)])
  expect(ask(typed(join, id), peer(2))).toEqual([words(0x9202)])
  expect(ask(typed(join, id), peer(2))).toEqual([words(0x9202)])
  expect(bonds.sizes()).toEqual({ bonds: 1, paths: 2 })
  expect(ask(words(keepalive, 7), peer(2))).toEqual([words(keepalive, 7)])
  take(data(5), peer(1))
  take(data(6), peer(2))
  const [first, second] = taken
  expect(first?.from).toEqual(second?.from)
  expect(first?.from.port).toBeGreaterThan(65_535)
  expect(first?.from.address).toBe(peer(1).address)
})

test('drops datagrams from port 0, which a forged sender has', () => {
  const { bonds, sent, taken, take, register, data } = port()
  const { id } = register(peer(1))
  const before = sent.length
  for (const bytes of [typed(create, randomBytes(256)), typed(join, id), typed(join, randomBytes(256)), data(1)])
    take(bytes, peer(2, 0))
  expect([sent.length, taken, bonds.sizes()]).toEqual([before, [], { bonds: 1, paths: 1 }])
})

test('names ten packets of a path on this path, sends acknowledgements of SRT by all paths and the rest by the last one', () => {
  const { bonds, sent, taken, take, register, data, ask } = port()
  const { id } = register(peer(1))
  ask(typed(join, id), peer(2))
  for (let at = 0; at < 20; at++) take(data(at), peer(1 + (at % 2)))
  const named = sent.slice(-2).map(({ packet }) => packet)
  expect(named.map((packet) => packet.readUInt32BE(0))).toEqual([0x91000000, 0x91000000])
  expect(Array.from({ length: 10 }, (_, at) => named[1]?.readUInt32BE(4 + 4 * at))).toEqual([
    1, 3, 5, 7, 9, 11, 13, 15, 17, 19,
  ])
  const to = taken[0]!.from
  const paths = (type: number) => {
    const before = sent.length
    bonds.send(writeControl(type, { timestamp: 0, destination: 1 }), to)
    return sent.slice(before).map((one) => one.to.address)
  }
  expect(paths(controlType.acknowledgement)).toEqual([peer(1).address, peer(2).address])
  expect(paths(controlType.loss)).toEqual([peer(2).address])
  expect(bonds.flowTo(to)?.paths?.()).toEqual([
    { packets: 10, rate: 0 },
    { packets: 10, rate: 0 },
  ])
})

test('keeps no state before the id returns, and accepts no id of its own making or of a minute ago', () => {
  const { bonds, ask, pass } = port()
  const answers = Array.from({ length: 1_000 }, (_, at) => ask(typed(create, randomBytes(256)), peer(at))[0]!)
  expect(answers.every(({ length }) => length === 258)).toBe(true)
  expect(ask(typed(join, randomBytes(256)), peer(1))).toEqual([words(0x9211)])
  pass(60_000)
  expect(ask(typed(join, answers[0]!.subarray(2)), peer(1))).toEqual([words(0x9211)])
  expect(bonds.sizes()).toEqual({ bonds: 0, paths: 0 })
})

test('limits bonds of a network and of the port, and paths of a bond', () => {
  const { bonds, ask, register } = port()
  const failed = [words(0x9210)]
  const own = Array.from({ length: 21 }, (_, at) => register(peer(1, 1_000 + at)))
  expect(own.filter(({ answers }) => answers[0]?.equals(words(0x9202)))).toHaveLength(20)
  expect(own.at(-1)?.answers).toEqual(failed)
  for (let at = 2; at < 300; at++) register(peer(at))
  expect(bonds.sizes().bonds).toBe(200)
  const joined = Array.from({ length: 16 }, (_, at) => ask(typed(join, own[0]!.id), peer(900 + at))[0])
  expect(joined.filter((packet) => packet?.equals(words(0x9202)))).toHaveLength(15)
  expect(joined.at(-1)).toEqual(failed[0])
})

test('takes no path from a bond that uses it; a silent one may join another', () => {
  const { bonds, ask, pass, register } = port()
  register(peer(1))
  const { id } = register(peer(2))
  expect(ask(typed(join, id), peer(1))).toEqual([words(0x9210)])
  pass(4_000)
  expect(ask(typed(join, id), peer(1))).toEqual([words(0x9202)])
  expect(bonds.sizes()).toEqual({ bonds: 2, paths: 2 })
})

test('removes a silent path, and a bond without a caller', () => {
  const { bonds, taken, ask, take, pass, register, data } = port()
  const { id } = register(peer(1))
  ask(typed(join, id), peer(2))
  take(data(1), peer(1))
  const flow = bonds.flowTo(taken[0]!.from)
  for (let at = 0; at < 4; at++) {
    pass(4_000)
    take(data(2 + at), peer(1))
  }
  expect(bonds.sizes()).toEqual({ bonds: 1, paths: 1 })
  expect(flow?.paths?.()).toEqual([{ packets: 5, rate: expect.closeTo(0.135, 2) }])
  flow?.close()
  pass(9_000)
  expect(bonds.sizes().bonds).toBe(1)
  pass(1_000)
  expect(bonds.sizes()).toEqual({ bonds: 0, paths: 0 })
  // A caller may be admitted after that.
  expect(() => bonds.flowTo(taken[0]!.from)).toThrow('ended')
})

test('sends no path more bytes than it has received, whatever the callers send', () => {
  const { bonds, sent, taken, received, take, ask, register, data } = port()
  const { id } = register(peer(1))
  // A forged registration names a victim as a path.
  ask(typed(join, id), peer(2))
  take(data(1), peer(1))
  for (let at = 0; at < 1_000; at++)
    bonds.send(writeControl(controlType.acknowledgement, { timestamp: 0, destination: 1 }), taken[0]!.from)
  const toVictim = sent.filter(({ to }) => to.address === peer(2).address)
  expect(toVictim.reduce((sum, { packet }) => sum + packet.length, 0)).toBeLessThanOrEqual(258)
  expect(sent.reduce((sum, { packet }) => sum + packet.length, 0)).toBeLessThanOrEqual(received.bytes)
})

test('random datagrams throw nothing, and pass to the callers only what is not of a bond', () => {
  const { bonds, taken, take, received, sent } = port()
  for (let at = 0; at < 20_000; at++) {
    const bytes = randomBytes(at % 300)
    if (at % 2 === 0 && bytes.length > 1) bytes.writeUInt16BE(0x9000 + (bytes[1] ?? 0) * (at % 8), 0)
    take(bytes, peer(at % 500))
  }
  expect(bonds.sizes()).toEqual({ bonds: 0, paths: 0 })
  expect(taken.every(({ bytes }) => bytes.length < 2 || (bytes[0] ?? 0) >> 4 !== 9)).toBe(true)
  expect(sent.reduce((sum, { packet }) => sum + packet.length, 0)).toBeLessThanOrEqual(received.bytes)
})

test('on a shared port a path joins when its socket is open, and not when none is free', async () => {
  const closed: Peer[] = []
  const flows: Peer[] = []
  const { bonds, sent, register } = port({
    openFlow: async (to): Promise<Flow> => {
      if (to.port === 1) throw new Error('No socket')
      return { send: () => void flows.push(to), close: () => void closed.push(to) }
    },
  })
  expect(register(peer(1)).answers).toEqual([])
  expect(register(peer(2, 1)).answers).toEqual([])
  await Promise.resolve()
  await Promise.resolve()
  expect(flows).toEqual([peer(1)])
  expect(sent.at(-1)).toEqual({ packet: words(0x9210), to: peer(2, 1) })
  expect(bonds.sizes().paths).toBe(1)
  bonds.close()
  expect(closed).toEqual([peer(1)])
})
