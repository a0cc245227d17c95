// Chat of Telegram: the loop of a running service delivers, the reader reads, the bot writes and moderates.
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import type { ChatPlace } from '#server/core/chat.ts'
import { commandContext, startReading } from '#server/chat/testing/reading.ts'
import { newChannel } from '#server/testing/channels.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { type TelegramDouble, telegramDouble, withBot } from '#server/testing/providers/telegram.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { createPace } from '#server/chat/pace.ts'
import { chat as telegram } from './chat.ts'

let bot: TelegramDouble
let double: PlatformDouble
let world: World
let place: ChatPlace

beforeEach(async () => {
  bot = telegramDouble()
  double = await platformDouble([bot.platform])
  double.tokens.add('*')
  world = await testApp({ ...withBot, PROVIDER_BASES: `telegram=${double.base}` })
  const ann = await world.user()
  const channel = { project_id: ann.projectId, channel_id: await newChannel(world, ann) }
  const { code } = (await world.api(telegramChat.init, channel, { as: ann })).body
  await bot.post({ message_id: 1, text: code })
  const externalId = String(bot.chat.id)
  place = {
    source: `telegram:${externalId}`,
    platform: 'telegram',
    externalId,
    page: '',
    accountId: null,
    videoId: null,
  }
})
afterEach(async () => {
  await world.close()
  await double.close()
  double.check()
})

const read = (of = place) => startReading(telegram, world.services, of)
const ctx = () => commandContext(world.services, place)
/** A post of the channel, and its copy in the discussion group. */
async function post(id: number, thread: number): Promise<void> {
  await bot.post({ message_id: id, text: `Post ${id}` })
  const origin = { type: 'channel', chat: bot.chat, message_id: id }
  await bot.say({
    message_id: thread,
    sender_chat: bot.chat,
    is_automatic_forward: true,
    forward_origin: origin,
    text: 'x',
  })
}

test('reads the comments of the newest post, and follows the next post', async () => {
  await post(10, 100)
  const reading = await read()
  await bot.say({ message_id: 101, text: 'First', message_thread_id: 100, reply_to_message: { message_id: 100 } })
  await bot.say({ message_id: 102, text: 'Elsewhere' })
  await bot.say({ message_id: 103, text: 'Answer', message_thread_id: 100, reply_to_message: { message_id: 101 } })
  await post(11, 110)
  await bot.say({ message_id: 111, photo: [{}], caption: 'Look', message_thread_id: 110, sender_chat: bot.chat })
  await bot.say({ message_id: 112, text: 'Too late', message_thread_id: 100 })
  await bot.say({ message_id: 113, sticker: { emoji: '👍' }, message_thread_id: 110, from: { id: 5, is_bot: true } })
  await reading.count(4)
  expect(reading.messages()).toMatchObject([
    { id: '101', text: 'First', sender: { id: '42', name: 'Bob', roles: [] } },
    { text: 'Answer', replyTo: '101' },
    { text: '[photo] Look', sender: { name: 'Ann on air', login: 'annlive', roles: ['owner'] } },
    { text: '👍', sender: { roles: ['bot'] } },
  ])
  expect(reading.messages()[0]).not.toHaveProperty('replyTo')
  await reading.stop()
})

test('reads all messages of the group while no post has comments', async () => {
  const reading = await read()
  await bot.say({ message_id: 5, text: 'Anywhere' })
  await bot.say({ message_id: 6 })
  await bot.say({ message_id: 7, text: 'Anonymous', sender_chat: bot.group })
  await reading.count(2)
  expect(reading.messages()).toMatchObject([
    { text: 'Anywhere' },
    { text: 'Anonymous', sender: { roles: ['moderator'] } },
  ])
  await reading.stop()
})

test('repeats for the next reader what a killed one may not have stored', async () => {
  const first = await read()
  await bot.say({ message_id: 5, text: 'One' })
  await first.count(1)
  await first.stop()
  await bot.say({ message_id: 6, text: 'Between' })
  const second = await read()
  await second.count(2)
  expect(second.texts()).toEqual(['One', 'Between'])
  await second.stop()
})

test('writes below the chosen post, answers, deletes, restricts and bans', async () => {
  await post(10, 100)
  const { id } = (await telegram.send?.(ctx(), { text: 'Hello', nonce: 'n' })) ?? {}
  expect(bot.sent).toMatchObject([
    { chat_id: String(bot.group.id), text: 'Hello', reply_parameters: { message_id: 100 } },
  ])
  await telegram.send?.(ctx(), { text: 'Answer', replyTo: '55', nonce: 'n' })
  expect(bot.sent[1]).toMatchObject({ reply_parameters: { message_id: 55 } })
  await telegram.remove?.(ctx(), id ?? '')
  const timeout = await telegram.restrict?.(ctx(), '42', 600)
  await telegram.lift?.(ctx(), '42', timeout?.liftId)
  const ban = await telegram.restrict?.(ctx(), '42', null)
  await telegram.lift?.(ctx(), '42', ban?.liftId)
  const until_date = Math.floor(world.clock.now().getTime() / 1000) + 600
  expect(bot.acts).toMatchObject([
    { method: 'deleteMessage', body: { message_id: Number(id) } },
    { method: 'restrictChatMember', body: { user_id: 42, until_date, permissions: { can_send_messages: false } } },
    { method: 'restrictChatMember', body: { permissions: { can_send_messages: true } } },
    { method: 'banChatMember', body: { user_id: 42 } },
    { method: 'unbanChatMember', body: { only_if_banned: true } },
  ])
})

test.each([
  [429, 'Too Many Requests: retry after 7', { parameters: { retry_after: 7 } }, { reason: 'too_fast', retryAfter: 7 }],
  [403, 'Forbidden: bot was kicked from the supergroup chat', {}, { reason: 'forbidden' }],
  [400, 'Bad Request: message to be replied not found', {}, { reason: 'gone' }],
  [400, 'Bad Request: message is too long', {}, { reason: 'too_long' }],
  [502, 'Bad Gateway', {}, { reason: 'unknown' }],
] as const)('names a refused message: %i %s', async (code, description, more, expected) => {
  bot.refuse('sendMessage', code, description, more)
  await expect(telegram.send?.(ctx(), { text: 'Hi', nonce: 'n' })).rejects.toMatchObject(expected)
})

test('names why it cannot read', async () => {
  bot.member = { status: 'left' }
  expect(await (await read()).done).toMatchObject({ name: 'ChatRefused', reason: 'forbidden' })
  expect(await (await read({ ...place, externalId: '-77' })).done).toMatchObject({ reason: 'account' })
  bot.refuse('getMe', 401, 'Unauthorized')
  expect(await (await read()).done).toMatchObject({ reason: 'setup' })
  bot.refuse('getMe', 502, 'Bad Gateway')
  expect(await (await read()).done).toMatchObject({ name: 'ChatLost' })
})

test('survives messages of any form', async () => {
  const reading = await read()
  const text = fc.string({ unit: 'binary' })
  const any = fc.record({
    message_id: fc.integer({ min: -1, max: 500 }),
    text: fc.oneof(text, fc.jsonValue()),
    from: fc.oneof(fc.record({ id: fc.integer(), first_name: text }), fc.jsonValue()),
    sender_chat: fc.option(fc.jsonValue(), { nil: undefined }),
  })
  for (const message of fc.sample(any, { numRuns: 100, seed: 9 })) void bot.say(message)
  await bot.say({ message_id: 1000, text: 'after' })
  await expect.poll(() => reading.texts().at(-1)).toBe('after')
  await reading.stop()
})

test('paces sends to a group: one a second, 20 a minute', () => {
  const pace = createPace({ everyMs: 1000, windowMs: 60_000, max: 20 })
  expect([pace.take('a', 0), pace.take('a', 0), pace.take('a', 500), pace.take('b', 500)]).toEqual([0, 1000, 1500, 0])
  for (let at = 3; at < 20; at++) expect(pace.take('a', at * 1000)).toBe(0)
  expect(pace.take('a', 20_000)).toBe(40_000)
  expect(pace.take('a', 59_000)).toBe(1000)
})
