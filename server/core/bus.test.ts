// The bus over all its transports: two replicas of one installation.
import { afterEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/db/open.ts'
import { emptyDatabaseUrl } from '#server/testing/databases.ts'
import { eventually } from '#server/testing/eventually.ts'
import { hasNats, natsServer } from '#server/testing/nats.ts'
import { testApp } from '#server/testing/test-app.ts'
import { type Bus, BusOverloadError, createBus, createNotifyTransport, type Transport } from './bus.ts'
import { createNatsTransport } from './bus-nats.ts'

const closings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

interface Replica {
  readonly bus: Bus
  readonly got: unknown[]
  readonly states: boolean[]
  readonly faults: unknown[]
}

function replica(transport: Transport | null): Replica {
  const faults: unknown[] = []
  const bus = createBus(transport, (error) => faults.push(error))
  const [got, states]: [unknown[], boolean[]] = [[], []]
  bus.subscribe('topic', (message) => void got.push(message))
  bus.onConnection((isUp) => states.push(isUp))
  closings.push(() => bus.close())
  return { bus, got, states, faults }
}

async function opened(transports: readonly (Transport | null)[], open: () => void): Promise<Replica[]> {
  const replicas = transports.map(replica)
  open()
  for (const { bus } of replicas) bus.open()
  await eventually(() => replicas.every(({ bus }) => bus.state().isUp))
  return replicas
}

async function overNotify(): Promise<Replica[]> {
  const { url, drop } = await emptyDatabaseUrl()
  closings.push(drop)
  const databases: Database[] = [await openDatabase({ url }), await openDatabase({ url })]
  for (const { signals, close } of databases)
    closings.push(async () => {
      await signals.close()
      await close()
    })
  return opened(
    databases.map(({ line }) => (line ? createNotifyTransport(line) : null)),
    () => databases.forEach(({ signals }) => signals.open(() => undefined)),
  )
}

async function overNats(): Promise<Replica[]> {
  const { url, kill } = await natsServer()
  closings.push(kill)
  return opened([createNatsTransport(url, 'test'), createNatsTransport(url, 'test')], () => undefined)
}

test('in process, delivers to all listeners immediately', () => {
  const { bus, got } = replica(null)
  bus.publish('topic', 1)
  expect([got, bus.state().kind]).toEqual([[1], 'memory'])
})

const transports = [
  ['notify', Boolean(process.env['DATABASE_URL']), overNotify],
  ['nats', hasNats, overNats],
] as const

for (const [kind, isHere, start] of transports)
  describe.skipIf(!isHere)(`over ${kind}`, () => {
    test('delivers to all replicas, in the order of the publisher', async () => {
      const [one, other] = (await start()) as [Replica, Replica]
      expect(one.bus.state()).toMatchObject({ kind, isUp: true, lost: 0 })
      const numbers = Array.from({ length: 500 }, (_, index) => index)
      for (const n of numbers) one.bus.publish('topic', n)
      one.bus.publish('other', 'is not of this topic')
      await eventually(() => one.got.length === 500 && other.got.length === 500)
      expect([one.got, other.got]).toEqual([numbers, numbers])
    })

    test('delivers messages above the limits of the transport, between small ones', async () => {
      const [one, other] = (await start()) as [Replica, Replica]
      const long = { text: '\uFDFAя😀"\\'.repeat(250_000) }
      for (const message of [1, long, 2]) one.bus.publish('topic', message)
      await eventually(() => other.got.length === 3)
      expect(other.got[1]).toEqual(long)
      expect([other.got[0], other.got[2]]).toEqual([1, 2])
    })

    test('a listener that throws does not keep others from the message', async () => {
      const [one, other] = (await start()) as [Replica, Replica]
      other.bus.subscribe('topic', () => {
        throw new Error('broken listener')
      })
      const after: unknown[] = []
      other.bus.subscribe('topic', (message) => void after.push(message))
      one.bus.publish('topic', 1)
      await eventually(() => after.length === 1)
      expect(other.faults).toMatchObject([{ message: 'broken listener' }])
    })

    test('announces lost messages to all replicas, which read everything anew', async () => {
      const [one, other] = (await start()) as [Replica, Replica]
      const before = other.states.length
      const count = 7_000
      for (let n = 0; n < count; n++) one.bus.publish('topic', n)
      expect(one.got).not.toHaveLength(0)
      await eventually(() => other.bus.state().lost > 0 && one.bus.state().lost > 0)
      expect(other.bus.state().lost).toBe(count - other.got.length)
      expect(other.states.slice(before)).toEqual([false, true])
      expect(other.faults[0]).toBeInstanceOf(BusOverloadError)
      one.bus.publish('topic', 'next')
      await eventually(() => other.got.at(-1) === 'next')
    })
  })

describe.skipIf(!hasNats)('NATS', () => {
  test('a lost server is a lost connection; its return asks for everything anew', async () => {
    const server = await natsServer()
    closings.push(server.kill)
    const of = () => createNatsTransport(server.url, 'test')
    const [one, other] = (await opened([of(), of()], () => undefined)) as [Replica, Replica]
    await server.kill()
    await eventually(() => !one.bus.state().isUp && !other.bus.state().isUp)
    one.bus.publish('topic', 'during')
    expect(one.got).toEqual(['during'])
    await server.start()
    await eventually(() => one.bus.state().isUp && other.bus.state().isUp)
    expect(other.states).toEqual([false, true, false, true])
    one.bus.publish('topic', 'after')
    await eventually(() => other.got.length > 0)
    expect(other.got).toEqual(['after'])
  })

  test('starts without the server, and connects when it is there', async () => {
    const server = await natsServer()
    closings.push(server.kill)
    await server.kill()
    const one = replica(createNatsTransport(server.url, 'test'))
    one.bus.open()
    one.bus.publish('topic', 1)
    expect(one.got).toEqual([1])
    await server.start()
    await eventually(() => one.bus.state().isUp)
  })

  test('carries the messages of two services with NATS_URL, and not those of another installation', async () => {
    const server = await natsServer()
    closings.push(server.kill)
    const world = await testApp({ NATS_URL: server.url })
    closings.push(world.close)
    const other = await world.replica()
    const stranger = await testApp({ NATS_URL: server.url })
    closings.push(stranger.close)
    const got: string[] = []
    for (const [name, { bus }] of Object.entries({
      first: world.services,
      second: other.services,
      stranger: stranger.services,
    })) {
      await eventually(() => bus.state().isUp)
      bus.subscribe('test', (message) => void got.push(`${name} ${String(message)}`))
    }
    stranger.services.bus.publish('test', 1)
    other.services.bus.publish('test', 2)
    await eventually(() => got.length === 3)
    expect(got.toSorted()).toEqual(['first 2', 'second 2', 'stranger 1'])
  })
})
