// Platforms that assign an address to each broadcast: start, refusal, end, viewers.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { analytics } from '#contract/areas/analytics/analytics.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { settledState } from '#server/testing/desired.ts'
import { ageJobs, runJobs } from '#server/testing/jobs.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import {
  type DoublePlatform,
  DoubleReply,
  type PlatformDouble,
  platformDouble,
} from '#server/testing/providers/double.ts'
import { twitchDouble, youtubeDouble } from '#server/testing/providers/platforms.ts'
import { vkDouble } from '#server/testing/providers/platforms-vk.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { addUnits } from '#server/domain/platforms/quota.ts'
import { FencedError } from '#server/db/jobs.ts'
import { targetEndJob, targetJob } from './live-targets.ts'
import { listTargets } from './live-targets-store.ts'
import { askForViewers } from './live-viewers.ts'

let double: PlatformDouble
let world: World
let ann: Person
let node: ReturnType<typeof someNodeOf>
/** Response of VK instead of an address. */
let refusal: DoubleReply | null

const start = 'POST api.vk.com/method/video.startStreaming'
const stop = 'POST api.vk.com/method/video.stopStreaming'

beforeEach(async () => {
  refusal = null
  const { [start]: known, ...routes } = vkDouble.routes
  const vk: DoublePlatform = {
    ...vkDouble,
    routes: { ...routes, [start]: { type: 'form', answer: (request) => refusal ?? known?.answer(request) } },
  }
  double = await platformDouble([vk, twitchDouble, youtubeDouble])
  double.tokens.add('access-1')
  world = await testApp(registeredAt(double.base))
  ann = await world.user()
  node = someNodeOf(world)
})
afterEach(async () => {
  await world.close()
  await double.close()
  double.check()
})

const calls = (name: string) => double.calls.filter((call) => call === name).length

/** Ann's community at VK is a channel that is switched on. @returns its number */
async function vkChannel(): Promise<number> {
  await connect(world, ann, 'vk')
  const { results } = (await world.api(platforms.accounts, {}, { as: ann })).body
  const input = { project_id: ann.projectId, account_id: String(results[0]?.id), channel_id: '-321' }
  const { body } = await world.api(addChannel.vk, input, { as: ann })
  await world.api(channels.setStatus, { channel_id: body.channel_id, status: true }, { as: ann })
  return body.channel_id
}

/** Returns the destinations for the relay after all pending requests to platforms. */
const wanted = async () => (await settledState(world.services, ann.projectId)).destinations

/** Lets time pass, for jobs as well. */
async function pass(ms: number): Promise<void> {
  world.clock.advance(ms)
  await ageJobs(world.app.db, ms)
}

test('requests an address from VK once per broadcast, and ends the broadcast there', async () => {
  const id = await vkChannel()
  expect(await wanted()).toEqual([])
  await node.begin(ann.projectId)
  expect(await wanted()).toEqual([
    { id, target: { protocol: 'rtmp', host: 'ovsu.okcdn.ru', port: 1935, app: 'input', key: 'vk-key' } },
  ])
  await wanted()
  expect(calls(start)).toBe(1)
  const { restreams } = await onAirOf(world, ann)
  expect(restreams).toMatchObject([{ channel_id: id, state: 'connecting', url: 'https://vk.com/video-321_8' }])
  await node.end(ann.projectId)
  await runJobs(world.services, [targetEndJob])
  await runJobs(world.services, [targetEndJob])
  expect(calls(stop)).toBe(1)
  expect(world.logged.join('')).not.toContain('vk-key')
  const rows = await world.app.db.selectFrom('broadcast_targets').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('vk-key')
})

test('keeps the backoff of a request that failed before its target was stored', async () => {
  const id = await vkChannel()
  await node.begin(ann.projectId)
  const { db } = world.app
  const { broadcast_id } = await onAirOf(world, ann)
  const due = Date.now() + 3_600_000
  const values = { due, attempts: 2, error: 'Error: no' }
  await db
    .insertInto('jobs')
    .values({ kind: targetJob.kind, key: `${broadcast_id}:${id}`, ...values })
    .onConflict((one) => one.columns(['kind', 'key']).doUpdateSet(values))
    .execute()
  await wanted()
  expect(calls(start)).toBe(0)
})

test('records a refusal with the message of the platform, keeps the others live, and retries on request', async () => {
  const id = await vkChannel()
  const twitch = (await connect(world, ann, 'twitch')).body.channel_id ?? 0
  await world.api(channels.setStatus, { channel_id: twitch, status: true }, { as: ann })
  refusal = new DoubleReply(200, { error: { error_code: 204, error_msg: 'Access denied' } })
  await node.begin(ann.projectId)
  expect((await wanted()).map((one) => one.id)).toEqual([twitch])
  await wanted()
  expect(calls(start)).toBe(1)
  const { broadcast_id, restreams } = await onAirOf(world, ann)
  expect(restreams.find(({ channel_id }) => channel_id === id)).toMatchObject({
    state: 'rejected',
    reason: 'platform-refused',
    words: 'The platform refused: Access denied',
  })
  const which = { project_id: ann.projectId, broadcast_id }
  const { body } = await world.api(broadcasts.events, { ...which, level: 'error' }, { as: ann })
  expect(body.results).toMatchObject([{ kind: 'rejected', reason: 'platform-refused', channel: { id } }])
  refusal = null
  await world.api(broadcasts.retry, { ...which, channel_id: id }, { as: ann })
  expect((await wanted()).map((one) => one.id).toSorted((a, b) => a - b)).toEqual([id, twitch])
})

test('retries an unreachable platform with increasing delays', async () => {
  await vkChannel()
  refusal = new DoubleReply(200, { error: { error_code: 10, error_msg: 'Internal server error' } })
  await node.begin(ann.projectId)
  expect(await wanted()).toEqual([])
  const { restreams } = await onAirOf(world, ann)
  expect(restreams).toMatchObject([{ state: 'backoff', reason: 'platform-away', attempt: 1 }])
  await pass(14_000)
  await wanted()
  expect(calls(start)).toBe(1)
  await pass(1_000)
  await wanted()
  expect(calls(start)).toBe(2)
  await pass(15_000)
  await wanted()
  expect(calls(start)).toBe(2)
  refusal = null
  await pass(15_000)
  expect(await wanted()).toHaveLength(1)
})

test('stops a channel that is switched off before it is live, and starts it again when it is switched on', async () => {
  const id = await vkChannel()
  refusal = new DoubleReply(200, { error: { error_code: 204, error_msg: 'Access denied' } })
  await node.begin(ann.projectId)
  await wanted()
  await world.api(channels.setStatus, { channel_id: id, status: false }, { as: ann })
  await wanted()
  expect((await onAirOf(world, ann)).restreams).toEqual([])
  refusal = null
  await world.api(channels.setStatus, { channel_id: id, status: true }, { as: ann })
  expect(await wanted()).toHaveLength(1)
})

test('reports an account that the platform no longer accepts as the reason', async () => {
  await vkChannel()
  double.tokens.clear()
  await node.begin(ann.projectId)
  expect(await wanted()).toEqual([])
  expect((await onAirOf(world, ann)).restreams).toMatchObject([{ state: 'rejected', reason: 'account' }])
})

test('reads viewers once a minute from platforms that publish them, and sums them', async () => {
  const id = await vkChannel()
  const twitch = (await connect(world, ann, 'twitch')).body.channel_id ?? 0
  const youtube = (await connect(world, ann, 'youtube')).body.channel_id ?? 0
  await node.begin(ann.projectId)
  await wanted()
  for (const channel of [id, twitch, youtube]) await node.channel(ann.projectId, channel, 'live')
  await askForViewers(world.services)
  const { broadcast_id, restreams } = await onAirOf(world, ann)
  expect(restreams.map(({ viewers }) => viewers)).toEqual([8, 13, 21])
  expect(restreams.at(-1)?.url).toBe('https://www.youtube.com/watch?v=planned-1')
  world.clock.advance(60_000)
  await askForViewers(world.services)
  const which = { project_id: ann.projectId, broadcast_id }
  const { body } = await world.api(broadcasts.viewers, which, { as: ann })
  expect(body).toMatchObject({ data: [42, 42], setting: { step: 60, unit: 'viewers' } })
  const stream = { project_id: ann.projectId, stream_id: broadcast_id }
  expect((await world.api(analytics.viewers, stream, { as: ann })).body).toEqual(body)
  const compared = await world.api(analytics.broadcasts, { project_id: ann.projectId }, { as: ann })
  expect(compared.body.results[0]).toMatchObject({ viewers: { avg: 42, max: 42 }, channels: 3 })
})

test('counts viewers at YouTube only with half of the quota for broadcasts, and learns the page of a new one', async () => {
  const channel_id = (await connect(world, ann, 'youtube')).body.channel_id ?? 0
  await world.api(channels.setStatus, { channel_id, status: true }, { as: ann })
  await node.begin(ann.projectId)
  await wanted()
  await node.channel(ann.projectId, channel_id, 'live')
  await addUnits(world.services, 'youtube', world.services.config.youtubeQuota / 10)
  const asked = async () => {
    const before = calls('GET www.googleapis.com/youtube/v3/videos')
    await askForViewers(world.services)
    return calls('GET www.googleapis.com/youtube/v3/videos') > before
  }
  expect(await asked()).toBe(true)
  const stored = () => world.app.db.selectFrom('restreams').select(['viewers', 'url']).executeTakeFirst()
  const url = 'https://www.youtube.com/watch?v=planned-1'
  expect(await stored()).toEqual({ viewers: 21, url })
  world.clock.advance(600_000)
  expect(await asked()).toBe(false)
  expect(await stored()).toEqual({ viewers: null, url })
})

test('sends the stream settings to the broadcast that YouTube made from the stream, once', async () => {
  const channel_id = (await connect(world, ann, 'youtube')).body.channel_id ?? 0
  const options = {
    project_id: ann.projectId,
    channel_id,
    title: 'Final',
    description: '',
    privacy_video: 'unlisted' as const,
  }
  await world.api(settings.setYoutube, options, { as: ann })
  await world.api(channels.setStatus, { channel_id, status: true }, { as: ann })
  await node.begin(ann.projectId)
  await wanted()
  await node.channel(ann.projectId, channel_id, 'live')
  const before = calls('PUT www.googleapis.com/youtube/v3/videos')
  await askForViewers(world.services)
  world.clock.advance(60_000)
  await askForViewers(world.services)
  expect(calls('PUT www.googleapis.com/youtube/v3/videos')).toBe(before + 1)
})

test('shows the state of VK in its words while VK shows nothing', async () => {
  const id = await vkChannel()
  await node.begin(ann.projectId)
  await wanted()
  await node.channel(ann.projectId, id, 'live')
  for (let round = 0; round < 7; round++) {
    world.clock.advance(10_000)
    await askForViewers(world.services, undefined, { ofDoubts: true })
  }
  const [restream] = (await onAirOf(world, ann)).restreams
  expect(restream?.seen).toMatchObject({ state: 'not_seen', words: 'upcoming' })
})

test('pauses requests to a platform that returns no viewers, and counts the others', async () => {
  const id = await vkChannel()
  const twitch = (await connect(world, ann, 'twitch')).body.channel_id ?? 0
  await node.begin(ann.projectId)
  await wanted()
  for (const channel of [id, twitch]) await node.channel(ann.projectId, channel, 'live')
  await world.app.db.updateTable('platform_accounts').set({ status: 0 }).where('platform', '=', 'twitch').execute()
  await askForViewers(world.services)
  const { restreams } = await onAirOf(world, ann)
  expect(restreams.map(({ viewers }) => viewers)).toEqual([8, null])
})

test('a request whose job another replica took over changes nothing', async () => {
  const id = await vkChannel()
  await node.begin(ann.projectId)
  const { broadcast_id: broadcastId } = await onAirOf(world, ann)
  const taken = () => Promise.reject(new FencedError('Another holder has the job'))
  const job = { key: `${broadcastId}:${id}`, attempts: 1, fence: taken, renew: taken, finish: taken }
  await expect(targetJob.run(world.services, job)).rejects.toThrow(FencedError)
  expect(await listTargets(world.app.db, [broadcastId])).toMatchObject([{ state: 'starting', date_next: null }])
  expect((await onAirOf(world, ann)).restreams).toMatchObject([{ state: 'connecting', reason: null }])
})
