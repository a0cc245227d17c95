// Restreams and live status of a broadcast, as both snapshots call them.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { live } from '#contract/areas/broadcasts/live.ts'
import { liveStatus } from '#contract/areas/broadcasts/live-status.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { readRealtimeToken } from '#server/domain/realtime/tokens.ts'
import { newChannel } from '#server/testing/channels.ts'
import { someIngest } from '#server/testing/nodes.ts'
import { beginBroadcast, onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let node: ReturnType<typeof someNodeOf>

beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  node = someNodeOf(world)
})
afterEach(() => world.close())

const inProject = () => ({ project_id: ann.projectId })
const begin = () => beginBroadcast(world, ann, node)

test('restreams come with tokens of the channels that publish changes, for members and by the chat key', async () => {
  const which = await begin()
  const channel_id = await newChannel(world, ann, { name: 'Main' })
  await node.channel(ann.projectId, channel_id, 'live')
  const { body } = await world.api(broadcasts.restreams, which, { as: ann })
  const id = body.results[0]?.id
  const later = { id, channel_id, channel_name: 'Main', channel_type: 'youtube' }
  const earlier = { restream_id: id, name: 'Main', image: '', platform: 'youtube', viewers: null }
  expect(body.results).toEqual([{ ...later, ...earlier }])
  const { update_url_channel: urls, update_stats_channel: stats } = body.centrifuge
  expect([urls.channel, stats.channel]).toEqual([
    `$broadcast_restreams:${which.broadcast_id}`,
    `$broadcast_restream_stats:${which.broadcast_id}`,
  ])
  expect((await world.api(live.restreams, which, { as: ann })).body.results).toEqual(body.results)
  const { key } = (await world.api(chat.key, inProject(), { as: ann })).body
  const { broadcast_id } = which
  const seen = await world.api(broadcasts.restreamsChat, { broadcast_id, key })
  expect(seen.body.results).toMatchObject([{ channel_id, name: 'Main', platform: 'youtube', viewers: null }])
  const bob = await world.user('Bob')
  const other = (await world.api(chat.key, { project_id: bob.projectId }, { as: bob })).body.key
  const foreign = await world.api(broadcasts.restreamsChat, { broadcast_id, key: other })
  expect(foreign.error?.name).toBe('BroadcastNotFound')

  const byKey = await world.api(broadcasts.restreams, { broadcast_id, key })
  expect(byKey.body.results).toEqual(body.results)
  expect(readRealtimeToken(world.services.config, byKey.body.centrifuge.update_url_channel.token)).toMatchObject({
    channel: urls.channel,
    holder: { key_id: expect.any(Number) },
  })
  expect((await world.api(broadcasts.restreams, { broadcast_id, key: other })).error?.name).toBe('BroadcastNotFound')
  expect((await world.api(broadcasts.restreams, { broadcast_id }, { as: ann })).body.results).toEqual(body.results)
  for (const call of [{ broadcast_id }, which, { broadcast_id, project_id: bob.projectId }]) {
    expect((await world.api(broadcasts.restreams, call, { as: bob })).error?.name).toBe('Forbidden')
    expect((await world.api(broadcasts.restreams, call)).status).toBe(401)
  }
})

test('the status has the share of each path of a bonded encoder, and no paths of others', async () => {
  await begin()
  expect(await onAirOf(world, ann)).not.toHaveProperty('paths')
  const link = { rttMs: 40, lost: 0, dropped: 0, lostBytes: 0, droppedBytes: 0, bufferMs: 0, ageMs: 1_000, quietMs: 0 }
  const paths = [300, 100, 0].map((rate) => ({ packets: 10_000, rate }))
  await node.tell(ann.projectId, {
    type: 'sample',
    ingest: { ...someIngest, link: { ...link, paths } },
    destinations: [],
  })
  expect((await onAirOf(world, ann)).paths).toEqual([{ share: 75 }, { share: 25 }, { share: 0 }])
})

test('live status without a project is that of the last selected one', async () => {
  const { broadcast_id } = await begin()
  const bob = await world.user('Bob')
  const ask = async (as: Person, of = {}) => (await world.api(liveStatus.get, of, { as })).body
  expect(await ask(ann)).toMatchObject({ broadcast_id, info: { fps: 0, bitrate: 0, quality: 0, speed: 0 } })
  await node.second(ann.projectId, 6000)
  expect((await ask(ann)).info).toMatchObject({ fps: 30, bitrate: 6000, quality: 1080, key_frame: 2 })
  expect(await ask(bob)).toEqual({ live_groups_count: 0, status: 'offline' })
  expect((await world.api(liveStatus.get, inProject(), { as: bob })).error?.name).toBe('Forbidden')
  await world.app.db.updateTable('users').set({ last_project_id: null }).where('id', '=', bob.id).execute()
  expect((await world.api(liveStatus.get, {}, { as: bob })).error?.name).toBe('Forbidden')
})

test('events can be filtered by day', async () => {
  const which = await begin()
  const count = async (date_from: string) =>
    (await world.api(broadcasts.events, { ...which, date_from }, { as: ann })).body.total
  const today = world.clock.now().toISOString().slice(0, 10)
  expect([await count(today), await count('2999-01-01')]).toEqual([1, 0])
  expect((await world.api(broadcasts.events, { ...which, date_from: '2026-13-01' }, { as: ann })).status).toBe(400)
})
