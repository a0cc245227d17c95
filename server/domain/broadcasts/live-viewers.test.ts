// Viewers of many broadcasts: calls to platforms, statements, and failures.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { sealTokens } from '#server/domain/platforms/account-tokens.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import {
  DoubleReply,
  type DoubleRequest,
  type PlatformDouble,
  platformDouble,
} from '#server/testing/providers/double.ts'
import { twitchDouble, youtubeDouble } from '#server/testing/providers/platforms.ts'
import { recordStatements } from '#server/testing/statements.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { askForViewers } from './live-viewers.ts'

const streams = 'GET api.twitch.tv/helix/streams'
const videos = 'GET www.googleapis.com/youtube/v3/videos'
const active = 'GET www.googleapis.com/youtube/v3/liveBroadcasts'

let double: PlatformDouble
let world: World
let ann: Person
/** Ids of each call. */
let asked: string[][]
/** Response of Twitch instead of counts. */
let refusal: DoubleReply | null
/** Channels that Twitch does not show. */
let dark: ReadonlySet<string>
/** YouTube shows the broadcast; null: as its double. */
let isShownAtYoutube: boolean | null

/** Every stream has as many viewers as its number has; number 1005 is off air. */
function twitchAnswer({ query }: DoubleRequest): unknown {
  const ids = query.getAll('user_id')
  asked.push(ids)
  if (refusal) return refusal
  if (ids.length > 100) return new DoubleReply(400, { error: 'Bad Request', status: 400, message: 'too many ids' })
  const live = ids.filter((id) => id !== '1005' && !dark.has(id))
  return { data: live.map((id) => ({ id: `s${id}`, user_id: id, type: 'live', viewer_count: Number(id) })) }
}

const issue = (severity: string, description: string) => ({ type: 'x', severity, reason: 'x', description })
/** The reusable stream of the account, as `liveStreams.list` describes it. */
const badStream = {
  id: 'stream-1',
  contentDetails: { isReusable: true },
  cdn: { ingestionInfo: { streamName: 'youtube-key', ingestionAddress: 'rtmp://a.rtmp.youtube.com/live2' } },
  status: {
    streamStatus: 'active',
    healthStatus: {
      status: 'bad',
      configurationIssues: [issue('warning', 'Keyframes are too far apart.'), issue('error', 'There is no sound.')],
    },
  },
}

/** Only the account of a private video reads it. `video-ended2` is over. */
function youtubeAnswer({ query }: DoubleRequest): unknown {
  const ids = (query.get('id') ?? '').split(',')
  asked.push(ids)
  if (ids.length > 50) return new DoubleReply(400, { error: { code: 400, message: 'too many ids' } })
  const detailsOf = (id: string) =>
    id === 'video-ended2' ? { actualEndTime: '2026-11-22T10:00:00Z' } : { concurrentViewers: '21' }
  const seen = ids.filter((id) => id !== 'video-hidden')
  return { items: seen.map((id) => ({ id, liveStreamingDetails: detailsOf(id) })) }
}

beforeEach(async () => {
  asked = []
  refusal = null
  dark = new Set()
  isShownAtYoutube = null
  const twitchRoutes = { ...twitchDouble.routes, [streams]: { query: ['user_id'], answer: twitchAnswer } }
  const activeRoute = youtubeDouble.routes[active]
  const activeAnswer = (request: DoubleRequest) =>
    isShownAtYoutube === false ? { items: [] } : activeRoute?.answer(request)
  const youtubeRoutes = {
    ...youtubeDouble.routes,
    [videos]: { query: ['part', 'id'], answer: youtubeAnswer },
    [active]: { ...activeRoute, answer: activeAnswer },
    'GET www.googleapis.com/youtube/v3/liveStreams': {
      query: ['part', 'mine'],
      answer: () => ({ items: [badStream] }),
    },
  }
  double = await platformDouble([
    { ...twitchDouble, routes: twitchRoutes },
    { ...youtubeDouble, routes: youtubeRoutes },
  ])
  double.tokens.add('access-1')
  world = await testApp(registeredAt(double.base))
  ann = await world.user()
})
afterEach(async () => {
  await world.close()
  await double.close()
  double.check()
})

/** Puts Ann's channel at a platform on air, and adds restreams of other channels, each with an account of its own. */
async function onAir(platform: 'twitch' | 'youtube', others: readonly { externalId: string; url?: string }[]) {
  const { db } = world.app
  const channelId = (await connect(world, ann, platform)).body.channel_id ?? 0
  await world.api(channels.setStatus, { channel_id: channelId, status: true }, { as: ann })
  const node = someNodeOf(world)
  await node.begin(ann.projectId)
  await node.channel(ann.projectId, channelId, 'live')
  const { broadcast_id } = await onAirOf(world, ann)
  const first = <T>(rows: readonly T[]): T => rows[0] as T
  const { id: _, ...restream } = first(await db.selectFrom('restreams').selectAll().execute())
  const { id: _channel, ...channel } = first(
    await db.selectFrom('channels').selectAll().where('id', '=', channelId).execute(),
  )
  const { id: _account, ...account } = first(await db.selectFrom('platform_accounts').selectAll().execute())
  for (const { externalId, url } of others) {
    const { id: account_id } = await db
      .insertInto('platform_accounts')
      .values({ ...account, external_id: externalId })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: channel_id } = await db
      .insertInto('channels')
      .values({ ...channel, external_id: externalId, account_id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('restreams')
      .values({ ...restream, channel_id, url: url ?? null })
      .execute()
  }
  return broadcast_id
}

/** Lengths of the calls, longest first: calls run side by side. */
const lengths = () => asked.map(({ length }) => length).toSorted((one, other) => other - one)

const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ externalId: String(1000 + index) }))
const counts = () =>
  world.app.db
    .selectFrom('restreams')
    .innerJoin('channels', 'channels.id', 'restreams.channel_id')
    .select(['channels.external_id', 'restreams.viewers', 'restreams.url'])
    .orderBy('restreams.id')
    .execute()

test('counts 100 channels of Twitch by one call, reads by two statements and writes by two', async () => {
  const broadcast_id = await onAir('twitch', numbers(149))
  const { db, statements } = recordStatements(world.app.db)
  await askForViewers({ ...world.services, db })
  expect(lengths()).toEqual([100, 50])
  expect(statements).toEqual(['SelectQueryNode', 'SelectQueryNode', 'RawNode', 'InsertQueryNode'])
  const rows = await counts()
  expect(rows.map(({ external_id, viewers }) => [external_id, viewers])).toEqual(
    rows.map(({ external_id: id }) => [id, id === '1005' ? null : Number(id)]),
  )
  const sum = rows.reduce((all, { viewers }) => all + (viewers ?? 0), 0)
  expect(await world.app.db.selectFrom('broadcast_viewers').select(['broadcast_id', 'viewers']).execute()).toEqual([
    { broadcast_id, viewers: sum },
  ])
})

test('counts by another account where one lost its access', async () => {
  await onAir('twitch', numbers(3))
  const dead = { accessToken: 'revoked', refreshToken: null, expires: null, along: {} }
  const { id } = await world.app.db.selectFrom('platform_accounts').select('id').orderBy('id').executeTakeFirstOrThrow()
  await world.app.db
    .updateTable('platform_accounts')
    .set({ tokens_sealed: sealTokens(world.services, dead) })
    .where('id', '=', id)
    .execute()
  await askForViewers(world.services)
  expect((await counts()).map(({ viewers }) => viewers)).toEqual([777, 1000, 1001, 1002])
})

test('leaves out a platform that is down for two minutes, and counts the others', async () => {
  await onAir('twitch', numbers(2))
  refusal = new DoubleReply(503, {})
  const calls = async () => {
    const before = asked.length
    await askForViewers(world.services)
    return asked.length - before
  }
  expect(await calls()).toBe(1)
  expect((await counts()).map(({ viewers }) => viewers)).toEqual([null, null, null])
  refusal = null
  world.clock.advance(60_000)
  expect(await calls()).toBe(0)
  world.clock.advance(60_000)
  expect(await calls()).toBe(1)
  expect((await counts()).map(({ viewers }) => viewers)).toEqual([777, 1000, 1001])
})

test('counts 50 broadcasts of YouTube by one call, and a hidden or ended one by its own account', async () => {
  const url = (id: string) => `https://www.youtube.com/watch?v=${id}`
  const known = Array.from({ length: 60 }, (_, index) => ({
    externalId: `UC${index}`,
    url: url(`video-number${index}`),
  }))
  const others = [
    { externalId: 'UChidden', url: url('video-hidden') },
    { externalId: 'UCended', url: url('video-ended2') },
  ]
  await onAir('youtube', [...known, ...others])
  const before = double.calls.length
  await askForViewers(world.services)
  expect(lengths()).toEqual([50, 12, 1, 1, 1])
  expect(double.calls.slice(before).filter((call) => call === active)).toHaveLength(3)
  const rows = await counts()
  expect(rows.map(({ viewers }) => viewers)).toEqual(rows.map(() => 21))
  expect(rows.at(0)?.url).toBe(url('planned-1'))
  expect(rows.at(-1)?.url).toBe(url('planned-1'))
})

test('says once that a platform does not show a broadcast, and withdraws it when it does', async () => {
  await onAir('twitch', [])
  const round = async (options?: { readonly ofDoubts: boolean }) => {
    world.clock.advance(20_000)
    await askForViewers(world.services, undefined, options)
    const { restreams, verdict, broadcast_id } = await onAirOf(world, ann)
    const of = { project_id: ann.projectId, broadcast_id, sort_by_date: 'asc' as const }
    const events = (await world.api(broadcasts.events, of, { as: ann })).body.results.map(({ kind }) => kind)
    const { body } = await world.api(history.list, { project_id: ann.projectId, name: 'channel_not_seen' }, { as: ann })
    return {
      seen: restreams[0]?.seen?.state,
      reasons: verdict?.reasons.map(({ kind }) => kind),
      events: events.filter((kind) => kind.startsWith('platform')),
      notices: body.results.map(({ text, status_read }) => [text[0]?.title.includes('again'), status_read]),
    }
  }
  await round()
  dark = new Set(asked.flat())
  expect(dark.size).toBe(1)
  world.clock.advance(200_000)
  // It was seen in the first round.
  expect(await round()).toMatchObject({ seen: 'seen', reasons: [], events: [] })
  const calls = asked.length
  expect(await round({ ofDoubts: true })).toMatchObject({
    seen: 'ended_there',
    reasons: ['not_seen'],
    events: ['platform-ended'],
    notices: [[false, false]],
  })
  expect(asked.length).toBe(calls + 1)
  expect(await round({ ofDoubts: true })).toMatchObject({ seen: 'ended_there', events: ['platform-ended'] })
  expect(asked.length).toBe(calls + 1)
  dark = new Set()
  expect(await round()).toMatchObject({
    seen: 'seen',
    reasons: [],
    events: ['platform-ended', 'platform-seen'],
    notices: [[true, true]],
  })
})

test('says within 75 seconds that YouTube shows nothing, with its words, and withdraws it', async () => {
  isShownAtYoutube = false
  await onAir('youtube', [])
  const list = { project_id: ann.projectId, name: 'channel_not_seen' } as const
  const notices = async () =>
    (await world.api(history.list, list, { as: ann })).body.results.map(({ text }) => text[0]?.text ?? '')
  let seconds = 0
  for (; seconds <= 75 && (await notices()).length === 0; seconds += 10) {
    world.clock.advance(10_000)
    await askForViewers(world.services, undefined, { ofDoubts: true })
  }
  expect(seconds).toBeLessThanOrEqual(75)
  const words = 'There is no sound. Keyframes are too far apart.'
  expect(await notices()).toEqual([expect.stringContaining('“There is no sound. Keyframes are too far apart”')])
  expect((await onAirOf(world, ann)).restreams[0]?.seen).toMatchObject({ state: 'not_seen', words })
  expect((await onAirOf(world, ann)).verdict?.reasons.map(({ kind }) => kind)).toEqual(['not_seen'])

  isShownAtYoutube = true
  world.clock.advance(60_000)
  await askForViewers(world.services)
  const shown = await onAirOf(world, ann)
  expect([shown.restreams[0]?.seen?.state, shown.restreams[0]?.seen?.words]).toEqual(['seen', undefined])
  expect(await notices()).toEqual([expect.not.stringContaining(words)])
})

test('shows an unknown platform as no trouble', async () => {
  await onAir('twitch', [])
  refusal = new DoubleReply(500, {})
  world.clock.advance(200_000)
  await askForViewers(world.services)
  const { restreams, verdict } = await onAirOf(world, ann)
  expect([restreams[0]?.seen?.state, verdict?.reasons]).toEqual(['unknown', []])
})
