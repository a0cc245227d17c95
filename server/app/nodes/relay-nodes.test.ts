// Two nodes of one service, one of them far away over a line that breaks: each has its own streams, and nothing is lost.
import type { NodeOptions } from '#server/relay/node-options.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
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
  // Streams live by the real clock.
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

/** A line without a node: the test sends its messages. */
async function open() {
  const socket = new WebSocket(`ws://127.0.0.1:${line.port}/relay`, { headers: { authorization: `Bearer ${token}` } })
  const heard: { readonly type: string }[] = []
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())))
  await new Promise((resolve) => socket.once('open', resolve))
  return { socket, heard, say: (message: object) => socket.send(JSON.stringify(message)) }
}

const within = ({ projectId }: Person) => ({ project_id: projectId })
const status = async (as: Person) => (await world.api(broadcasts.status, within(as), { as })).body as OnAir

/** Somebody who is on air at a node, with a channel that leads to the platform there: a frame each 40 ms. */
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

/** A platform has every frame since the keyframe that it began with. */
function expectAll(place: Place, sent: readonly number[]): void {
  const got = times(platforms[place])
  const first = sent.indexOf(got[0] ?? -1)
  expect(first % 25).toBe(0)
  expect(got).toEqual(sent.slice(first, first + got.length))
}

const servers = async (as: Person) =>
  (await world.api(rtmpServers.list, { ...within(as), interval: 1 }, { as })).body.results

test('both stand in the registry where they are, and each has its own streams', async () => {
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

test('a node that loses the service goes on, takes its encoder back, and tells afterwards what it measured', async () => {
  // What a timer of a second makes of it on this machine now.
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
  // The first second is for what was on its way.
  const { broadcast_id, date_sample: before } = await goesOn()
  expect((await goesOn()).date_sample).toBe(before)
  expect(await status(here.who)).toMatchObject({ status: 'active', reconnects: 0 })
  line.cut(false)
  await eventually(async () => ((await status(there.who)).date_sample ?? '') > (before ?? ''))
  const which = { ...within(there.who), broadcast_id }
  const seconds = async () => (await world.api(broadcasts.bitrate, which, { as: there.who })).body.labels
  await eventually(async () => (await seconds()).length >= 4)
  // A sample comes each second by a timer: of two beside each other none is more than a moment late.
  const widest = (moments: readonly number[]) =>
    Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)))
  expect(widest(await seconds())).toBeLessThanOrEqual(widest(ticks) + 1.5)
  expect(await status(there.who)).toMatchObject({ broadcast_id, status: 'active', reconnects: 0 })
  expect(platforms.far.connections()).toBe(1)
  expectAll('far', there.sent)
})

test('while the service is away, an encoder that comes back finds the channels that were switched on meanwhile', async () => {
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

test('a line that dies without a word is opened anew, and what people want reaches the node', async () => {
  await nodes.far.close()
  nodes.far = await begin('far', `ws://127.0.0.1:${line.port}`, { pulseMs: 1_000 })
  const { who } = await onAir('far')
  await eventually(async () => (await status(who)).kind === 'live')
  line.numb()
  const later = new Date(Date.now() + 1_000).toISOString()
  await eventually(async () => ((await status(who)).date_sample ?? '') > later)
  expect(await status(who)).toMatchObject({ status: 'active', reconnects: 0 })
  const which = { ...within(who), broadcast_id: (await status(who)).broadcast_id }
  await eventually(async () => {
    // What is said while a line breaks is lost.
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

test('a fact that the service cannot know or record is dropped and does not close the line', async () => {
  const { socket, heard, say } = await open()
  say({ type: 'hello', version: 1, node: 'newer', projects: [] })
  const about = { projectId: 1, at: Date.now() }
  say({ type: 'told', seq: 1, event: { type: 'eclipse', ...about } })
  say({ type: 'told', seq: 2, event: { type: 'ended', ...about } })
  const recording = { name: 'a', file: 'a.flv', state: 'ready', bytes: 1, durationMs: 1, reason: null }
  for (const [seq, projectId, startedAt] of [
    [3, 4_242, Date.now()],
    [4, 1, 1e300],
  ])
    say({
      type: 'told',
      seq,
      event: { type: 'recording', ...about, projectId, recording: { ...recording, startedAt } },
    })
  await until(() => heard.length >= 5)
  expect(heard).toEqual([{ type: 'welcome', leases: true }, ...[1, 2, 3, 4].map((seq) => ({ type: 'seen', seq }))])
  socket.close()
})

test('an encoder that begins while the service is away for a moment is let in when it is back', async () => {
  const ann = await world.user()
  const { key } = (await world.api(streamKeys.get, within(ann), { as: ann })).body
  line.cut(true)
  const encoder = encode(nodes.far.port, key)
  // Gone before it asks, and back before it gives up.
  timers.push(setTimeout(() => line.cut(false), 1_000))
  expect(await encoder.outcome).toBe('live')
})

test('a node without the token is told no, and nobody can publish there', async () => {
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
  const hello = { type: 'hello', version: 1, node: 'twice', projects: [], leases: [] }
  later.say(hello)
  later.say({ type: 'admit', request: 1, key, app: 'live', encoder: 'OBS', address: '192.0.2.1' })
  await until(() => later.heard.some((message) => message.type === 'admitted'))
  const gone = new Promise((resolve) => earlier.socket.once('close', resolve))
  earlier.say(hello)
  await gone
  const lease = await world.app.db.selectFrom('air_leases').selectAll().executeTakeFirst()
  expect(lease).toMatchObject({ project_id: ann.projectId, node: 'twice', epoch: 1 })
  later.socket.close()
})
