// Two nodes of one service, one of them over a line that breaks: each has its own streams, and no event is lost.
import type { NodeOptions } from '#server/relay/node-options.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { findOwner } from '#server/db/owners.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { type Encoder, encode } from '#server/relay/testing/encoder.ts'
import { type FaultyPlatform, faultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { aacHeader, avcHeader, interframe, keyframe } from '#server/relay/testing/frames.ts'
import { type Pipe, pipe } from '#server/relay/testing/pipe.ts'
import { times, until } from '#server/relay/testing/rig.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { nodeOf } from '#server/app/testing/relay-node.ts'

const token = 'a token that the nodes and the service share'
const places = {
  near: { city: 'Berlin', country: 'DE', lat: 52.5, long: 13.4 },
  far: { city: 'Almaty', country: 'KZ', lat: 43.2, long: 76.9 },
} as const
type Place = keyof typeof places

let world: World
let line: Pipe
let nodes: Record<Place, RelayNode>
let platforms: Record<Place, FaultyPlatform>
const timers: NodeJS.Timeout[] = []

beforeEach(async () => {
  world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on', RELAY_TOKEN: token })
  // Streams need the real clock.
  world.clock.set(new Date())
  const { url } = await world.app.listen()
  line = await pipe(Number(new URL(url).port))
  nodes = {
    near: await begin('near', url.replace('http', 'ws')),
    far: await begin('far', `ws://127.0.0.1:${line.port}`),
  }
  platforms = { near: await faultyPlatform(), far: await faultyPlatform() }
})
afterEach(async () => {
  timers.splice(0).forEach(clearInterval)
  await Promise.all([nodes.near.close(), nodes.far.close(), platforms.near.stop(), platforms.far.stop()])
  await line.close()
  await world.close()
})

const begin = (node: Place, service: string, options: Partial<NodeOptions> = {}) =>
  nodeOf(world, service, {
    token,
    about: { node, ...places[node], host: '127.0.0.1', pingHost: '' },
    ...options,
  })

/** Connection of a node whose messages the test sends. */
async function open() {
  const socket = new WebSocket(`ws://127.0.0.1:${line.port}/relay`, { headers: { authorization: `Bearer ${token}` } })
  const received: { readonly type: string }[] = []
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString())))
  await new Promise((resolve) => socket.once('open', resolve))
  return { socket, received, send: (message: object) => socket.send(JSON.stringify(message)) }
}

const within = ({ projectId }: Person) => ({ project_id: projectId })
const status = async (as: Person) => (await world.api(broadcasts.status, within(as), { as })).body as OnAir

/** Publishes at a node, with a channel that leads to the platform there: a frame every 40 ms. */
async function onAir(place: Place): Promise<{ who: Person; sent: number[]; encoder: Encoder }> {
  const who = await world.user(place)
  const url = `rtmp://127.0.0.1:${platforms[place].port}/live`
  const channel = { ...within(who), name: 'One', rtmp_url: url, stream_key: 'secret-key' }
  await world.api(addChannel.boosty, channel, { as: who })
  const { results } = (await world.api(channels.short, within(who), { as: who })).body
  await world.api(channels.setStatus, { channel_id: results[0]?.channel_id ?? 0, status: true }, { as: who })
  const { key } = (await world.api(streamKeys.get, within(who), { as: who })).body
  const encoder = encode(nodes[place].port, key)
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(), aacHeader())
  const sent: number[] = []
  timers.push(
    setInterval(() => {
      const at = sent.length * 40
      encoder.send(sent.length % 25 === 0 ? keyframe(at) : interframe(at))
      sent.push(at)
    }, 40),
  )
  await until(() => times(platforms[place]).length > 0)
  return { who, sent, encoder }
}

/** Expects every frame since the platform's first keyframe. */
function expectAll(place: Place, sent: readonly number[]): void {
  const got = times(platforms[place])
  const first = sent.indexOf(got[0] ?? -1)
  expect(first % 25).toBe(0)
  expect(got).toEqual(sent.slice(first, first + got.length))
}

const servers = async (as: Person) =>
  (await world.api(rtmpServers.list, { ...within(as), interval: 1 }, { as })).body.results

test('lists both nodes in the registry; each has its own streams', async () => {
  const ann = await world.user()
  await eventually(async () => (await servers(ann)).length === 2)
  const found = Object.fromEntries((await servers(ann)).map(({ city, urls }) => [city, urls.rtmp?.value]))
  expect(found).toEqual({
    Almaty: `rtmp://127.0.0.1:${nodes.far.port}/live`,
    Berlin: `rtmp://127.0.0.1:${nodes.near.port}/live`,
  })
  const [here, there] = [await onAir('near'), await onAir('far')]
  await eventually(async () => (await status(here.who)).server === 'near' && (await status(there.who)).server === 'far')
  await world.api(
    broadcasts.stop,
    { ...within(there.who), broadcast_id: (await status(there.who)).broadcast_id },
    { as: there.who },
  )
  await eventually(async () => ((await status(there.who)).kind as string) === 'inactive')
  const count = times(platforms.near).length
  await until(() => times(platforms.near).length > count + 25)
  expect(await status(here.who)).toMatchObject({ kind: 'live', status: 'active', reconnects: 0 })
  expectAll('near', here.sent)
})

test('a disconnected node continues its stream, accepts its encoder again, and reports its samples afterwards', async () => {
  // Interval of a timer of one second on this machine under its present load.
  const ticks: number[] = []
  timers.push(setInterval(() => ticks.push(Date.now() / 1000), 1_000))
  const [here, there] = [await onAir('near'), await onAir('far')]
  await eventually(async () => typeof (await status(there.who)).bitrate === 'number')
  line.cut(true)
  const goesOn = async () => {
    const count = times(platforms.far).length
    await until(() => times(platforms.far).length > count + 50)
    return status(there.who)
  }
  // The first second covers messages in transit.
  const { broadcast_id, date_sample: before } = await goesOn()
  expect((await goesOn()).date_sample).toBe(before)
  expect(await status(here.who)).toMatchObject({ status: 'active', reconnects: 0 })
  line.cut(false)
  await eventually(async () => ((await status(there.who)).date_sample ?? '') > (before ?? ''))
  const which = { ...within(there.who), broadcast_id }
  const seconds = async () => (await world.api(broadcasts.bitrate, which, { as: there.who })).body.labels
  await eventually(async () => (await seconds()).length >= 4)
  // A timer sends a sample each second: two consecutive samples may be late only by a moment.
  const widest = (moments: readonly number[]) =>
    Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)))
  expect(widest(await seconds())).toBeLessThanOrEqual(widest(ticks) + 1.5)
  expect(await status(there.who)).toMatchObject({ broadcast_id, status: 'active', reconnects: 0 })
  expect(platforms.far.connections()).toBe(1)
  expectAll('far', there.sent)
})

test('an encoder that reconnects while the service is unreachable gets the channels enabled meanwhile', async () => {
  const { who, encoder } = await onAir('far')
  const url = `rtmp://127.0.0.1:${platforms.near.port}/live`
  const added = { ...within(who), name: 'Two', rtmp_url: url, stream_key: 'other-key' }
  const { channel_id } = (await world.api(addChannel.boosty, added, { as: who })).body
  await world.api(channels.setStatus, { channel_id, status: true }, { as: who })
  await until(() => times(platforms.near).length > 0)
  line.cut(true)
  const { key } = (await world.api(streamKeys.get, within(who), { as: who })).body
  encoder.destroy()
  const again = encode(nodes.far.port, key)
  expect(await again.outcome).toBe('live')
  again.send(avcHeader(), aacHeader(), keyframe(0, 4_321))
  for (const platform of [platforms.far, platforms.near]) {
    await until(() => platform.arrived.some(({ packet }) => packet.payload.length > 4_321))
    expect(platform.connections()).toBe(1)
  }
})

test('replaces a dead connection and sends later changes of the desired state to the node', async () => {
  await nodes.far.close()
  nodes.far = await begin('far', `ws://127.0.0.1:${line.port}`, { pingMs: 1_000 })
  const { who } = await onAir('far')
  await eventually(async () => (await status(who)).kind === 'live')
  line.numb()
  const later = new Date(Date.now() + 1_000).toISOString()
  await eventually(async () => ((await status(who)).date_sample ?? '') > later)
  expect(await status(who)).toMatchObject({ status: 'active', reconnects: 0 })
  const which = { ...within(who), broadcast_id: (await status(who)).broadcast_id }
  await eventually(async () => {
    // Messages sent while a connection breaks are lost.
    await world.api(broadcasts.stop, which, { as: who })
    return ((await status(who)).kind as string) === 'inactive'
  })
})

test('records a normal end when the encoder leaves while the line is broken', async () => {
  const { who, encoder } = await onAir('far')
  await eventually(async () => (await status(who)).kind === 'live')
  const which = { ...within(who), broadcast_id: (await status(who)).broadcast_id }
  line.cut(true)
  encoder.destroy()
  await until(() => platforms.far.publishers() === 0)
  line.cut(false)
  await eventually(async () => ((await status(who)).kind as string) === 'inactive')
  const { results } = (await world.api(broadcasts.events, which, { as: who })).body
  expect(results.map(({ kind }) => kind)).toContain('ended')
  expect(results.map(({ kind }) => kind)).not.toContain('abandoned')
})

test('drops a fact that the service does not know or cannot record, and keeps the connection open', async () => {
  const { socket, received, send } = await open()
  send({ type: 'hello', version: 3, node: 'newer', projects: [] })
  const about = { projectId: 1, at: Date.now() }
  send({ type: 'event', seq: 1, event: { type: 'eclipse', ...about } })
  send({ type: 'event', seq: 2, event: { type: 'ended', ...about } })
  const recording = { name: 'a', file: 'a.flv', state: 'ready', bytes: 1, durationMs: 1, reason: null }
  for (const [seq, projectId, startedAt] of [
    [3, 4_242, Date.now()],
    [4, 1, 1e300],
  ])
    send({
      type: 'event',
      seq,
      event: { type: 'recording', ...about, projectId, recording: { ...recording, startedAt } },
    })
  await until(() => received.length >= 5)
  expect(received).toEqual([
    { type: 'welcome', version: 3, leases: true },
    ...[1, 2, 3, 4].map((seq) => ({ type: 'ack', seq })),
  ])
  socket.close()
})

test('admits an encoder after the service was unreachable for a moment', async () => {
  const ann = await world.user()
  const { key } = (await world.api(streamKeys.get, within(ann), { as: ann })).body
  line.cut(true)
  const encoder = encode(nodes.far.port, key)
  // The service disconnects before the admission request and returns before its timeout.
  timers.push(setTimeout(() => line.cut(false), 1_000))
  expect(await encoder.outcome).toBe('live')
})

test('refuses a node without the token; no encoder can publish there', async () => {
  const stranger = await begin('far', `ws://127.0.0.1:${line.port}`, { token: 'another token' })
  const ann = await world.user()
  const { key } = (await world.api(streamKeys.get, within(ann), { as: ann })).body
  expect(await encode(stranger.port, key).outcome).toContain('cannot be asked')
  await stranger.close()
})

test('ignores a greeting of an earlier line that arrives after the encoder was let in on the next one', async () => {
  const ann = await world.user()
  const { key } = (await world.api(streamKeys.get, within(ann), { as: ann })).body
  const [earlier, later] = [await open(), await open()]
  const hello = { type: 'hello', version: 3, node: 'twice', projects: [], leases: [] }
  later.send(hello)
  later.send({ type: 'admit', request: 1, key, app: 'live', encoder: 'OBS', address: '192.0.2.1' })
  await until(() => later.received.some((message) => message.type === 'admitted'))
  const gone = new Promise((resolve) => earlier.socket.once('close', resolve))
  earlier.send(hello)
  await gone
  expect(await findOwner(world.app.db, 'air', ann.projectId)).toMatchObject({ holder: 'twice', epoch: 1 })
  later.socket.close()
})
