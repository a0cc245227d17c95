// From the encoder to the broadcast history, with the real service and a real node.
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { access } from '#contract/areas/channels/access.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { history } from '#contract/areas/projects/history.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import type { RelayNode } from '#server/relay/node.ts'
import type { FaultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { encode, sendTooMuch } from '#server/relay/testing/encoder.ts'
import { times, until } from '#server/relay/testing/rig.ts'
import { share } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { liveStage } from '#server/app/testing/live-stage.ts'
import { nodeOf } from '#server/app/testing/relay-node.ts'

let world: World
let ann: Person
let node: RelayNode | undefined
let platform: FaultyPlatform
let service: string

beforeEach(async () => {
  ;({ world, ann, platform, url: service } = await liveStage())
  node = await begin()
})
afterEach(async () => {
  await node?.close()
  await platform.stop()
  await world.close()
})

const begin = () => nodeOf(world, service, { bitrate: { patienceMs: 1_000, refuseMs: 60_000 } })

const inProject = () => ({ project_id: ann.projectId })
const status = async () => (await world.api(broadcasts.status, inProject(), { as: ann })).body
const here = async () => (await world.api(rtmpServers.list, { ...inProject(), interval: 1 }, { as: ann })).body.results
const key = async () => (await world.api(streamKeys.get, inProject(), { as: ann })).body.key

/** Adds an enabled channel that leads to the platform. @returns its id */
async function channel(name: string): Promise<number> {
  const url = `rtmp://127.0.0.1:${platform.port}/live`
  await world.api(addChannel.boosty, { ...inProject(), name, rtmp_url: url, stream_key: 'secret-key' }, { as: ann })
  const { results } = (await world.api(channels.short, inProject(), { as: ann })).body
  const id = results.find((one) => one.name === name)?.channel_id ?? 0
  await world.api(channels.setStatus, { channel_id: id, status: true }, { as: ann })
  return id
}

async function onAir(): Promise<ReturnType<typeof encode>> {
  await ready()
  const encoder = encode(node?.port ?? 0, await key())
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 1))
  return encoder
}

/** Waits until the node has connected. */
const ready = () => eventually(async () => (await here()).length > 0)

test('delivers the stream and reports the measured status while on air', async () => {
  const id = await channel('One')
  expect(await status()).toEqual({ kind: 'inactive', status: 'offline' })
  await onAir()
  await until(() => times(platform).length === 50)
  await eventually(async () => ((await status()) as OnAir).restreams?.[0]?.state === 'live')
  await eventually(async () => ((await status()) as OnAir).video_codec_name === 'avc1')
  expect(await status()).toMatchObject({
    kind: 'live',
    status: 'active',
    server: 'here',
    date_sample: expect.any(String),
  })
  expect(((await status()) as OnAir).restreams[0]).toMatchObject({ channel_id: id, name: 'One', status: 'live' })
  const { body } = await world.api(channels.get, { ...inProject(), channel_id: id }, { as: ann })
  expect(body).toMatchObject({ live: true, status: 'live' })
})

test('switches a channel on and off while on air', async () => {
  await onAir()
  const id = await channel('Late')
  await eventually(async () => ((await status()) as OnAir).restreams?.[0]?.state === 'live')
  await world.api(channels.setStatus, { channel_id: id, status: false }, { as: ann })
  expect(await eventually(async () => ((await status()) as OnAir).restreams.length === 0)).toBe(true)
})

test('refuses a wrong key and stops accepting a rotated one immediately', async () => {
  await ready()
  expect(await encode(node?.port ?? 0, 'wrong').outcome).toContain('not known')
  const old = await key()
  await world.api(streamKeys.rotate, inProject(), { as: ann })
  expect(await encode(node?.port ?? 0, old).outcome).toContain('not known')
})

test('ends the broadcast of a rotated key', async () => {
  await onAir()
  await eventually(async () => (await status()).kind === 'live')
  await world.api(streamKeys.rotate, inProject(), { as: ann })
  expect(await eventually(async () => (await status()).kind === 'inactive')).toBe(true)
})

test('waits for a lost encoder as long as the project is configured to, also after a change', async () => {
  await world.api(streamKeys.setWait, { ...inProject(), wait_minutes: 5 }, { as: ann })
  const encoder = await onAir()
  await eventually(async () => (await status()).kind === 'live')
  encoder.destroy()
  expect(await eventually(async () => (await status()).status === 'lost')).toBe(true)
  // Longer than the default of the node.
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect((await status()).kind).toBe('live')
  await world.api(streamKeys.setWait, { ...inProject(), wait_minutes: 0 }, { as: ann })
  expect(await eventually(async () => (await status()).kind === 'inactive')).toBe(true)
})

test('stops a broadcast from the dashboard and records it with events and a graph', async () => {
  await channel('One')
  await onAir()
  await eventually(async () => ((await status()) as OnAir).restreams?.[0]?.state === 'live')
  await eventually(async () => ((await status()) as OnAir).date_sample !== null)
  const { broadcast_id } = (await status()) as OnAir
  const which = { ...inProject(), broadcast_id }
  expect((await world.api(broadcasts.stop, which, { as: ann })).status).toBe(200)
  await eventually(async () => (await status()).kind === 'inactive')
  const { body } = await world.api(broadcasts.get, which, { as: ann })
  expect(body.finish_at).not.toBeNull()
  expect(body.restreams[0]).toMatchObject({ name: 'One', type: 'boosty' })
  const events = await world.api(broadcasts.events, { ...which, sort_by_date: 'asc' }, { as: ann })
  expect(events.body.results.map(({ kind }) => kind)).toEqual(['began', 'live', 'stopped', 'ended'])
  expect((await world.api(broadcasts.bitrate, which, { as: ann })).body.data.length).toBeGreaterThan(0)
  const again = await world.api(broadcasts.stop, which, { as: ann })
  expect(again.error?.name).toBe('BroadcastIsOver')
  expect((await world.api(broadcasts.list, inProject(), { as: ann })).body.total).toBe(1)
})

test('records one event for one failure of a channel, however often it retries', async () => {
  await channel('Away')
  await platform.down()
  await onAir()
  const attempts = async () => ((await status()) as OnAir).restreams?.[0]?.attempt ?? 0
  await eventually(async () => (await attempts()) >= 4)
  const which = { ...inProject(), broadcast_id: ((await status()) as OnAir).broadcast_id }
  const { body } = await world.api(broadcasts.events, { ...which, level: 'warning' }, { as: ann })
  expect(body.results.map(({ kind, reason }) => [kind, reason])).toEqual([['backoff', 'refused']])
})

test('records one event for a platform that refuses repeatedly', async () => {
  platform.fault = 'reject-publish'
  const channel_id = await channel('Wrong key')
  await onAir()
  const refused = async () => {
    const [one] = ((await status()) as OnAir).restreams ?? []
    return one?.state === 'rejected' ? (one.attempt ?? 0) : 0
  }
  await eventually(async () => (await refused()) === 1)
  const which = { ...inProject(), broadcast_id: ((await status()) as OnAir).broadcast_id }
  await world.api(broadcasts.retry, { ...which, channel_id }, { as: ann })
  await eventually(async () => (await refused()) === 2)
  const { body } = await world.api(broadcasts.events, { ...which, level: 'error' }, { as: ann })
  expect(body.results.map(({ kind, reason }) => [kind, reason])).toEqual([['rejected', 'publish-rejected']])
})

test('sends nothing and keeps the connection while the broadcast is paused, and resumes', async () => {
  await channel('One')
  const encoder = await onAir()
  await until(() => times(platform).length === 50)
  await eventually(async () => typeof ((await status()) as OnAir).date_sample === 'string')
  const which = { ...inProject(), broadcast_id: ((await status()) as OnAir).broadcast_id }
  await world.api(broadcasts.pause, which, { as: ann })
  expect(await status()).toMatchObject({ status: 'pause', action: 'stopped' })
  let at = 0
  const nextSample = async () => {
    const { date_sample: last } = (await status()) as OnAir
    await eventually(async () => ((await status()) as OnAir).date_sample !== last)
  }
  /** Sends one second and waits until the node has measured it. @returns true when the platform received media */
  const passes = async () => {
    const before = times(platform).length
    encoder.send(...stream((at += 1_000), 1))
    await nextSample()
    await nextSample()
    return times(platform).length > before
  }
  // The service notifies the node within two seconds.
  for (let passed = 0; passed < 2;) passed = (await passes()) ? 0 : passed + 1
  expect(await passes()).toBe(false)
  await world.api(broadcasts.play, which, { as: ann })
  while (!(await passes()));
  expect(platform.connections()).toBe(1)
})

test('stops a channel soon after its owner stops sharing it, and keeps the others on air', async () => {
  const bob = await world.user('Bob')
  const own = await channel('Own')
  const url = `rtmp://127.0.0.1:${platform.port}/live`
  const added = await world.api(
    addChannel.boosty,
    { project_id: bob.projectId, name: 'Shared', rtmp_url: url, stream_key: 'their-key' },
    { as: bob },
  )
  const shared = added.body.channel_id
  await share(world, shared, ann.projectId, 1)
  await world.api(channels.setStatus, { ...inProject(), channel_id: shared, status: true }, { as: ann })
  await onAir()
  const states = async () => ((await status()) as OnAir).restreams?.map((one) => [one.channel_id, one.state]) ?? []
  const isLive = async () => (await states()).filter(([, state]) => state === 'live').length === 2
  expect(await eventually(isLive)).toBe(true)
  const at = { project_id: bob.projectId, channel_id: shared, target_project_id: ann.projectId }
  expect((await world.api(access.del, at, { as: bob })).status).toBe(200)
  expect(await eventually(async () => (await states()).length === 1)).toBe(true)
  expect(await states()).toEqual([[own, 'live']])
})

test('reports a bitrate above the tariff in status and events, and sends the encoder the reason', async () => {
  const encoder = await onAir()
  onTestFinished(sendTooMuch(encoder))
  await eventually(async () => ((await status()) as OnAir).bitrate_state === 'refused')
  const { bitrate_max, broadcast_id } = (await status()) as OnAir
  expect(bitrate_max).toBeGreaterThan(0)
  const which = { ...inProject(), broadcast_id, sort_by_date: 'asc' } as const
  const { body } = await world.api(broadcasts.events, which, { as: ann })
  expect(body.results.map(({ kind, level }) => [kind, level])).toEqual([
    ['began', 'info'],
    ['bitrate-high', 'warning'],
    ['bitrate-refused', 'error'],
    ['source-lost', 'warning'],
  ])
  expect(await encode(node?.port ?? 0, await key()).outcome).toContain('above what the tariff allows')
})

test('starts a delayed channel after its delay and reports the delay', async () => {
  const id = await channel('Late')
  await world.api(channels.setDelay, { ...inProject(), channel_id: id, delay: 4 }, { as: ann })
  const began = performance.now()
  await onAir()
  const late = async () => ((await status()) as OnAir).restreams?.[0]
  await eventually(async () => (await late())?.reason === 'delay')
  await until(() => platform.connections() > 0)
  expect(performance.now() - began).toBeGreaterThan(3_900)
  await until(() => times(platform).length === 50)
  expect(await eventually(async () => (await late())?.state === 'live')).toBe(true)
})

test('publishes nothing to other users', async () => {
  await onAir()
  await eventually(async () => (await status()).kind === 'live')
  const { broadcast_id } = (await status()) as OnAir
  const bob = await world.user('Bob')
  const which = { project_id: bob.projectId, broadcast_id }
  expect((await world.api(broadcasts.get, which, { as: bob })).status).toBe(403)
  expect((await world.api(broadcasts.stop, which, { as: bob })).status).toBe(403)
  expect((await world.api(broadcasts.status, inProject(), { as: bob })).status).toBe(403)
})

test('refuses a connection without the node token', async () => {
  const { hostname, port } = new URL(service)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /relay HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer wrong\r\n\r\n`,
  )
  const answer = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())))
  expect(answer).toMatch(/^HTTP\/1.1 401/)
})

test('logs no key', async () => {
  await channel('One')
  await onAir()
  await eventually(async () => ((await status()) as OnAir).date_sample !== null)
  const text = world.logged.join('')
  expect(text).not.toContain('secret-key')
  expect(text).not.toContain(await key())
})

test('a refused channel whose key is entered anew on air goes live with it', async () => {
  platform.fault = 'reject-publish'
  const channel_id = await channel('Wrong key')
  await onAir()
  const shown = async () => ((await status()) as OnAir).restreams?.[0]
  await eventually(async () => (await shown())?.state === 'rejected')
  const get = async () => (await world.api(channels.get, { ...inProject(), channel_id }, { as: ann })).body
  await eventually(async () => (await get()).test?.reason === 'rejected')
  platform.fault = 'none'
  const url = `rtmp://127.0.0.1:${platform.port}/live`
  await world.api(settings.setRtmp, { ...inProject(), channel_id, url, stream_key: 'right-key' }, { as: ann })
  expect(await eventually(async () => (await shown())?.state === 'live')).toBe(true)
  expect(await shown()).toMatchObject({ reason: null, words: null })
  expect(await get()).toMatchObject({ status: 'live', test: { reason: 'ok' } })
})

test('a channel whose key could not be read goes live when its key is entered anew on air', async () => {
  const channel_id = await channel('Unreadable')
  await onAir()
  const shown = async () => ((await status()) as OnAir).restreams?.find((one) => one.channel_id === channel_id)
  await eventually(async () => (await shown())?.state === 'live')
  const { db } = world.app
  await db
    .updateTable('channels')
    .set({ secret_sealed: 'sealed by another secret' })
    .where('id', '=', channel_id)
    .execute()
  // A change that makes the service read the project again.
  await world.api(streamKeys.setWait, { ...inProject(), wait_minutes: 5 }, { as: ann })
  expect(await eventually(async () => (await shown())?.state === 'rejected')).toBe(true)
  expect(await shown()).toMatchObject({ reason: 'key-unreadable' })
  const url = `rtmp://127.0.0.1:${platform.port}/live`
  await world.api(settings.setRtmp, { ...inProject(), channel_id, url, stream_key: 'right-key' }, { as: ann })
  expect(await eventually(async () => (await shown())?.state === 'live')).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await shown()).toMatchObject({ state: 'live', reason: null })
})

test('a second encoder, and one with a replaced key, are in the history, once each however often they try', async () => {
  const old = await key()
  await world.api(streamKeys.rotate, inProject(), { as: ann })
  await onAir()
  for (let left = 3; left > 0; left--) {
    expect(await encode(node?.port ?? 0, await key()).outcome).toContain('Another encoder is on air')
    expect(await encode(node?.port ?? 0, old).outcome).toContain('not known')
  }
  const refused = async () => {
    const filter = { ...inProject(), limit: 10, offset: 0, action: 'encoder_refused' } as const
    return (await world.api(history.list, filter, { as: ann })).body.results
  }
  await eventually(async () => (await refused()).length === 2)
  const network = '127.0.0.0/24'
  expect((await refused()).map(({ details }) => details)).toEqual(
    expect.arrayContaining([
      { network, reason: 'another_encoder' },
      { network, reason: 'replaced_key' },
    ]),
  )
  // A key that never existed belongs to no project.
  expect(await encode(node?.port ?? 0, 'wrong').outcome).toContain('not known')
  expect(await refused()).toHaveLength(2)
})
