// Notifications about the stream of a broadcast: settled, once a broadcast, and removed when the cause ends in time.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { history } from '#contract/areas/notifications/history.ts'
import type { InputFault } from '#contract/entities/on-air.ts'
import { settings } from '#contract/areas/notifications/settings.ts'
import { newChannel } from '#server/testing/channels.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const settledMs = 60_000
let count = 0

/** A project on air. */
async function scene() {
  const ann = await world.user()
  const channelId = await newChannel(world, ann)
  const node = someNodeOf(world, `notices ${++count}`)
  await node.begin(ann.projectId)
  const names = async () => {
    const as = await world.signIn(ann)
    const { results } = (await world.api(history.list, { project_id: ann.projectId }, { as })).body
    return results.map(({ name }) => name).filter((name) => name !== 'broadcast_started')
  }
  /** Titles of the notifications of a kind, and whether they are read. */
  const rows = async (kind = 'stream_unhealthy') => {
    const as = await world.signIn(ann)
    const { results } = (await world.api(history.list, { project_id: ann.projectId }, { as })).body
    return results
      .filter((row) => row.name === kind)
      .map(({ text, status_read }) => [text.find(({ language_iso }) => language_iso === 'en')?.title, status_read])
  }
  return {
    ann,
    node,
    channelId,
    names,
    rows,
    fault: (kind: InputFault, isOn: boolean) =>
      node.tell(ann.projectId, { type: 'fault', fault: { kind, value: null, limit: null }, isOn }),
  }
}

const shownAfterMs = 30_000

test.each([
  ['broadcast_not_audio', 'no_audio'],
  ['stream_unhealthy', 'keyframes'],
] as const)('%s after 30 seconds, once a broadcast, and not when %s ends within them', async (name, kind) => {
  const { names, fault } = await scene()
  await fault(kind, true)
  world.clock.advance(shownAfterMs - 1_000)
  expect(await names()).toEqual([])
  await fault(kind, false)
  world.clock.advance(shownAfterMs)
  expect(await names()).toEqual([])
  await fault(kind, true)
  world.clock.advance(shownAfterMs)
  await fault(kind, false)
  await fault(kind, true)
  world.clock.advance(shownAfterMs)
  expect(await names()).toEqual([name])
})

test('a fault is one notification that is over, unread again, and over with its broadcast', async () => {
  const { ann, node, fault, rows } = await scene()
  await fault('black', true)
  await fault('silent', true)
  world.clock.advance(shownAfterMs)
  expect(await rows()).toEqual([
    ['The sound is silent', false],
    ['The picture is black', false],
  ])
  await fault('black', false)
  expect((await rows())[1]).toEqual(['The picture is black: fixed', true])
  await fault('black', true)
  expect((await rows())[1]).toEqual(['The picture is black', false])
  await node.end(ann.projectId)
  expect(await rows()).toEqual([
    ['The sound is silent: fixed', true],
    ['The picture is black: fixed', true],
  ])
})

test('a loss of the encoder is one notification, which says that the encoder is back; each loss is one', async () => {
  const { ann, node, rows } = await scene()
  const lose = () => node.tell(ann.projectId, { type: 'source-lost', how: 'socket' })
  const losses = () => rows('broadcast_connecting_lost')
  await lose()
  world.clock.advance(shownAfterMs)
  expect(await losses()).toEqual([['The encoder is disconnected', false]])
  await node.begin(ann.projectId)
  expect(await losses()).toEqual([['The encoder is back', true]])
  await lose()
  world.clock.advance(shownAfterMs)
  expect(await losses()).toEqual([
    ['The encoder is disconnected', false],
    ['The encoder is back', true],
  ])
  // A short loss is no news.
  await node.begin(ann.projectId)
  await lose()
  await node.begin(ann.projectId)
  world.clock.advance(shownAfterMs)
  expect(await losses()).toHaveLength(2)
})

test('a bitrate above the plan is one notification, which says that it fits again', async () => {
  const { ann, node, rows } = await scene()
  const bitrate = (state: 'high' | 'fine') =>
    node.tell(ann.projectId, { type: 'bitrate', state, kbps: 9_000, kbpsMax: 6_000 })
  const notices = () => rows('broadcast_bitrate_exceeded')
  await bitrate('high')
  world.clock.advance(settledMs)
  expect(await notices()).toEqual([['The bitrate exceeds your plan', false]])
  await bitrate('fine')
  expect(await notices()).toEqual([['The bitrate fits your plan again', true]])
  await bitrate('high')
  expect(await notices()).toEqual([['The bitrate exceeds your plan', false]])
})

test('a fault of a newer node is left out', async () => {
  const { ann, node, names } = await scene()
  await node.tell(ann.projectId, { type: 'fault', fault: { kind: 'newer', value: 1, limit: 2 }, isOn: true })
  world.clock.advance(shownAfterMs)
  expect(await names()).toEqual([])
})

test('a bitrate above the plan is reported after a minute, and in the banner immediately', async () => {
  const { ann, node, names } = await scene()
  await node.tell(ann.projectId, { type: 'bitrate', state: 'high', kbps: 9_000, kbpsMax: 6_000 })
  const banner = async () => (await world.api(settings.screen, { project_id: ann.projectId }, { as: ann })).body.title
  expect(await banner()).toBe('The bitrate exceeds your plan')
  expect(await names()).toEqual([])
  world.clock.advance(settledMs)
  await node.tell(ann.projectId, { type: 'bitrate', state: 'refused', kbps: 9_000, kbpsMax: 6_000 })
  expect(await names()).toEqual(['broadcast_bitrate_exceeded'])
})

test('a codec that a channel lacks is reported once a broadcast and channel', async () => {
  const { ann, node, names, channelId } = await scene()
  const title = async () => (await world.api(settings.screen, { project_id: ann.projectId }, { as: ann })).body.title
  await node.channel(ann.projectId, channelId, 'live', { lacks: 'hevc' })
  expect(await title()).not.toBeUndefined()
  await node.channel(ann.projectId, channelId, 'backoff', { lacks: 'hevc' })
  await node.channel(ann.projectId, channelId, 'live')
  await node.channel(ann.projectId, channelId, 'live', { lacks: 'hevc' })
  world.clock.advance(settledMs)
  expect((await names()).filter((name) => name === 'broadcast_unsupported_codec')).toHaveLength(1)
})
