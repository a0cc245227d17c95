// Notifications about the stream of a broadcast: settled, once a broadcast, and removed when the cause ends in time.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { history } from '#contract/areas/notifications/history.ts'
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
const healthy = {
  kbps: 4_000,
  fps: 30,
  gopMs: 2_000,
  videoCodec: 'avc1',
  audioCodec: 'mp4a',
  width: 1920,
  height: 1080,
}
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
  return {
    ann,
    node,
    channelId,
    names,
    sample: (ingest: Partial<typeof healthy>) =>
      node.tell(ann.projectId, { type: 'sample', ingest: { ...healthy, ...ingest }, destinations: [] }),
  }
}

test.each([
  ['broadcast_not_audio', { audioCodec: '' }],
  ['stream_unhealthy', { fps: 0 }],
] as const)('%s after a minute, once a broadcast, and not when it ends within the minute', async (kind, bad) => {
  const { names, sample } = await scene()
  await sample(bad)
  world.clock.advance(settledMs - 1_000)
  expect(await names()).toEqual([])
  await sample({})
  world.clock.advance(settledMs)
  expect(await names()).toEqual([])
  await sample(bad)
  world.clock.advance(settledMs)
  await sample({})
  await sample(bad)
  world.clock.advance(settledMs)
  expect(await names()).toEqual([kind])
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
