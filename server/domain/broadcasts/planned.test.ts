// Planned broadcasts at YouTube: made with the schedule, moved and deleted with it, and never two of them.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import type { Input } from '#contract/core/operation.ts'
import type { Services } from '#server/core/context.ts'
import { addUnits, countUnitsLeft } from '#server/domain/platforms/quota.ts'
import { newChannel } from '#server/testing/channels.ts'
import { ageJobs, runJobs } from '#server/testing/jobs.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { DoubleReply, type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { YoutubeLive } from '#server/testing/providers/youtube-live.ts'
import { scheduleStage, someFilm } from '#server/testing/schedules.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { askForViewers } from './live-viewers.ts'
import { createPlannedJob } from './planned.ts'
import { createTitleJob } from './titles.ts'

const plannedJob = createPlannedJob(() => undefined)

let youtube: YoutubeLive
let double: PlatformDouble
let world: World
let ann: Person
let stage: ReturnType<typeof scheduleStage>
let channelId: number
let film: number
/** The call that met its fate. */
let met: string

beforeEach(async () => {
  youtube = new YoutubeLive(() => world.clock.now().getTime())
  youtube.isReceived = false
  double = await platformDouble([youtube.platform])
  double.tokens.add('access-1').add('*')
  // The doubles have no chat.
  world = await testApp({ ...registeredAt(double.base), CHAT: 'off' })
  ann = await world.user()
  stage = scheduleStage(world, ann)
  film = await someFilm(world, ann.projectId)
  channelId = (await connect(world, ann, 'youtube')).body.channel_id ?? 0
  await world.api(channels.setStatus, { channel_id: channelId, status: true }, { as: ann })
})
afterEach(async () => {
  youtube.release()
  await world.close()
  await double.close()
  double.check()
})

const hour = 3_600
const now = () => Math.floor(world.clock.now().getTime() / 1000)
const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const planned = { privacy: 'public', description: 'With guests' } as const
const input = (fields: Partial<Input<typeof scheduler.create>> = {}) => ({
  name: 'Evening',
  start_at: now() + 2 * hour,
  video: { ids: [film] },
  planned,
  ...fields,
})
const create = (fields: Partial<Input<typeof scheduler.create>> = {}) => stage.create(input(fields))
const replace = (id: number, fields: Partial<Input<typeof scheduler.create>> = {}) =>
  world.api(scheduler.update, { project_id: ann.projectId, id, channel_ids: [], ...input(fields) }, { as: stage.me })
const work = (services: Services = world.services) => runJobs(services, [plannedJob])

/** Lets time pass, for nodes, jobs and claims as well. */
async function pass(ms: number): Promise<void> {
  await stage.pass(ms / 1000)
  await sql`update planned_broadcasts set claim_until = claim_until - ${ms}`.execute(world.app.db)
}

const done = (name: string) => youtube.calls.filter((call) => call === name).length
const there = () =>
  youtube.made.map(({ snippet, contentDetails, status }) => ({
    title: snippet['title'],
    at: snippet['scheduledStartTime'],
    bound: contentDetails.boundStreamId ?? null,
    state: status.lifeCycleStatus,
  }))
const startAt = () => Math.floor(Date.parse(String(youtube.made.at(-1)?.snippet['scheduledStartTime'])) / 1000)
const shown = async (id: number) => (await stage.get(id)).planned_at

test('makes a broadcast when the schedule is saved, and shows its page', async () => {
  const form = { project_id: ann.projectId, channel_id: channelId, title: 'Mine', description: 'Mine' } as const
  await world.api(settings.setYoutube, { ...form, audience: 'mark_for_nokids', latency: 'low' }, { as: ann })
  const before = await countUnitsLeft(world.services, 'youtube')
  const begin = now() + 2 * hour
  const id = await create({ name: 'Evening <live>' })
  await work()
  expect(youtube.made).toMatchObject([
    {
      snippet: { title: 'Evening live', description: 'With guests' },
      status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
      contentDetails: { enableAutoStart: true, enableAutoStop: true, latencyPreference: 'low' },
    },
  ])
  expect(startAt()).toBe(begin)
  // Bound to the stream, it would begin with the next broadcast of the channel, whichever that is.
  expect(there()).toMatchObject([{ bound: null }])
  const page = 'https://www.youtube.com/watch?v=made-1'
  expect(await shown(id)).toEqual([
    { channel_id: channelId, start_at: begin, state: 'planned', page, reason: null, words: null },
  ])
  expect(before - (await countUnitsLeft(world.services, 'youtube'))).toBe(50)
  // Nothing is repeated.
  await pass(7 * hour * 100)
  await work()
  expect(done('POST liveBroadcasts')).toBe(1)
})

test('plans nothing without the choice, for other channels, or for a channel that is off', async () => {
  await create({ planned: null })
  const other = await stage.create({ video: { ids: [film] }, planned })
  await replace(other, { planned: null })
  await work()
  await world.api(channels.setStatus, { channel_id: channelId, status: false }, { as: ann })
  await create()
  await work()
  expect(youtube.made).toEqual([])
})

test('feeds the broadcast when its run is about to begin, and plans the next one when it is over', async () => {
  await stage.connect('one')
  const begin = now() + 2 * hour
  const id = await create({ repeat: { every: 'day' } })
  await work()
  await pass(2 * hour * 1000 - 61_000)
  await stage.work()
  await work()
  expect(there()).toMatchObject([{ bound: null }])
  await pass(1_000)
  await stage.work()
  await work()
  expect(there()).toMatchObject([{ bound: 'stream-1', state: 'ready' }])
  await pass(60_000)
  const run = (await stage.get(id)).run?.id ?? 0
  await stage.begin('one', run)
  youtube.made.forEach((one) => (one.status.lifeCycleStatus = 'live'))
  await replace(id, { name: 'Late show', start_at: begin, repeat: { every: 'day' } })
  await work()
  await stage.work()
  await work()
  // What is on air is left alone.
  expect(there()).toEqual([{ title: 'Evening', at: at(begin), bound: 'stream-1', state: 'live' }])
  await stage.note('one', run, 'ended')
  youtube.made.forEach((one) => (one.status.lifeCycleStatus = 'complete'))
  await work()
  expect(there()).toEqual([
    { title: 'Evening', at: at(begin), bound: 'stream-1', state: 'complete' },
    { title: 'Late show', at: at(begin + 24 * hour), bound: null, state: 'created' },
  ])
  expect([done('POST liveBroadcasts'), done('POST liveBroadcasts/bind')]).toEqual([2, 1])
})

test('keeps title and privacy of the planned broadcast when it is shown', async () => {
  const form = { project_id: ann.projectId, channel_id: channelId, title: 'Mine', description: 'Mine' } as const
  await world.api(settings.setYoutube, { ...form, privacy_video: 'private', lang: 'en' }, { as: ann })
  await stage.connect('one')
  const id = await create({ titles: [{ channel_id: channelId, title: 'Film night' }] })
  await work()
  await pass(2 * hour * 1000 - 60_000)
  await stage.work()
  await work()
  await pass(60_000)
  await stage.begin('one', (await stage.get(id)).run?.id ?? 0)
  youtube.isReceived = true
  youtube.made.forEach((one) => (one.status.lifeCycleStatus = 'live'))
  youtube.described.length = 0
  await stage.node('one').channel(ann.projectId, channelId, 'live')
  await runJobs(world.services, [createTitleJob(() => undefined)])
  // It was made with its title.
  expect((await stage.get(id)).run?.titles).toMatchObject([{ state: 'set' }])
  expect(youtube.described).toEqual([])
  await pass(20_000)
  await askForViewers(world.services)
  expect(youtube.described).toMatchObject([
    { id: 'made-1', snippet: { title: 'Film night', description: 'With guests', defaultLanguage: 'en' }, status: {} },
  ])
  expect(youtube.described[0]?.['status']).toEqual({})
})

test('moves the broadcast with its schedule', async () => {
  const id = await create()
  await work()
  const begin = now() + 5 * hour
  await replace(id, { name: 'Night', start_at: begin, planned: { privacy: 'unlisted' } })
  await work()
  expect(there()).toEqual([{ title: 'Night', at: at(begin), bound: null, state: 'created' }])
  expect(youtube.made[0]?.status['privacyStatus']).toBe('unlisted')
  expect([done('POST liveBroadcasts'), done('PUT liveBroadcasts')]).toEqual([1, 1])
  expect(await shown(id)).toMatchObject([{ start_at: begin, state: 'planned' }])
})

test.each<[string, (id: number) => Promise<unknown>]>([
  ['is deleted', (id) => stage.remove(id)],
  ['plans no more', (id) => replace(id, { planned: null })],
  ['leaves the channel out', async (id) => replace(id, { channel_ids: [await newChannel(world, ann)] })],
])('deletes the broadcast when the schedule %s', async (_, change) => {
  const id = await create()
  await work()
  expect(youtube.made).toHaveLength(1)
  await change(id)
  await work()
  expect(youtube.made).toEqual([])
  const left = await world.app.db.selectFrom('planned_broadcasts').selectAll().execute()
  expect(left.filter(({ channel_id }) => channel_id === channelId)).toEqual([])
})

test('deletes the broadcast of an occurrence that was missed, and plans the next one', async () => {
  const begin = now() + 2 * hour
  const id = await create({ repeat: { every: 'day' }, late: 'skip' })
  await work()
  // No node is connected.
  await pass(2 * hour * 1000 + 30_000)
  await stage.work()
  expect((await stage.get(id)).last?.state).toBe('missed')
  await work()
  expect(there()).toMatchObject([{ title: 'Evening', at: at(begin + 24 * hour) }])
  expect(done('DELETE liveBroadcasts')).toBe(1)
})

test('never deletes what has begun', async () => {
  const id = await create()
  await work()
  youtube.made.forEach((one) => (one.status.lifeCycleStatus = 'live'))
  await stage.remove(id)
  await work()
  expect(youtube.made).toHaveLength(1)
  expect(done('DELETE liveBroadcasts')).toBe(0)
})

test('says why YouTube refused, and requests it again when the schedule changes', async () => {
  const refusal = new DoubleReply(403, { error: { code: 403, message: 'Live streaming is not enabled.' } })
  youtube.fateOf = (name) => (name === 'POST liveBroadcasts' ? refusal : null)
  const id = await create()
  await work()
  const because = { state: 'failed', reason: 'platform-refused', words: 'Live streaming is not enabled.', page: null }
  expect(await shown(id)).toMatchObject([because])
  await pass(7 * hour * 100)
  await work()
  expect(done('POST liveBroadcasts')).toBe(1)
  youtube.fateOf = () => null
  await replace(id, { start_at: now() + 2 * hour })
  await work()
  expect(await shown(id)).toMatchObject([{ state: 'planned', reason: null }])
})

test('keeps the broadcast when YouTube refuses a change, and says so', async () => {
  const begin = now() + 2 * hour
  const id = await create()
  await work()
  const refusal = new DoubleReply(403, { error: { code: 403, message: 'Not now.' } })
  youtube.fateOf = (name) => (name === 'PUT liveBroadcasts' ? refusal : null)
  await replace(id, { name: 'Night', start_at: begin + hour })
  await work()
  expect(there()).toMatchObject([{ title: 'Evening', at: at(begin) }])
  const page = 'https://www.youtube.com/watch?v=made-1'
  expect(await shown(id)).toMatchObject([{ state: 'planned', page, reason: 'platform-refused', words: 'Not now.' }])
  await pass(7 * hour * 1000)
  expect(done('PUT liveBroadcasts')).toBe(1)
})

test('says that the quota is used up, and plans after it is renewed', async () => {
  await addUnits(world.services, 'youtube', 9_750)
  const id = await create({ start_at: now() + 40 * hour })
  await work()
  expect(youtube.made).toEqual([])
  expect(await shown(id)).toMatchObject([{ state: 'failed', reason: 'quota' }])
  await pass(24 * hour * 1000)
  await work()
  expect(await shown(id)).toMatchObject([{ state: 'planned', reason: null }])
})

test('says that the account is signed out, and that a begin is too near', async () => {
  const soon = await create({ start_at: now() + 50 })
  await world.app.db.updateTable('platform_accounts').set({ status: 0 }).execute()
  const id = await create()
  await work()
  expect(await shown(id)).toMatchObject([{ state: 'failed', reason: 'account' }])
  await world.app.db.updateTable('platform_accounts').set({ status: 1 }).execute()
  await replace(id)
  await replace(soon, { start_at: now() + 50 })
  await work()
  expect(await shown(id)).toMatchObject([{ state: 'planned', reason: null }])
  expect(await shown(soon)).toMatchObject([{ state: 'failed', reason: 'late' }])
  expect(youtube.made).toHaveLength(1)
})

/** Runs the job until the broadcast is planned, or gives up. */
async function settle(services: Services = world.services): Promise<void> {
  for (let runs = 0; runs < 20; runs++) {
    await pass(30_000)
    await work(services)
  }
}

const calls = ['POST liveBroadcasts', 'GET liveBroadcasts', 'PUT liveBroadcasts', 'DELETE liveBroadcasts'] as const
const fates = ['unsent', 'unheard'] as const
const combinations = calls.flatMap((call) => fates.map((fate) => [fate, call] as const))

test.each(combinations)('one broadcast when a call is %s: %s', async (fate, call) => {
  youtube.lagMs = 49_000
  let left = 1
  youtube.fateOf = (name) => {
    if (name !== call || left-- <= 0) return null
    met = name
    return fate
  }
  const id = await create({ start_at: now() + 4 * hour })
  await work()
  await settle()
  await pass(60_000)
  const begin = now() + 6 * hour
  await replace(id, { name: 'Night', start_at: begin })
  await work()
  await settle()
  expect(there()).toMatchObject([{ title: 'Night', at: at(begin) }])
  await stage.remove(id)
  await work()
  await settle()
  expect(youtube.made).toEqual([])
  expect(met).toBe(call)
})

test('one broadcast when a replica ends during the request, and another one continues', async () => {
  youtube.lagMs = 49_000
  youtube.fateOf = (name) => (name === 'POST liveBroadcasts' ? 'held' : null)
  const id = await create({ start_at: now() + 4 * hour })
  const first = work()
  await youtube.held
  const other = (await world.replica()).services
  // The lease of the job and the claim end with time.
  await pass(120_000)
  await settle(other)
  expect(youtube.made).toHaveLength(1)
  expect(await shown(id)).toMatchObject([{ state: 'planned' }])
  // The first one was not dead, and hears its answer late.
  youtube.release()
  await first
  await settle()
  expect(youtube.made).toHaveLength(1)
  expect(done('POST liveBroadcasts')).toBe(1)
})

test('keeps looking for a broadcast whose search YouTube refuses', async () => {
  youtube.fateOf = (name) => (name === 'POST liveBroadcasts' ? 'unheard' : null)
  const id = await create({ start_at: now() + 4 * hour })
  await work()
  const refusal = new DoubleReply(403, { error: { code: 403, message: 'Not now.' } })
  youtube.fateOf = (name) => (name === 'GET liveBroadcasts' ? refusal : null)
  await settle()
  expect(await shown(id)).toMatchObject([{ state: 'failed', words: 'Not now.' }])
  youtube.fateOf = () => null
  const begin = now() + 6 * hour
  await replace(id, { start_at: begin })
  await settle()
  expect(there()).toMatchObject([{ at: at(begin) }])
  expect(done('POST liveBroadcasts')).toBe(1)
})

test('finds a broadcast that was requested before the schedule moved, and moves it', async () => {
  youtube.lagMs = 49_000
  youtube.fateOf = (name) => (name === 'POST liveBroadcasts' ? 'unheard' : null)
  const id = await create({ start_at: now() + 4 * hour })
  await work()
  youtube.fateOf = () => null
  const begin = now() + 6 * hour
  await replace(id, { start_at: begin })
  // A later run waits for the claim, because the listing may be late.
  await ageJobs(world.app.db, 60_000)
  await work()
  expect(done('GET liveBroadcasts')).toBe(0)
  await settle()
  expect(there()).toMatchObject([{ at: at(begin) }])
  expect(done('POST liveBroadcasts')).toBe(1)
})
