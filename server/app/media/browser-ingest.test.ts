// Streams of browsers through the real service and a real node, by a client that is made by hand.
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { auth } from '#contract/areas/account/auth.ts'
import { browserIngest } from '#contract/areas/broadcasts/browser-ingest.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { members } from '#contract/areas/projects/members.ts'
import { browserKinds, browserMessageBytes, browserProtocol } from '#contract/entities/browser-ingest.ts'
import { encoderOf, nodeOf, stopOnAir } from '#server/app/testing/relay-node.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { type BrowserClient, browserClient, browserMessage, sent } from '#server/relay/testing/browser.ts'
import { type FaultyPlatform, faultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { folder, hasPrograms, sample } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let url: string
let node: RelayNode
let platform: FaultyPlatform
const clients: BrowserClient[] = []

const dir = folder()
let recorded: ReturnType<FlvReader['read']> = []
beforeAll(async () => {
  if (hasPrograms) recorded = new FlvReader().read(readFileSync(await sample(dir, 3)))
})
afterAll(() => rmSync(dir, { recursive: true }))

beforeEach(async () => {
  world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  // Streams need the real clock.
  world.clock.set(new Date())
  ann = await world.user()
  url = (await world.app.listen()).url
  platform = await faultyPlatform()
})
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate()
  await node.close()
  await platform.stop()
  await world.close()
})

const inProject = (person = ann) => ({ project_id: person.projectId })
/** Address of the WebSocket: requests of a test come from another host. */
const endpoint = () => `${url.replace('http', 'ws')}/browser-ingest`
const ask = (as = ann, person = ann) => world.api(browserIngest.create, inProject(person), { as })

/** Starts a node, and waits until the service knows that it takes browsers. */
async function start(ffmpeg = ''): Promise<void> {
  node = await nodeOf(world, url, { ffmpeg, graceMs: 20_000 })
  await eventually(async () => (await ask()).status === 201)
}

/** Adds a channel that leads to the platform. */
async function addPlatform(): Promise<void> {
  const rtmp_url = `rtmp://127.0.0.1:${platform.port}/live`
  const input = { ...inProject(), name: 'One', rtmp_url, stream_key: 'secret-key' }
  const { channel_id } = (await world.api(addChannel.boosty, input, { as: ann })).body
  await world.api(channels.setStatus, { channel_id, status: true }, { as: ann })
}

function connect(ticket: string, address = endpoint()): BrowserClient {
  const client = browserClient(address, ticket)
  clients.push(client)
  return client
}

/** Opens a stream with a new ticket. */
async function stream(as = ann): Promise<BrowserClient> {
  const { body } = await ask(as)
  return connect(body.ticket)
}

const status = async () => (await world.api(broadcasts.status, inProject(), { as: ann })).body
/** Waits until the service knows that the stream is on air: the platform may have it before. */
const active = () =>
  eventually(async () => {
    const now = await status()
    return now.kind === 'live' && now.status === 'active' && now
  })
const pictures = () => platform.arrived.filter(({ packet }) => packet.kind === 'video' && packet.role !== 'header')

/** Sends three seconds: the platform connects in the first one. */
async function reachPlatform(client: BrowserClient): Promise<void> {
  client.send(sent.headers(), sent.seconds(0, 1))
  await until(() => pictures().length > 0)
  client.send(sent.seconds(1000, 2))
  await until(() => pictures().length >= 70)
}

test('a stream of a browser goes on air, reaches the platform and ends with its page', async () => {
  await start()
  await addPlatform()
  // A stream that its encoder ends itself ends the broadcast, another end would leave ten minutes.
  await world.api(streamKeys.setWait, { ...inProject(), wait_minutes: 10, hold: false }, { as: ann })
  const client = await stream()
  expect(await client.outcome).toBe('live')
  await reachPlatform(client)
  expect(platform.arrived.filter(({ packet }) => packet.kind === 'audio').length).toBeGreaterThan(40)
  await active()
  const steps = pictures().map(
    ({ packet }, at, all) => packet.timestamp - (all[at - 1]?.packet.timestamp ?? packet.timestamp - 40),
  )
  expect(new Set(steps)).toEqual(new Set([40]))
  client.socket.close(1000)
  await eventually(async () => (await status()).kind !== 'live')
})

test('a ticket is good once, for a minute, and never in the address', async () => {
  await start()
  const { body } = await ask()
  expect(body.url).toMatch(/^wss?:\/\/[^/]+\/browser-ingest$/)
  expect(await connect(body.ticket).outcome).toBe('live')
  expect(await connect(body.ticket).outcome).toBe('ticket')
  const late = (await ask()).body
  world.clock.advance(61_000)
  expect(await connect(late.ticket).outcome).toBe('401')
  const fresh = (await ask()).body
  expect(await connect(`${fresh.ticket.slice(0, -4)}AAAA`).outcome).toBe('401')
  expect(await connect('x', `${endpoint()}?ticket=${fresh.ticket}`).outcome).toBe('404')
  const bare = new WebSocket(endpoint(), browserProtocol)
  const refused = new Promise((resolve) => bare.once('unexpected-response', (_, { statusCode }) => resolve(statusCode)))
  bare.on('error', () => undefined)
  expect(await refused).toBe(401)
  bare.terminate()
  expect(world.logged.join('\n')).not.toContain(fresh.ticket)
})

test('a ticket leads to its own project, and viewers get none', async () => {
  await start()
  const bob = await world.user('Bob')
  expect((await ask(bob)).status).toBe(403)
  await world.join(bob, ann.projectId, 0)
  expect((await ask(bob)).status).toBe(403)
  const { body } = await ask(bob, bob)
  const client = connect(body.ticket)
  expect(await client.outcome).toBe('live')
  client.send(sent.headers(), sent.seconds(0, 1))
  await eventually(async () => (await world.api(broadcasts.status, inProject(bob), { as: bob })).body.kind === 'live')
  expect((await status()).kind).not.toBe('live')
})

test('a stream ends with the right of its user, and a ticket too', async () => {
  await start()
  const carl = await world.user('Carl')
  await world.join(carl, ann.projectId, 1)
  const waiting = (await ask(carl)).body
  const client = await stream(carl)
  expect(await client.outcome).toBe('live')
  await world.api(members.del, { ...inProject(), user_id: carl.id }, { as: ann })
  expect(await client.closed).toBe(1008)
  expect(client.texts.at(-1)).toMatchObject({ type: 'end', reason: 'right' })
  expect(await connect(waiting.ticket).outcome).toBe('right')
  const signedOut = (await ask()).body
  await world.api(auth.logout, { refresh: ann.refreshToken })
  expect(await connect(signedOut.ticket).outcome).toBe('right')
})

test.each<[string, (client: BrowserClient) => void, string]>([
  ['text', ({ socket }) => socket.send('hello'), 'sent text'],
  ['an unknown kind', ({ socket }) => socket.send(Buffer.alloc(9, 1)), 'unknown'],
  ['a message above 1 MB', ({ socket }) => socket.send(Buffer.alloc(browserMessageBytes + 1, 9)), '1 MB'],
  [
    'a time that goes back',
    (client) => client.send([sent.videoHeader(), sent.keyframe(9000), sent.keyframe(1)]),
    'goes back',
  ],
  [
    'a video header without a size',
    (client) =>
      client.send([browserMessage({ kind: browserKinds.video, isHeader: true, payload: Buffer.alloc(9, 255) })]),
    'not that of H.264',
  ],
])('closes the connection of a page that sends %s with the reason, and the node goes on', async (_, send, words) => {
  await start()
  const client = await stream()
  expect(await client.outcome).toBe('live')
  send(client)
  expect(await client.closed).toBe(1008)
  expect(client.texts.at(-1)).toMatchObject({ type: 'end', reason: 'invalid', words: expect.stringContaining(words) })
  const encoder = await encoderOf(world, ann, node)
  encoder.end()
})

test('a second page is refused while the first one sends, and takes its place when it has left', async () => {
  await start()
  const first = await stream()
  expect(await first.outcome).toBe('live')
  first.send(sent.headers(), sent.seconds(0, 1))
  await eventually(async () => (await status()).kind === 'live')
  const second = await stream()
  expect(await second.outcome).toBe('conflict')
  first.socket.close(1001)
  await first.closed
  const outcomes = async () => (await stream()).outcome
  await eventually(async () => (await outcomes()) === 'live')
})

test('a broken connection continues in the same broadcast and on the same connection of the platform', async () => {
  await start()
  await addPlatform()
  const client = await stream()
  expect(await client.outcome).toBe('live')
  await reachPlatform(client)
  const before = await active()
  client.socket.terminate()
  await eventually(async () => ((await status()) as { status: string }).status === 'lost')
  const again = await stream()
  expect(await again.outcome).toBe('live')
  const count = pictures().length
  again.send(sent.headers(), sent.seconds(4000, 2))
  await until(() => pictures().length >= count + 40)
  expect(await active()).toMatchObject({ kind: 'live', broadcast_id: before.broadcast_id })
  expect(platform.connections()).toBe(1)
})

test('a stop parks the stream of a page, and playing again puts it on air over its connection', async () => {
  await start()
  const client = await stream()
  expect(await client.outcome).toBe('live')
  client.send(sent.headers(), sent.seconds(0, 1))
  await eventually(async () => (await status()).kind === 'live')
  await stopOnAir(world, ann)
  const stopped = await eventually(async () => {
    const now = await status()
    return now.kind === 'inactive' ? now.stopped_broadcast_id : null
  })
  client.send(sent.seconds(1000, 1))
  expect(client.socket.readyState).toBe(client.socket.OPEN)
  await world.api(broadcasts.play, { ...inProject(), broadcast_id: stopped }, { as: ann })
  let at = 2000
  await eventually(async () => {
    client.send(sent.seconds((at += 1000), 1))
    return (await status()).kind === 'live'
  })
})

test('a service carries twenty streams and refuses the next one', async () => {
  await start()
  const held = await Promise.all(Array.from({ length: 20 }, async (_, at) => (at === 0 ? ann : world.user(`P${at}`))))
  for (const person of held) {
    const { body } = await ask(person, person)
    expect(await connect(body.ticket).outcome).toBe('live')
  }
  const bob = await world.user('Bob')
  const { body } = await ask(bob, bob)
  expect(await connect(body.ticket).outcome).toBe('full')
  clients[0]?.socket.close(1000)
  await clients[0]?.closed
  const more = (await ask(bob, bob)).body
  expect(await connect(more.ticket).outcome).toBe('live')
})

test('an operation refuses in words where no node takes browsers', async () => {
  node = await nodeOf(world, url, {})
  await eventually(async () => (await ask()).status === 201)
  await node.close()
  const refused = await eventually(async () => (await ask()).error)
  expect(refused.name).toBe('NoBrowserServer')
})

test('sound that needs ffmpeg is refused by a node without it', async () => {
  await start()
  const client = await stream()
  expect(await client.outcome).toBe('live')
  client.send([browserMessage({ kind: browserKinds.opus, isHeader: true, payload: Buffer.from([1]) })])
  expect(await client.closed).toBe(1008)
  expect(client.texts.at(-1)).toMatchObject({ type: 'end', reason: 'sound' })
})

/** Header and pieces of 20 ms of PCM. */
function* samples(fromMs: number, seconds: number): Generator<Buffer> {
  for (let piece = 0; piece < seconds * 50; piece++) {
    const payload = Buffer.alloc(1920)
    for (let at = 0; at < 960; at++) {
      const value = Math.sin((2 * Math.PI * 440 * (piece * 960 + at)) / 48_000)
      payload.writeInt16LE(Math.round(value * 8000), at * 2)
    }
    yield browserMessage({ kind: browserKinds.pcm, time: fromMs + piece * 20, payload })
  }
}

test.skipIf(!hasPrograms)('PCM becomes AAC at the time of the picture', async () => {
  await start('ffmpeg')
  await addPlatform()
  const client = await stream()
  expect(await client.outcome).toBe('live')
  const rate = Buffer.alloc(4)
  rate.writeUInt32BE(48_000)
  client.send([browserMessage({ kind: browserKinds.pcm, isHeader: true, payload: rate })])
  const video = recorded.filter(({ type }) => type === 9)
  for (const { payload, timestamp } of video) {
    const [head = 0, packet] = payload
    const isHeader = packet === 0
    if (packet === 2) continue
    const body = payload.subarray(5)
    const part = {
      kind: browserKinds.video,
      isHeader,
      isKey: !isHeader && head >> 4 === 1,
      time: timestamp,
      payload: body,
    }
    client.send([browserMessage(part)])
  }
  let fed = 0
  // ffmpeg starts meanwhile.
  const feeding = setInterval(() => {
    client.send(samples(fed, 1))
    fed += 1000
  }, 100)
  onTestFinished(() => clearInterval(feeding))
  const sounds = () => platform.arrived.filter(({ packet }) => packet.kind === 'audio')
  await until(() => sounds().length > 60)
  expect(sounds()[0]?.packet.payload.subarray(0, 2)).toEqual(Buffer.from([0xaf, 0]))
  const frames = sounds().map(({ packet }) => packet.timestamp)
  const steps = frames.slice(2).map((time, at) => time - (frames[at + 1] ?? 0))
  // A frame of AAC has 1,024 samples.
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(20)
  expect(Math.max(...steps)).toBeLessThanOrEqual(23)
})
