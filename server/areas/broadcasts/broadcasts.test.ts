// Broadcasts over HTTP: pages of events, graphs, waiting, pausing, the history.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { analytics } from '#contract/areas/analytics/analytics.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { liveStatus } from '#contract/areas/broadcasts/live-status.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { history } from '#contract/areas/projects/history.ts'
import { countWaiting, endWaiting } from '#server/domain/broadcasts/waits.ts'
import { reportNode } from '#server/domain/ingest/nodes.ts'
import { newChannel } from '#server/testing/channels.ts'
import { someNode } from '#server/testing/nodes.ts'
import { beginBroadcast, onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let node: ReturnType<typeof someNodeOf>

beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  node = someNodeOf(world, someNode.node)
})
afterEach(() => world.close())

const inProject = () => ({ project_id: ann.projectId })
const begin = () => beginBroadcast(world, ann, node)

test('events come in pages that new ones do not move', async () => {
  const which = await begin()
  const channelId = await newChannel(world, ann)
  for (let step = 0; step < 5; step++) {
    world.clock.advance(1_000)
    await node.channel(ann.projectId, channelId, 'rejected', { reason: 'publish-rejected', words: `No ${step}` })
  }
  const ask = { ...which, limit: 2, sort_by_date: 'desc' } as const
  const seen: number[] = []
  let cursor: { cursor_id?: number; cursor_datetime?: string } = {}
  for (;;) {
    const { body } = await world.api(broadcasts.events, { ...ask, ...cursor }, { as: ann })
    expect(body.sort_by_date).toBe('desc')
    seen.push(...body.results.map(({ id }) => id))
    if (body.next_cursor_id === undefined || body.next_cursor_datetime === undefined) break
    cursor = { cursor_id: body.next_cursor_id, cursor_datetime: body.next_cursor_datetime }
    world.clock.advance(1_000)
    await node.tell(ann.projectId, { type: 'source-lost', how: 'socket' })
  }
  expect(seen).toHaveLength(6)
  expect(new Set(seen).size).toBe(6)
  // The date may be left out.
  const { body } = await world.api(broadcasts.events, { ...ask, cursor_id: seen[1] ?? 0 }, { as: ann })
  expect(body.results[0]?.id).toBe(seen[2])
})

test('events are found by level, channel, platform, server and time, and one by its number', async () => {
  await reportNode(world.services, { ...someNode, time: world.clock.now().toISOString() })
  const which = await begin()
  const [one, two] = [await newChannel(world, ann), await newChannel(world, ann, { name: 'Two', type: 'youtube' })]
  await node.channel(ann.projectId, one, 'live')
  world.clock.advance(60_000)
  const later = world.clock.now().toISOString()
  await node.channel(ann.projectId, two, 'rejected', { reason: 'publish-rejected', words: 'No such key' })
  const found = async (filter: object) =>
    (await world.api(broadcasts.events, { ...which, sort_by_date: 'asc', ...filter }, { as: ann })).body.results
  expect((await found({})).map(({ kind }) => kind)).toEqual(['began', 'live', 'rejected'])
  expect((await found({ level: 'error' })).map(({ kind }) => kind)).toEqual(['rejected'])
  expect((await found({ channels: [one] })).map(({ kind }) => kind)).toEqual(['live'])
  expect(await found({ platform: 'twitch' })).toEqual([])
  expect(await found({ app: 'scheduler' })).toEqual([])
  expect((await found({ date_from: later })).map(({ kind }) => kind)).toEqual(['rejected'])
  expect(await found({ date_from: later.replace('Z', '+00:00'), date_to: later })).toEqual([])
  expect(await found({ server: 'elsewhere' })).toEqual([])
  const [, , event] = await found({ server: 'fra.example.com' })
  expect(event).toMatchObject({
    app: 'live',
    platform: 'youtube',
    channel: { id: two, name: 'Two' },
    server: { country_code: 'DE', country_name: 'Germany', city: 'Frankfurt', ip: 'fra.example.com' },
  })
  const item = { ...inProject(), id: event?.id ?? 0 }
  expect((await world.api(broadcasts.eventItem, item, { as: ann })).body).toEqual(event)
  const wrong = await world.api(broadcasts.eventItem, { ...item, date: '2020-01-01T00:00:00Z' }, { as: ann })
  expect(wrong.status).toBe(403)
  const bob = await world.user('Bob')
  const foreign = await world.api(broadcasts.eventItem, { ...item, project_id: bob.projectId }, { as: bob })
  expect(foreign.status).toBe(403)
})

test('a day of history is a graph of some hundred points, and the last minutes are there by the second', async () => {
  const which = await begin()
  const start = Math.floor(world.clock.now().getTime() / 1000)
  const day = 86_400
  const rows = Array.from({ length: day / 10 }, (_, index) => ({
    broadcast_id: which.broadcast_id,
    step: 10,
    at: start + index * 10,
    kbps: 4_000 + (index % 2) * 1_000,
    fps: 30,
  }))
  for (let index = 0; index < rows.length; index += 100)
    await world.app.db
      .insertInto('broadcast_samples')
      .values(rows.slice(index, index + 100))
      .execute()
  world.clock.advance(day * 1000)
  ann = await world.signIn(ann)
  for (let second = 0; second < 3; second++) {
    world.clock.advance(1_000)
    await node.second(ann.projectId, 7_000)
  }
  const { body } = await world.api(broadcasts.bitrate, which, { as: ann })
  expect(body.labels.length).toBeLessThan(2_200)
  expect(body.labels).toEqual(body.labels.toSorted((a, b) => a - b))
  expect(body.data.slice(-3)).toEqual([7_000, 7_000, 7_000])
  expect(body.data[3]).toBeGreaterThan(4_000)
  expect(body.data[3]).toBeLessThan(5_000)
  expect(body.setting).toEqual({ step: 58, unit: 'kbps' })
  const stream = { ...inProject(), stream_id: which.broadcast_id }
  expect((await world.api(analytics.bitrate, stream, { as: ann })).body).toEqual(body)
  expect((await world.api(broadcasts.viewers, which, { as: ann })).body.data).toEqual([])
  const compared = await world.api(analytics.broadcasts, inProject(), { as: ann })
  expect(compared.body.results[0]).toMatchObject({ bitrate: { min: 4_000, max: 7_000 }, viewers: null, errors: 0 })
})

test('wakes waiting callers when a broadcast starts, and keeps nothing of those that gave up', async () => {
  const { key } = (await world.api(chat.key, inProject(), { as: ann })).body
  expect((await world.api(chat.key, inProject(), { as: ann })).body.key).toBe(key)
  const none = await world.api(broadcasts.longpoll, { key, wait: 0 })
  expect([none.status, none.body]).toEqual([204, undefined])
  const waiting = world.api(broadcasts.longpoll, { key, wait: 20 })
  await expect.poll(() => countWaiting(world.app.db)).toBe(1)
  const { broadcast_id } = await begin()
  const answer = await waiting
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ broadcast_id })
  expect(countWaiting(world.app.db)).toBe(0)
  const wrong = await world.api(broadcasts.longpoll, { key: 'wrong' })
  expect([wrong.status, wrong.error?.name]).toEqual([400, 'KeyNotFound'])
})

test('ends waiting when the caller disconnects, and when the service stops', async () => {
  const { key } = (await world.api(chat.key, inProject(), { as: ann })).body
  const { url } = await world.app.listen()
  const gone = new AbortController()
  const poll = (signal?: AbortSignal) =>
    fetch(`${url}/method/broadcast/longpoll?v=1&language=en&key=${key}`, signal ? { signal } : {})
  const left = poll(gone.signal).catch((error: unknown) => error)
  await expect.poll(() => countWaiting(world.app.db)).toBe(1)
  gone.abort()
  await left
  await expect.poll(() => countWaiting(world.app.db)).toBe(0)
  const held = poll()
  await expect.poll(() => countWaiting(world.app.db)).toBe(1)
  endWaiting(world.app.db)
  expect((await held).status).toBe(204)
})

test('records pause and resume as events', async () => {
  const which = await begin()
  expect((await world.api(broadcasts.pause, which, { as: ann })).status).toBe(201)
  await world.api(broadcasts.pause, which, { as: ann })
  expect(await onAirOf(world, ann)).toMatchObject({ status: 'pause', action: 'stopped' })
  const flat = await world.api(liveStatus.get, inProject(), { as: ann })
  expect(flat.body).toMatchObject({ status: 'pause', action: 'stopped', broadcast_id: which.broadcast_id })
  await world.api(broadcasts.play, which, { as: ann })
  expect(await onAirOf(world, ann)).toMatchObject({ status: 'active', action: 'active' })
  const { body } = await world.api(broadcasts.events, { ...which, sort_by_date: 'asc' }, { as: ann })
  expect(body.results.map(({ kind }) => kind)).toEqual(['began', 'paused', 'resumed'])
  await node.end(ann.projectId)
  expect((await world.api(broadcasts.pause, which, { as: ann })).error?.name).toBe('BroadcastIsOver')
  expect((await world.api(liveStatus.get, inProject(), { as: ann })).body).toEqual({
    live_groups_count: 0,
    status: 'offline',
  })
})

test('a smaller picture for a slow channel is in the status, and each change of it is one event', async () => {
  const channelId = await newChannel(world, ann)
  const which = await begin()
  const tell = (state: 'live' | 'degraded' | 'backoff', smaller?: boolean) =>
    node.channel(ann.projectId, channelId, state, smaller ? { smaller } : {})
  const shown = async () => (await onAirOf(world, ann)).restreams?.map(({ state, smaller }) => [state, smaller])
  await tell('live')
  expect(await shown()).toEqual([['live', undefined]])
  await tell('degraded', true)
  await tell('degraded', true)
  expect(await shown()).toEqual([['degraded', true]])
  await tell('backoff', true)
  // Nothing is sent.
  expect(await shown()).toEqual([['backoff', undefined]])
  await tell('live', true)
  await tell('live')
  expect(await shown()).toEqual([['live', undefined]])
  const { body } = await world.api(broadcasts.events, { ...which, sort_by_date: 'asc' }, { as: ann })
  const changed = body.results.filter(({ kind }) => kind === 'smaller' || kind === 'larger')
  expect(changed.map(({ kind, level, channel }) => [kind, level, channel?.id])).toEqual([
    ['smaller', 'warning', channelId],
    ['larger', 'info', channelId],
  ])
})

test('beginning and end are in the history of the project', async () => {
  const { broadcast_id } = await begin()
  await node.end(ann.projectId)
  const { body } = await world.api(history.list, inProject(), { as: ann })
  expect(body.results.slice(0, 2).map(({ action, details, user_id }) => [action, details, user_id])).toEqual([
    ['broadcast_ended', { broadcast_id }, null],
    ['broadcast_began', { broadcast_id }, null],
  ])
})

test('returns ingest addresses, with the key masked for viewers', async () => {
  await reportNode(world.services, { ...someNode, time: world.clock.now().toISOString() })
  const { key } = (await world.api(streamKeys.get, inProject(), { as: ann })).body
  const { body } = await world.api(broadcasts.credentials, inProject(), { as: ann })
  expect(body).toEqual({
    key,
    ingresses: [
      { url: someNode.rtmp, region: 'Frankfurt' },
      { url: someNode.srt, region: 'Frankfurt' },
    ],
  })
  const vic = await world.user('Vic')
  await world.join(vic, ann.projectId, 0)
  const masked = (await world.api(broadcasts.credentials, inProject(), { as: vic })).body.key
  expect(masked).not.toBe(key)
  expect(masked.slice(-4)).toBe(key.slice(-4))
})

test('the history is found by time and platform', async () => {
  const first = await begin()
  const channel_id = await newChannel(world, ann)
  await node.channel(ann.projectId, channel_id, 'live')
  await node.end(ann.projectId)
  world.clock.advance(86_400_000)
  ann = await world.signIn(ann)
  const between = world.clock.now().toISOString()
  world.clock.advance(1_000)
  const second = await begin()
  await node.end(ann.projectId)
  const found = async (filter: object) =>
    (await world.api(broadcasts.list, { ...inProject(), ...filter }, { as: ann })).body.results.map(({ id }) => id)
  expect(await found({})).toEqual([first.broadcast_id, second.broadcast_id])
  expect(await found({ date_from: between })).toEqual([second.broadcast_id])
  expect(await found({ date_to: between })).toEqual([first.broadcast_id])
  expect(await found({ platform: 'youtube' })).toEqual([first.broadcast_id])
  const messages = await world.api(analytics.messages, first, { as: ann })
  expect(messages.body).toEqual({ items: [] })
})

test('seconds without media change no figure, and the last bitrate is that of the last media', async () => {
  const which = await begin()
  const second = async (kbps: number) => {
    world.clock.advance(1_000)
    await node.second(ann.projectId, kbps)
  }
  for (const kbps of [0, 4_000, 5_000, 5_000, 5_000, 5_000, 5_000]) await second(kbps)
  // The encoder stops within the second.
  await second(40)
  await node.tell(ann.projectId, { type: 'source-lost', how: 'socket' })
  for (let left = 3; left > 0; left--) await second(0)
  const shown = async () => (await world.api(broadcasts.get, which, { as: ann })).body
  expect(await shown()).toMatchObject({ bitrate: 5_000, fps: 30 })
  await node.end(ann.projectId)
  expect(await shown()).toMatchObject({ bitrate: 5_000, fps: 30 })
  const compared = await world.api(analytics.broadcasts, inProject(), { as: ann })
  expect(compared.body.results[0]?.bitrate).toMatchObject({ avg: Math.round((4_000 + 5 * 5_000 + 40) / 7), max: 5_000 })
  // The graph has a gap there.
  const { data } = (await world.api(broadcasts.bitrate, which, { as: ann })).body
  expect(data).toEqual([4_000, 5_000, 5_000, 5_000, 5_000, 5_000, 40])
})

test('time on air stops with the encoder: absences and the last hold do not count', async () => {
  const which = await begin()
  const pass = (seconds: number) => world.clock.advance(seconds * 1_000)
  pass(60)
  await node.tell(ann.projectId, { type: 'source-lost', how: 'socket' })
  pass(20)
  await node.begin(ann.projectId)
  expect(await onAirOf(world, ann)).toMatchObject({ away: 20 })
  pass(40)
  await node.tell(ann.projectId, { type: 'source-lost', how: 'unpublish' })
  const lostAt = world.clock.now().toISOString()
  pass(30)
  expect(await onAirOf(world, ann)).toMatchObject({ away: 20, date_lost: lostAt })
  await node.end(ann.projectId)
  expect((await world.api(broadcasts.get, which, { as: ann })).body).toMatchObject({ away: 50 })
  expect((await world.api(broadcasts.list, inProject(), { as: ann })).body.results[0]).toMatchObject({ away: 50 })
  const compared = await world.api(analytics.broadcasts, inProject(), { as: ann })
  expect(compared.body.results[0]).toMatchObject({ away: 50 })
})
