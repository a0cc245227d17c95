// Titles of runs at the platforms: set when the files have the air, and what becomes of a refusal.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import type { AccountPlatform } from '#contract/platforms/platforms.ts'
import { upgrade } from '#server/testing/channels.ts'
import { settledState } from '#server/testing/desired.ts'
import { ageJobs, runJobs } from '#server/testing/jobs.ts'
import { onAirOf } from '#server/testing/on-air.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import {
  type DoublePlatform,
  DoubleReply,
  type PlatformDouble,
  platformDouble,
} from '#server/testing/providers/double.ts'
import { vkDouble } from '#server/testing/providers/platforms-vk.ts'
import { trovoDouble, twitchDouble } from '#server/testing/providers/platforms.ts'
import { YoutubeLive } from '#server/testing/providers/youtube-live.ts'
import { scheduleStage, someFilm } from '#server/testing/schedules.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { targetJob } from './live-targets.ts'
import { createTitleJob } from './titles.ts'

const titleJob = createTitleJob(() => undefined)
const twitchCall = 'PATCH api.twitch.tv/helix/channels'
const trovoCall = 'POST open-api.trovo.live/openplatform/channels/update'
const vkCall = 'POST api.vk.com/method/video.startStreaming'

let youtube: YoutubeLive
let double: PlatformDouble
let world: World
let ann: Person
let stage: ReturnType<typeof scheduleStage>
let film: number
/** Titles that the platforms got, by call. */
let got: Record<string, unknown[]>
/** Responses of the platforms in place of their own, by call. */
let refusals: Record<string, DoubleReply | undefined>

/** A platform that notes the titles of a call, and refuses it when the test says so. */
function listening(platform: DoublePlatform, call: string, field: string): DoublePlatform {
  const route = platform.routes[call]
  if (!route) throw new Error(call)
  const answer: typeof route.answer = (request) => {
    got[call] = [...(got[call] ?? []), request.body[field]]
    return refusals[call] ?? route.answer(request)
  }
  return { ...platform, routes: { ...platform.routes, [call]: { ...route, answer } } }
}

beforeEach(async () => {
  got = {}
  refusals = {}
  youtube = new YoutubeLive(() => world.clock.now().getTime())
  double = await platformDouble([
    listening(twitchDouble, twitchCall, 'title'),
    listening(trovoDouble, trovoCall, 'live_title'),
    listening(vkDouble, vkCall, 'name'),
    youtube.platform,
  ])
  double.tokens.add('access-1').add('*')
  // The doubles have no chat.
  world = await testApp({ ...registeredAt(double.base), CHAT: 'off' })
  ann = await world.user()
  await upgrade(world, ann, 5)
  stage = scheduleStage(world, ann)
  film = await someFilm(world, ann.projectId)
  await stage.connect('one')
})
afterEach(async () => {
  youtube.release()
  await world.close()
  await double.close()
  double.check()
})

const place = () => ({ project_id: ann.projectId })

/** A channel with an account, switched on. */
async function channel(platform: AccountPlatform): Promise<number> {
  const { body } = await connect(world, ann, platform)
  return await on(body.channel_id ?? 0)
}

async function on(id: number): Promise<number> {
  await world.api(channels.setStatus, { channel_id: id, status: true }, { as: ann })
  return id
}

const work = () => runJobs(world.services, [titleJob, targetJob])
const create = (titles: readonly { readonly channel_id: number; readonly title: string }[]) =>
  stage.create({ start_at: undefined, start_now: true, video: { ids: [film], loop: true }, titles: [...titles] })

/** The run of a schedule has the air. @returns its number */
async function begin(id: number): Promise<number> {
  await stage.work()
  const run = (await stage.get(id)).run?.id ?? 0
  expect(await stage.begin('one', run)).toBe('live')
  return run
}

const live = (id: number) => stage.node('one').channel(ann.projectId, id, 'live')
const titlesOf = async (id: number) => (await stage.get(id)).run?.titles

async function events(): Promise<unknown[]> {
  const { broadcast_id } = await onAirOf(world, ann)
  const { results } = (await world.api(broadcasts.events, { ...place(), broadcast_id }, { as: ann })).body
  return results.flatMap(({ kind, channel: of, reason, words }) =>
    kind === 'title-failed' ? [[of?.name, reason, words]] : [],
  )
}

test('sets titles when channels are live with the files, once a run', async () => {
  const [twitch, trovo] = [await channel('twitch'), await channel('trovo')]
  const id = await create([
    { channel_id: twitch, title: 'Film night' },
    { channel_id: trovo, title: 'Film night at Trovo' },
  ])
  await begin(id)
  await work()
  expect(got).toEqual({})
  expect(await titlesOf(id)).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
  for (const one of [twitch, trovo]) await live(one)
  await work()
  expect(got).toEqual({ [twitchCall]: ['Film night'], [trovoCall]: ['Film night at Trovo'] })
  expect(await titlesOf(id)).toEqual(
    [twitch, trovo].map((channel_id) => ({ channel_id, state: 'set', reason: null, words: null })),
  )
  await live(twitch)
  await work()
  expect(got[twitchCall]).toHaveLength(1)
})

test('waits while an encoder has the air', async () => {
  const twitch = await channel('twitch')
  const id = await create([{ channel_id: twitch, title: 'Film night' }])
  await stage.node('one').begin(ann.projectId)
  await live(twitch)
  await stage.work()
  await work()
  expect(got).toEqual({})
  const run = (await stage.get(id)).run?.id ?? 0
  await stage.begin('one', run)
  await work()
  expect(got).toEqual({ [twitchCall]: ['Film night'] })
})

test('a refusal is an event and a state of its channel, and the others go', async () => {
  const [twitch, trovo] = [await channel('twitch'), await channel('trovo')]
  refusals[twitchCall] = new DoubleReply(400, { message: 'The title contains banned words' })
  const id = await create([twitch, trovo].map((channel_id) => ({ channel_id, title: 'Film night' })))
  await begin(id)
  for (const one of [twitch, trovo]) await live(one)
  await work()
  expect(await titlesOf(id)).toMatchObject([
    { channel_id: twitch, state: 'failed', reason: 'platform-refused', words: 'The title contains banned words' },
    { channel_id: trovo, state: 'set' },
  ])
  expect(await events()).toEqual([['Ann', 'title-platform-refused', 'The title contains banned words']])
})

test('tries again while the platform is unreachable', async () => {
  const twitch = await channel('twitch')
  refusals[twitchCall] = new DoubleReply(503, {})
  const id = await create([{ channel_id: twitch, title: 'Film night' }])
  await begin(id)
  await live(twitch)
  await work()
  expect(await titlesOf(id)).toMatchObject([{ state: 'waiting' }])
  refusals = {}
  await ageJobs(world.app.db, 60_000)
  await work()
  expect(await titlesOf(id)).toMatchObject([{ state: 'set' }])
  refusals[twitchCall] = new DoubleReply(503, {})
  await stage.stop(id)
  const next = await create([{ channel_id: twitch, title: 'Late night' }])
  await begin(next)
  for (let runs = 0; runs < 10; runs++) {
    await ageJobs(world.app.db, 60_000)
    await work()
  }
  expect(await titlesOf(next)).toMatchObject([{ state: 'failed', reason: 'timeout', words: null }])
})

test('says that a channel has no account', async () => {
  const twitch = await channel('twitch')
  const id = await create([{ channel_id: twitch, title: 'Film night' }])
  await world.app.db.updateTable('channels').set({ account_id: null }).execute()
  await begin(id)
  await live(twitch)
  await work()
  expect(await titlesOf(id)).toMatchObject([{ state: 'failed', reason: 'account' }])
})

test('waits for the broadcast at YouTube, and gives up after five minutes', async () => {
  const id = await channel('youtube')
  const form = { ...place(), channel_id: id, title: 'Mine', description: '' } as const
  await world.api(settings.setYoutube, form, { as: ann })
  const schedule = await create([{ channel_id: id, title: 'Film night' }])
  await begin(schedule)
  await live(id)
  await work()
  expect(await titlesOf(schedule)).toMatchObject([{ state: 'waiting' }])
  youtube.show('shown-1')
  await ageJobs(world.app.db, 15_000)
  await work()
  expect(youtube.described.at(-1)).toMatchObject({ id: 'shown-1', snippet: { title: 'Film night' } })
  expect(await titlesOf(schedule)).toMatchObject([{ state: 'set' }])
  await stage.stop(schedule)
  youtube.broadcasts.length = 0
  const next = await create([{ channel_id: id, title: 'Late night' }])
  await begin(next)
  for (let runs = 0; runs < 22; runs++) {
    await stage.pass(15)
    await work()
  }
  expect(await titlesOf(next)).toMatchObject([{ state: 'failed', reason: 'hidden' }])
})

test('VK gets the title with the begin of its broadcast, and takes no other one later', async () => {
  await connect(world, ann, 'vk')
  const { results } = (await world.api(platforms.accounts, {}, { as: ann })).body
  const account = { ...place(), account_id: String(results[0]?.id), channel_id: '-321' }
  const vk = await on((await world.api(addChannel.vk, account, { as: ann })).body.channel_id)
  const schedule = await create([{ channel_id: vk, title: 'Film night' }])
  await begin(schedule)
  await settledState(world.services, ann.projectId)
  expect(got).toEqual({ [vkCall]: ['Film night'] })
  expect(await titlesOf(schedule)).toMatchObject([{ state: 'set' }])
  // Its broadcast is live, and the next schedule has another title.
  await live(vk)
  await stage.node('one').tell(ann.projectId, { type: 'source-began', encoder: 'OBS', address: '' })
  await stage.stop(schedule)
  const next = await create([{ channel_id: vk, title: 'Late night' }])
  await begin(next)
  await work()
  expect(await titlesOf(next)).toMatchObject([{ state: 'failed', reason: 'no-change' }])
  expect(got[vkCall]).toHaveLength(1)
})

test('refuses a title that a platform cannot take', async () => {
  const own = {
    ...place(),
    type: 'kick',
    name: 'Own',
    rtmp_url: 'rtmp://ingest.example.com/live',
    stream_key: 'k',
  } as const
  const kick = (await world.api(addChannel.any, own, { as: ann })).body.channel_id
  const twitch = await channel('twitch')
  const start_at = Math.floor(world.clock.now().getTime() / 1000) + 600
  const plan = { ...place(), channel_ids: [], start_at, video: { ids: [film] } }
  const save = (channel_id: number, title: string) =>
    world.api(scheduler.create, { ...plan, titles: [{ channel_id, title }] }, { as: ann })
  expect((await save(twitch, 'x'.repeat(140))).status).toBe(201)
  expect((await save(twitch, 'x'.repeat(141))).error).toMatchObject({ name: 'ScheduleTitle' })
  expect((await save(kick, 'Evening')).error).toMatchObject({ name: 'ScheduleTitle' })
})
