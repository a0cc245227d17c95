// Chat of Kick against its double: signed webhooks of the running service, and the public API.
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChatPlace } from '#server/core/chat.ts'
import { movableClock } from '#server/core/clock.ts'
import { commandContext, startReading } from '#server/chat/testing/reading.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { DoubleReply, type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { kickChannel, type KickDouble, kickDouble, type KickWebhook } from '#server/testing/chat/kick.ts'
import { chat as kick } from './chat.ts'

const clock = movableClock(new Date('2026-03-01T10:00:00.000Z'))
const page = 'https://kick.com/ann'
const anonymous: ChatPlace = {
  source: 'kick:@ann',
  platform: 'kick',
  externalId: '',
  page,
  accountId: null,
  videoId: null,
}
let chat: KickDouble
let double: PlatformDouble
let world: World

beforeEach(async () => {
  chat = kickDouble(() => clock.now())
  double = await platformDouble([chat.platform])
  double.tokens.add('access-1')
  const env = { KICK_PUBLIC_KEY: chat.publicKey, PUBLIC_URL: 'https://live.example.com', RATE_LIMITS: 'on' }
  world = await testApp({ ...registeredAt(double.base), ...env })
})
afterEach(async () => {
  await world.close()
  await double.close()
  double.check()
})

const post = async ({ headers, body }: KickWebhook, to = world) =>
  (await to.app.inject({ method: 'POST', url: '/kick/webhook', headers, payload: body })).statusCode
const read = (place = anonymous) => startReading(kick, world.services, place)
const say = (text: string, more = {}) => post(chat.webhook(chat.message(text, more)))
async function connected(): Promise<ChatPlace> {
  const { body } = await connect(world, await world.user(), 'kick')
  return { ...anonymous, externalId: String(kickChannel.broadcaster_user_id), accountId: body.account.id }
}

test('subscribes once by the registration, and reads messages with emotes, badges and replies', async () => {
  const reading = await read()
  const badges = [{ text: 'Moderator', type: 'moderator' }]
  const sender = { user_id: 77, username: 'Bob', identity: { username_color: '#FF5733', badges } }
  const more = { sender, replies_to: { message_id: 'm-0' } }
  expect(await say('Hi [emote:37226:KEKW] all', more)).toBe(200)
  expect(await say('[emote:x]')).toBe(200)
  await reading.count(2)
  expect(reading.messages()).toMatchObject([
    {
      text: 'Hi KEKW all',
      entities: [{ type: 'text' }, { type: 'emoji', id: '37226', name: 'KEKW' }, { type: 'text' }],
      sender: { id: '77', name: 'Bob', color: '#FF5733', roles: ['moderator'], badges: [{ id: 'moderator' }] },
      replyTo: 'm-0',
    },
    { text: '[emote:x]' },
  ])
  await reading.stop()
  await (await read()).stop()
  expect(chat.acts.filter(({ name }) => name === 'subscribe')).toHaveLength(1)
})

test('scenario 5: refuses forged, changed, old and large webhooks, and takes a repeated one once', async () => {
  const reading = await read()
  const good = chat.webhook(chat.message('Once'))
  const forged = kickDouble(() => clock.now()).webhook(chat.message('Forged'))
  const statuses = [
    await post(forged),
    await post({ ...good, body: good.body.replace('Once', 'Twice') }),
    await post({ ...good, headers: { ...good.headers, 'kick-event-message-id': 'other' } }),
    await post({ ...good, headers: { 'content-type': 'application/json' } }),
    await post(chat.webhook(chat.message('Old'), { at: new Date(clock.now().getTime() - 3_600_000) })),
    await post(chat.webhook(chat.message('x'.repeat(5 * 1024 * 1024)))),
  ]
  expect(statuses).toEqual([403, 403, 403, 403, 403, 413])
  expect([await post(good), await post(good), await say('After')]).toEqual([200, 200, 200])
  await reading.count(2)
  expect(reading.texts()).toEqual(['Once', 'After'])
  await reading.stop()
})

test('limits networks that signed no message, and never those that did', async () => {
  const forged = kickDouble(() => clock.now())
  const flood = async (count: number) => {
    const statuses = new Map<number, number>()
    for (let n = 0; n < count; n++) {
      const status = await post(forged.webhook(forged.message('Forged')))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    return Object.fromEntries(statuses)
  }
  world.clock.set(clock.now())
  expect(await flood(125)).toEqual({ 403: 120, 429: 5 })
  world.clock.advance(60_000)
  clock.set(world.clock.now())
  expect(await say('Signed')).toBe(200)
  expect(await flood(125)).toEqual({ 403: 125 })
  expect(chat.keyRequests).toBe(0)
})

test('requests the published key once an hour when a signature is of another key', async () => {
  const rotated = await testApp({ ...registeredAt(double.base), PUBLIC_URL: 'https://live.example.com' })
  const forged = kickDouble(() => rotated.clock.now())
  const signed = () => chat.webhook(chat.message('Hi'), { at: rotated.clock.now() })
  const statuses = await Promise.all([1, 2, 3].map(() => post(signed(), rotated)))
  expect(statuses).toEqual([200, 200, 200])
  for (let n = 0; n < 3; n++) expect(await post(forged.webhook(forged.message('Forged')), rotated)).toBe(403)
  expect(chat.keyRequests).toBe(1)
  rotated.clock.advance(3_600_000)
  expect(await post(forged.webhook(forged.message('Forged')), rotated)).toBe(403)
  expect(await post(signed(), rotated)).toBe(200)
  expect(chat.keyRequests).toBe(2)
  await rotated.close()
})

test('stores nothing without a reader, and for other events and bodies of any form', async () => {
  const bodies = fc.sample(fc.oneof(fc.jsonValue(), fc.record({ broadcaster: fc.jsonValue() })), {
    numRuns: 40,
    seed: 4,
  })
  for (const body of bodies) expect(await post(chat.webhook(body))).toBe(200)
  expect(await say('Without a reader')).toBe(200)
  expect(await world.app.db.selectFrom('chat_inbox').selectAll().execute()).toEqual([])
  const reading = await read()
  const broadcaster = { user_id: kickChannel.broadcaster_user_id }
  const any = fc.record({ message_id: fc.jsonValue(), sender: fc.jsonValue(), content: fc.jsonValue() })
  for (const body of fc.sample(any, { numRuns: 40, seed: 6 })) {
    expect(await post(chat.webhook({ ...body, broadcaster }))).toBe(200)
  }
  await post(chat.webhook({ broadcaster }, { type: 'channel.followed' }))
  await say('after')
  await expect.poll(() => reading.texts().at(-1)).toBe('after')
  expect(reading.malformed()).toBe(40)
  await reading.stop()
})

test('writes, answers, deletes, bans and times out in minutes by the account', async () => {
  const place = await connected()
  const ctx = commandContext(world.services, place)
  expect(await kick.send?.(ctx, { text: 'Hi', nonce: 'n', replyTo: 'm-1' })).toEqual({ id: 'sent-1' })
  await kick.remove?.(ctx, 'm-1')
  await kick.restrict?.(ctx, '77', 90)
  await kick.restrict?.(ctx, '77', null)
  await kick.lift?.(ctx, '77')
  expect(chat.acts).toMatchObject([
    { name: 'chat', body: { broadcaster_user_id: 123_456, content: 'Hi', type: 'user', reply_to_message_id: 'm-1' } },
    { name: 'delete' },
    { name: 'ban', body: { user_id: 77, duration: 2 } },
    { name: 'ban', body: { user_id: 77 } },
    { name: 'unban', body: { user_id: 77 } },
  ])
  expect(chat.acts[3]?.body).not.toHaveProperty('duration')
  for (const [status, reason] of [
    [403, 'forbidden'],
    [429, 'too_fast'],
    [400, 'rejected'],
    [500, 'unknown'],
  ] as const) {
    chat.refuse(status)
    await expect(kick.send?.(ctx, { text: 'Hi', nonce: 'n' })).rejects.toMatchObject({ reason })
  }
  const without = commandContext(world.services, anonymous)
  await expect(kick.send?.(without, { text: 'Hi', nonce: 'n' })).rejects.toMatchObject({ reason: 'account' })
})

test('names why it cannot read', async () => {
  const refused = async (place: ChatPlace, config = {}) => {
    const services = { ...world.services, config: { ...world.services.config, ...config } }
    return (await (
      await startReading(kick, services, place)
    ).done) as { readonly reason: string }
  }
  expect(await refused({ ...anonymous, page: '' })).toMatchObject({ reason: 'page' })
  expect(await refused({ ...anonymous, page: 'https://kick.com/gone' })).toMatchObject({ reason: 'page' })
  expect(await refused(anonymous, { publicUrl: null })).toMatchObject({ reason: 'setup' })
  const providers = { ...world.services.config.providers, kick: null }
  expect(await refused(anonymous, { providers })).toMatchObject({ reason: 'setup' })
})

test('connects again without a readable token of the registration, and gives up after a refusal', async () => {
  const outcomes = [
    { reply: new DoubleReply(200, {}), error: { name: 'ChatLost' } },
    { reply: new DoubleReply(401, { error: 'invalid_client' }), error: { name: 'ChatRefused', reason: 'forbidden' } },
  ]
  for (const { reply, error } of outcomes) {
    const route = { type: 'form', open: true, answer: () => reply } as const
    const other = await platformDouble([{ ...chat.platform, routes: { 'POST id.kick.com/oauth/token': route } }])
    const config = { ...world.services.config, providerBases: new Map([['kick' as const, other.base]]) }
    const { done } = await startReading(kick, { ...world.services, config }, anonymous)
    expect(await done).toMatchObject(error)
    await other.close()
  }
})
