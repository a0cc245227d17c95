// The hub alone: history, recovery, expiry and limits.
import type { AddressInfo } from 'node:net'
import { Centrifuge } from 'centrifuge'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { roundsOf } from '#server/testing/rounds.ts'
import { createHub, type Hub } from './hub.ts'

let server: WebSocketServer
let hub: Hub
let faults: unknown[]
let now: number

/** Tokens are plain claims here. Other tests cover signatures. */
const token = (sub: string, channel: string | null = null, life = 3_600) =>
  JSON.stringify({ sub, channel, exp: now + life, expireAt: now + life, holder: { key_id: 1 } })

/** @param seconds between two pings, and for an answer to one */
async function start(port = 0, seconds = 25): Promise<void> {
  hub = createHub({
    pingSeconds: seconds,
    pongSeconds: seconds,
    now: () => now,
    read: async (text) => (text.startsWith('{') ? JSON.parse(text) : null),
    rights: async (holders) => holders.map((holder) => ({ ...holder, may: () => true })),
    onFault: (error) => faults.push(error),
  })
  server = new WebSocketServer({ port, host: '127.0.0.1', maxPayload: 64 * 1024 })
  server.on('connection', (socket) => hub.accept(socket, '127.0.0.1'))
  await new Promise((resolve) => server.once('listening', resolve))
}

async function stop(): Promise<void> {
  hub.close()
  for (const client of server.clients) client.terminate()
  await new Promise((resolve) => server.close(resolve))
}

beforeEach(async () => {
  now = Math.floor(Date.now() / 1000)
  faults = []
  await start()
})
afterEach(stop)

const port = () => (server.address() as AddressInfo).port
const url = () => `ws://127.0.0.1:${port()}`
const say = (operation: string, id = 7) =>
  hub.publish({ type: 'project_live', id }, { event: 'changed', payload: { operation, stale: [] } })
const status = (bitrate: number) =>
  hub.publish({ type: 'project_live', id: 7 }, { event: 'live-status', payload: { bitrate } })
const name = '$project_live:7'
const wait = async (what: () => boolean, ms = 30_000) => {
  const end = Date.now() + ms
  while (!what() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(what()).toBe(true)
}

function listener(channel = name, life = 3_600) {
  const client = new Centrifuge(url(), {
    getToken: async () => token('7'),
    minReconnectDelay: 20,
    maxReconnectDelay: 50,
  })
  const subscription = client.newSubscription(channel, { getToken: async () => token('7', channel, life) })
  const received: unknown[] = []
  const states: boolean[] = []
  subscription.on('publication', ({ data }) => received.push((data as { payload: unknown }).payload))
  subscription.on('subscribed', ({ recovered }) => states.push(recovered))
  subscription.subscribe()
  client.connect()
  return { client, subscription, received, states }
}

/** A line without a client: what is sent is sent as it is. */
async function raw(): Promise<{ socket: WebSocket; got: string[]; closed: Promise<number> }> {
  const socket = new WebSocket(url())
  const got: string[] = []
  socket.on('message', (data: Buffer) => got.push(...data.toString('utf8').split('\n')))
  socket.on('error', () => undefined)
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))
  return { socket, got, closed }
}
const ask = (id: number, command: object) => JSON.stringify({ id, ...command })

test('leaves its connections one after another, accepts no others, and publishes meanwhile', async () => {
  const lines = await Promise.all(Array.from({ length: 12 }, raw))
  for (const { socket } of lines) socket.send(ask(1, { connect: { token: token('7') } }))
  for (const { socket } of lines) socket.send(ask(2, { subscribe: { channel: name, token: token('7', name) } }))
  await wait(() => lines.every(({ got }) => got.length === 2))
  const isLeaving = hub.leave()
  expect(hub.admit('127.0.0.1')).toBe(false)
  await Promise.race(lines.map(({ closed }) => closed))
  // The last round comes later than the first: its clients still receive.
  say('meanwhile')
  await isLeaving
  expect(await Promise.all(lines.map(({ closed }) => closed))).toEqual(lines.map(() => 3001))
  const received = lines.filter(({ got }) => got.some((text) => text.includes('meanwhile'))).length
  expect(received).toBeGreaterThan(0)
  expect(received).toBeLessThan(lines.length)
})

test('reports a possible loss after a restart of the hub', async () => {
  const { client, states, received } = listener()
  await wait(() => states.length === 1)
  say('before')
  await wait(() => received.length === 1)
  const before = port()
  await stop()
  await start(before)
  await wait(() => states.length === 2)
  expect(states).toEqual([false, false])
  say('after')
  await wait(() => received.length === 2)
  client.disconnect()
})

test('recovers only the newest status, and every other publication', async () => {
  const { client, received, states } = listener()
  await wait(() => states.length === 1)
  const inner = client as unknown as { _transport: { _transport: { close(): void } } }
  inner._transport._transport.close()
  for (let count = 0; count < 300; count++) status(count)
  say('missed')
  await wait(() => states.length === 2)
  await wait(() => received.length === 2)
  expect(states[1]).toBe(true)
  expect(received).toEqual([{ bitrate: 299 }, { operation: 'missed', stale: [] }])
  client.disconnect()
})

test('reports a loss to a client that reconnects after the history expired', async () => {
  const { client, states } = listener()
  await wait(() => states.length === 1)
  const inner = client as unknown as { _transport: { _transport: { close(): void } } }
  inner._transport._transport.close()
  for (let count = 0; count < 300; count++) say(String(count))
  await wait(() => states.length === 2)
  expect(states[1]).toBe(false)
  client.disconnect()
})

test('renews an expired subscription, or ends it', async () => {
  const { client, subscription, states } = listener(name, 1)
  await wait(() => states.length === 1)
  now += 27
  const ended = new Promise<number>((resolve) => subscription.on('subscribing', ({ code }) => resolve(code)))
  expect(await ended).toBe(2501)
  await wait(() => states.length === 2)
  client.disconnect()
})

test('closes a connection that does not answer a ping', async () => {
  await stop()
  await start(0, 1)
  const { socket, closed } = await raw()
  socket.send(ask(1, { connect: { token: token('7') } }))
  // `ws` answers pings of the WebSocket, not those of the protocol.
  expect([3012, 1006]).toContain(await closed)
})

test('closes a slow connection, and delivers everything to the others', async () => {
  const { client, received, states } = listener('$project_live:7')
  await wait(() => states.length === 1)
  const { socket, got, closed } = await raw()
  socket.send(
    [
      ask(1, { connect: { token: token('7') } }),
      ask(2, { subscribe: { channel: name, token: token('7', name) } }),
    ].join('\n'),
  )
  await wait(() => got.length === 2)
  ;(socket as unknown as { _socket: { pause(): void; resume(): void } })._socket.pause()
  const text = 'x'.repeat(60_000)
  for (let count = 1; count <= 400; count++) {
    say(text)
    if (count % 8 === 0) await wait(() => received.length === count)
  }
  await wait(() => hub.count().connections === 1)
  ;(socket as unknown as { _socket: { resume(): void } })._socket.resume()
  expect([3008, 1006]).toContain(await closed)
  expect(received).toHaveLength(400)
  client.disconnect()
})

test('answers commands in order, and refuses unsupported ones', async () => {
  const { socket, got } = await raw()
  const commands = [
    ask(1, { connect: { token: token('7') } }),
    ask(2, { subscribe: { channel: 'project#7' } }),
    ask(3, { subscribe: { channel: 'project#8' } }),
    ask(4, { subscribe: { channel: 'news' } }),
    ask(5, { publish: { channel: 'project#7', data: {} } }),
    ask(6, { presence: { channel: 'project#7' } }),
    ask(7, { rpc: { method: 'x' } }),
    ask(8, { history: { channel: 'project#7', limit: 5 } }),
    ask(9, { unsubscribe: { channel: 'project#7' } }),
    ask(10, { subscribe: { channel: 'project#7' } }),
    ask(11, { subscribe: { channel: 'project#7' } }),
  ]
  socket.send(commands.join('\n'))
  await wait(() => got.length === commands.length)
  const answers = got.map((line) => JSON.parse(line) as { id: number; error?: { code: number } })
  expect(answers.map(({ id }) => id)).toEqual(commands.map((_, index) => index + 1))
  expect(answers.map(({ error }) => error?.code ?? 0)).toEqual([0, 0, 103, 102, 103, 108, 108, 0, 0, 0, 105])
  socket.terminate()
})

test('closes a connection that sends too many commands', async () => {
  const { socket, closed } = await raw()
  socket.send(Array.from({ length: 200 }, (_, id) => ask(id + 1, { send: {} })).join('\n'))
  expect(await closed).toBe(3013)
})

test('counts large answers as several commands', async () => {
  const publish = (text: string) =>
    hub.publish({ type: 'project', id: 7 }, { event: 'changed', payload: { text } } as never)
  for (let n = 0; n < 50; n++) publish('x'.repeat(10_000))
  const { socket, got, closed } = await raw()
  socket.send(ask(1, { connect: { token: token('7') } }))
  socket.send(ask(2, { subscribe: { channel: 'project#7' } }))
  await wait(() => got.length === 2)
  const ending = closed.then((code) => void (ended = code))
  let ended = 0
  for (let id = 3; id < 53 && ended === 0; id++) {
    socket.send(ask(id, { history: { channel: 'project#7', limit: -1 } }))
    await wait(() => got.length === id || ended !== 0)
  }
  expect(ended).toBe(3013)
  await ending
})

test('closes a connection that sends too many empty commands, before it parses them', async () => {
  const { socket, closed } = await raw()
  socket.send('{}\n'.repeat(101) + '{')
  expect(await closed).toBe(3013)
})

test('survives malformed frames without closing other connections', async () => {
  const { client, received, states } = listener()
  await wait(() => states.length === 1)
  const command = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constant('{}'),
    fc
      .dictionary(
        fc.constantFrom('id', 'connect', 'subscribe', 'refresh', 'sub_refresh', 'history', 'unsubscribe', 'rpc'),
        fc.jsonValue(),
      )
      .map((value) => JSON.stringify(value)),
    fc
      .record({
        channel: fc.constantFrom(name, 'project#7', '__proto__', '$project:7', ''),
        token: fc.constantFrom(token('7', name), token('8'), 'x'),
        recover: fc.boolean(),
        offset: fc.integer(),
        epoch: fc.string(),
      })
      .map((subscribe) => ask(2, { subscribe })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 12 }), fc.boolean(), async (commands, isKnown) => {
      const { socket } = await raw()
      if (isKnown) socket.send(ask(1, { connect: { token: token('7') } }))
      for (const frame of commands) socket.send(frame)
      socket.send(Buffer.from([0xff, 0x00, 0xfe]))
      await new Promise((resolve) => setTimeout(resolve, 1))
      socket.terminate()
    }),
    { numRuns: roundsOf({ usual: 60, nightly: 300 }), seed: 20_261_121 },
  )
  const { socket, closed } = await raw()
  socket.send('x'.repeat(70_000))
  expect(await closed).toBe(1009)
  say('alive')
  await wait(() => received.length === 1)
  expect(faults).toEqual([])
  expect(states).toHaveLength(1)
  client.disconnect()
})
