// Chat of YouTube against its double: the stream cut anywhere, polling, quota, writes and moderation, Google's own client.
import { liveChatMessagesClient } from '#server/testing/chat/youtube-client.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChatPlace } from '#server/core/chat.ts'
import { commandContext, startReading } from '#server/chat/testing/reading.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { withAnyAccount } from '#server/domain/platforms/accounts.ts'
import {
  addUnits,
  markQuotaGone,
  nextMidnight,
  type QuotaPurpose,
  youtubeQuotaLeft,
} from '#server/domain/platforms/quota.ts'
import { type YoutubeChatDouble, youtubeChatDouble, youtubeKey } from '#server/testing/chat/youtube.ts'
import { eventually } from '#server/testing/eventually.ts'
import { beginBroadcast, onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { chat as youtube } from './chat.ts'

let double: YoutubeChatDouble
let world: World
let place: ChatPlace
let ann: Person

beforeEach(async () => {
  double = await youtubeChatDouble()
  world = await testApp(registeredAt(double.base))
  ann = await world.user()
  const { body } = await connect(world, ann, 'youtube')
  const page = 'https://www.youtube.com/channel/UC777'
  const account = { accountId: body.account.id, videoId: null }
  place = { source: 'youtube:UC777', platform: 'youtube', externalId: 'UC777', page, ...account }
})
afterEach(async () => {
  vi.useRealTimers()
  await world.close()
  await double.close()
})
/** Units that are left today. */
const left = async (purpose: QuotaPurpose) => (await youtubeQuotaLeft(world.services))[purpose].left
const read = (cursor: string | null = null) => startReading(youtube, world.services, place, cursor)
const callsOf = (name: string) => double.calls.filter((call) => call === name).length

test('reads a stream that is cut inside texts and characters', async () => {
  const reading = await read()
  await eventually(() => double.streams.size === 1)
  double.say('Привет "[{,}]" 😀')
  const details = { amountMicros: '5000000', currency: 'JPY', amountDisplayString: '¥5', userComment: 'Nice' }
  double.say('¥5 from Bob', { snippet: { type: 'superChatEvent', superChatDetails: details } })
  double.say('Welcome!', { snippet: { type: 'newSponsorEvent' }, author: { isChatSponsor: true } })
  double.say('mine', { authorId: 'UC777', author: { isChatOwner: true, channelId: 'UC777' } })
  double.publish({ id: 'half' })
  double.publish({
    id: 'd',
    snippet: { type: 'messageDeletedEvent', messageDeletedDetails: { deletedMessageId: 'yt1' } },
  })
  double.publish({
    id: 'b',
    snippet: { type: 'userBannedEvent', userBannedDetails: { bannedUserDetails: { channelId: 'UC5' } } },
  })
  await eventually(() => reading.events.length >= 7)
  expect(reading.messages()).toMatchObject([
    { text: 'Привет "[{,}]" 😀', sender: { id: 'UC5', name: 'Bob' } },
    { kind: 'paid', text: 'Nice', paid: { amount: 5, currency: 'JPY', text: '¥5' } },
    { kind: 'member', sender: { roles: ['member'] } },
    { text: 'mine', own: true, sender: { roles: ['owner'] } },
  ])
  expect(reading.events.slice(-2)).toEqual([
    { is: 'deleted', id: 'yt1' },
    { is: 'cleared', senderId: 'UC5' },
  ])
  expect(reading.malformed()).toBe(1)
  await reading.stop()
})

test('scenario 8: a broken stream continues at its cursor, without a gap', async () => {
  const reading = await read()
  await eventually(() => double.streams.size === 1)
  double.say('one')
  await reading.count(1)
  double.endStreams('cut')
  expect(await reading.done).toMatchObject({ name: 'ChatLost', isGap: false })
  double.say('two')
  const last = reading.events.findLast((event) => event.is === 'message')
  const again = await read(last?.is === 'message' ? (last.cursor ?? null) : null)
  await again.count(1)
  expect(again.texts()).toEqual(['two'])
  await again.stop()
})

test('polls only without a stream, and ends with the chat', async () => {
  double.hasStream = false
  double.say('polled')
  const reading = await read()
  await reading.count(1)
  expect(reading.texts()).toEqual(['polled'])
  expect([callsOf('GET liveChat/messages/stream'), callsOf('GET liveChat/messages')]).toEqual([1, 1])
  await reading.stop()
  double.hasStream = true
  const ending = await read()
  await eventually(() => double.streams.size === 1)
  double.publish({ id: 'e', snippet: { type: 'chatEndedEvent' } })
  expect(await ending.done).toBeNull()
  expect(ending.events.at(-1)).toEqual({ is: 'ended' })
})

test('scenario 10: a used-up quota ends reading until midnight in California, without polling', async () => {
  double.failure = { status: 403, code: 'quotaExceeded' }
  const reading = await read()
  const until = nextMidnight(world.clock.now())
  expect(await reading.done).toMatchObject({ name: 'QuotaGone', until })
  expect(callsOf('GET liveChat/messages')).toBe(0)
  double.failure = null
  const before = double.calls.length
  expect(await (await read()).done).toMatchObject({ name: 'QuotaGone', until })
  await expect(youtube.send?.(commandContext(world.services, place), { text: 'x', nonce: '1' })).rejects.toMatchObject({
    reason: 'quota',
  })
  expect(double.calls.length).toBe(before)
  expect(await left('read')).toBe(0)
})

test('scenario 10: with the quota of chat used up, calls for broadcasts are sent, and a broadcast ends', async () => {
  await markQuotaGone(world.services, 'youtube')
  const node = someNodeOf(world)
  const of = await beginBroadcast(world, ann, node)
  const before = double.calls.length
  const own = await withAnyAccount(
    world.services,
    ann,
    'youtube',
    (api) => world.services.platforms.youtube.identify(api),
    'en',
  )
  expect(own.id).toBe('UC777')
  expect(double.calls.length).toBe(before + 1)
  expect((await world.api(broadcasts.stop, of, { as: ann })).status).toBe(200)
  await node.end(ann.projectId)
  expect((await onAirOf(world, ann)).kind).not.toBe('live')
})

test('calls outside chat count, and leave less to chat where they need more than their part', async () => {
  const identify = () =>
    withAnyAccount(world.services, ann, 'youtube', (api) => world.services.platforms.youtube.identify(api), 'en')
  // The calls that connected the account.
  const spent = await world.app.db.selectFrom('platform_quota').select('units').executeTakeFirst()
  expect(spent?.units).toBeGreaterThan(0)
  await addUnits(world.services, 'youtube', 10_000 - 100 - (spent?.units ?? 0))
  expect(await left('write')).toBe(100)
  await identify()
  expect(await left('read')).toBe(99)
  const ctx = commandContext(world.services, { ...place, source: 'youtube:less' })
  await youtube.send?.(ctx, { text: 'x', nonce: '1' })
  await expect(youtube.send?.(ctx, { text: 'y', nonce: '2' })).rejects.toMatchObject({ reason: 'quota' })
  await identify()
})

test('a limited rate and a position that YouTube no longer takes are no refusals', async () => {
  double.failure = { status: 403, code: 'rateLimitExceeded' }
  expect(await (await read()).done).toMatchObject({ name: 'ChatLost' })
  const ctx = commandContext(world.services, { ...place, source: 'youtube:rate' })
  await expect(youtube.send?.(ctx, { text: 'x', nonce: '1' })).rejects.toMatchObject({ reason: 'too_fast' })
  double.failure = null
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const reading = await read('page-of another chat')
  await vi.waitFor(() => expect(callsOf('GET liveChat/messages/stream')).toBe(1))
  await vi.advanceTimersByTimeAsync(5_000)
  vi.useRealTimers()
  await eventually(() => double.streams.size === 1)
  double.say('recent')
  await reading.count(1)
  expect(reading.texts()).toEqual(['recent'])
  await reading.stop()
})

test('finds the chat again after YouTube has ended the remembered one', async () => {
  const ctx = commandContext(world.services, { ...place, source: 'youtube:again' })
  await youtube.send?.(ctx, { text: 'one', nonce: '1' })
  double.failure = { status: 403, code: 'liveChatEnded' }
  await expect(youtube.send?.(ctx, { text: 'two', nonce: '2' })).rejects.toMatchObject({ reason: 'no_chat' })
  double.failure = null
  double.chatId = 'chat-2'
  await youtube.send?.(ctx, { text: 'three', nonce: '3' })
  expect(double.acts.at(-1)?.body).toMatchObject({ snippet: { liveChatId: 'chat-2' } })
})

test('midnight in California follows daylight saving', () => {
  expect(nextMidnight(new Date('2026-11-22T21:00:00Z')).toISOString()).toBe('2026-11-23T08:00:00.000Z')
  expect(nextMidnight(new Date('2026-07-01T06:59:59Z')).toISOString()).toBe('2026-07-01T07:00:00.000Z')
  expect(nextMidnight(new Date('2026-07-01T07:00:00Z')).toISOString()).toBe('2026-07-02T07:00:00.000Z')
})

test('constructs no date format per call for the next midnight', () => {
  const formats = vi.spyOn(Intl, 'DateTimeFormat')
  nextMidnight(new Date('2026-11-22T09:00:00Z'))
  expect(formats).not.toHaveBeenCalled()
  formats.mockRestore()
})

test('no live broadcast, no chat', async () => {
  double.chatId = null
  expect(await (await read()).done).toMatchObject({ name: 'ChatRefused', reason: 'no_chat' })
})

test('reads without an account by the key of the service, and writes nothing', async () => {
  const keyed = (youtubeApiKey: string | null) => ({
    ...world.services,
    config: { ...world.services.config, youtubeApiKey },
  })
  const anonymous = (page: string, externalId = ''): ChatPlace => ({ ...place, accountId: null, externalId, page })
  const reading = await startReading(youtube, keyed(youtubeKey), anonymous('https://www.youtube.com/@ann'))
  await eventually(() => double.streams.size === 1)
  double.say('by key')
  await reading.count(1)
  expect(reading.texts()).toEqual(['by key'])
  expect(await left('read')).toBe(6_000 - 3 - 5)
  await reading.stop()
  const video = await startReading(youtube, keyed(youtubeKey), anonymous('https://youtu.be/abcdefghijk'))
  expect(video.events[0]).toEqual({ is: 'state', state: 'reading' })
  await video.stop()
  const reasonOf = async (key: string | null, of: ChatPlace) =>
    ((await (await startReading(youtube, keyed(key), of)).done) as { readonly reason?: string }).reason
  expect(await reasonOf(youtubeKey, anonymous('https://www.youtube.com/@gone'))).toBe('page')
  expect(await reasonOf(youtubeKey, anonymous(''))).toBe('page')
  expect(await reasonOf(null, anonymous('https://www.youtube.com/@ann'))).toBe('account')
  expect(await reasonOf('wrong', anonymous('', 'UC777'))).toBe('setup')
  double.chatId = null
  expect(await reasonOf(youtubeKey, anonymous('', 'UC777'))).toBe('no_chat')
  const ctx = commandContext(keyed(youtubeKey), anonymous('', 'UC777'))
  await expect(youtube.send?.(ctx, { text: 'x', nonce: '1' })).rejects.toMatchObject({ reason: 'account' })
})

test('divides the units that the operator set', async () => {
  const config = { ...world.services.config, youtubeQuota: 50_000 }
  expect(await youtubeQuotaLeft({ ...world.services, config })).toEqual({
    read: { left: 30_000, of: 30_000 },
    write: { left: 10_000, of: 10_000 },
    until: nextMidnight(world.clock.now()).toISOString(),
  })
})

test('writes, deletes, bans and lifts', async () => {
  const ctx = commandContext(world.services, { ...place, source: 'youtube:writes' })
  expect(await youtube.send?.(ctx, { text: 'hello', nonce: '1' })).toMatchObject({ id: 'sent-1' })
  await youtube.remove?.(ctx, 'm1')
  const ban = await youtube.restrict?.(ctx, 'UC5', 300)
  expect(ban).toEqual({ liftId: 'ban-2' })
  await youtube.lift?.(ctx, 'UC5', ban?.liftId)
  expect(double.acts.map(({ name }) => name)).toEqual([
    'POST liveChat/messages',
    'DELETE liveChat/messages',
    'POST liveChat/bans',
    'DELETE liveChat/bans',
  ])
  expect(double.acts[2]?.body).toMatchObject({ snippet: { type: 'temporary', banDurationSeconds: '300' } })
  expect(await left('write')).toBe(2_000 - 4 * 50)
})

test('Google’s own client lists, inserts and deletes at the double', async () => {
  const client = liveChatMessagesClient(double.base)
  double.say('hello')
  const listed = await client.list({ liveChatId: 'chat-1', part: ['snippet', 'authorDetails'] })
  expect(listed.data.items?.[0]?.snippet?.displayMessage).toBe('hello')
  const textMessageDetails = { messageText: 'from Google' }
  const snippet = { liveChatId: 'chat-1', type: 'textMessageEvent', textMessageDetails }
  expect((await client.insert({ part: ['snippet'], requestBody: { snippet } })).data.id).toBe('sent-2')
  await client.delete({ id: 'sent-2' })
  expect(double.acts).toHaveLength(2)
})
