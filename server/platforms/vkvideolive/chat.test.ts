// Chat of VK Video Live against its double, and hostile frames.
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChatPlace } from '#server/core/chat.ts'
import { commandContext, startReading } from '#server/chat/testing/reading.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { vkVideoLiveDouble } from '#server/testing/providers/platforms-vk.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { type VkVideoLiveChat, vkVideoLiveChat } from '#server/testing/chat/vk-video-live.ts'
import { chat as vkvideolive } from './chat.ts'

const anonymous: ChatPlace = {
  source: 'vkvideolive:ann',
  platform: 'vkvideolive',
  externalId: '',
  page: 'https://live.vkvideo.ru/Ann',
  accountId: null,
  videoId: null,
}
let chat: VkVideoLiveChat
let double: PlatformDouble
let world: World

beforeEach(async () => {
  chat = vkVideoLiveChat()
  double = await platformDouble([chat.platform, vkVideoLiveDouble])
  chat.listen(double.server)
  double.tokens.add('access-1').add('application')
  world = await testApp(registeredAt(double.base))
})
afterEach(async () => {
  chat.close()
  await world.close()
  await double.close()
  double.check()
})

/** The place of a connected account. */
async function connected(): Promise<ChatPlace> {
  const { body } = await connect(world, await world.user(), 'vkvideolive')
  return { ...anonymous, externalId: 'ann', accountId: body.account.id }
}
const read = (place: ChatPlace, cursor: string | null = null) =>
  startReading(vkvideolive, world.services, place, cursor)

test('reads messages and deletions by the registration of the service, without an account', async () => {
  const reading = await read(anonymous)
  expect(reading.events).toEqual([{ is: 'state', state: 'reading' }])
  const roles = {
    is_moderator: true,
    badges: [{ id: 'b1', name: 'Fan', small_url: 'https://images.live.vkvideo.ru/b1' }],
  }
  const author = { id: 7, nick: 'Bob', nick_color: 2, ...roles }
  const smile = { id: 's1', name: ':hi:', medium_url: 'https://images.live.vkvideo.ru/s1' }
  const parts = [
    { text: { content: 'Hello ' } },
    { mention: { id: 5, nick: 'Ann' } },
    { smile },
    { link: { url: 'https://example.com', content: '' } },
    { text: { content: '\n' } },
  ]
  const { id } = chat.say('', { author, parts })
  chat.say('secret', { is_private: true })
  chat.delete(id)
  await reading.count(1)
  chat.say('Bye')
  await reading.count(2)
  const [, event, deleted] = reading.events
  expect(event).toMatchObject({
    is: 'message',
    cursor: String(id),
    message: {
      id: String(id),
      text: 'Hello @Ann:hi:https://example.com',
      entities: [
        { type: 'text', text: 'Hello ' },
        { type: 'mention', id: '5' },
        { type: 'emoji', id: 's1' },
        { type: 'link', url: 'https://example.com' },
      ],
      sender: { id: '7', name: 'Bob', color: '#1d90ff', roles: ['moderator'], badges: [{ id: 'b1', title: 'Fan' }] },
    },
  })
  expect(deleted).toEqual({ is: 'deleted', id: String(id) })
  expect(reading.texts()).not.toContain('secret')
  expect(await reading.stop()).toBeNull()
  await expect.poll(() => chat.subscribed).toBe(0)
})

test('catches up after a lost connection, and marks a gap that the history does not reach', async () => {
  const first = await read(anonymous)
  const seen = chat.say('one')
  await first.count(1)
  chat.drop()
  expect(await first.done).toMatchObject({ name: 'ChatLost' })
  chat.say('two')
  chat.say('three')
  const second = await read(anonymous, String(seen.id))
  await second.count(2)
  expect(second.messages()).toMatchObject([
    { text: 'two', late: true },
    { text: 'three', late: true },
  ])
  await second.stop()
  for (let at = 0; at < 250; at++) chat.say(`more ${at}`)
  const third = await read(anonymous, String(seen.id))
  await third.count(200)
  expect(third.events[1]).toMatchObject({ is: 'gap', reason: 'lost' })
  expect(third.texts()[0]).toBe('more 50')
  await third.stop()
})

test('writes by the account; the echo is of the own account and has no id in the response', async () => {
  const place = await connected()
  const reading = await read(place)
  const ctx = commandContext(world.services, place)
  const send = (text: string) => vkvideolive.send?.(ctx, { text, nonce: 'n' })
  expect(await send('Hi all')).toEqual({ id: null })
  await reading.count(1)
  expect(reading.messages()).toMatchObject([{ text: 'Hi all', own: true, sender: { id: '5', roles: ['owner'] } }])
  for (const [status, code, reason] of [
    [400, 'send_too_fast', 'too_fast'],
    [400, 'same_message', 'rejected'],
    [400, 'message_too_long', 'too_long'],
    [403, 'forbidden', 'forbidden'],
    [500, 'internal', 'unknown'],
  ] as const) {
    chat.refuse(status, code)
    await expect(send('Again')).rejects.toMatchObject({ reason })
  }
  chat.isLive = false
  await expect(send('Off air')).rejects.toMatchObject({ reason: 'no_chat' })
  const without = commandContext(world.services, anonymous)
  await expect(vkvideolive.send?.(without, { text: 'Hi', nonce: 'n' })).rejects.toMatchObject({ reason: 'account' })
  await reading.stop()
})

test('names why it cannot read: unknown page, dead account, no registration', async () => {
  const refused = async (place: ChatPlace, services = world.services) =>
    (await (
      await startReading(vkvideolive, services, place)
    ).done) as { reason?: string }
  expect(await refused({ ...anonymous, page: '' })).toMatchObject({ reason: 'page' })
  expect(await refused({ ...anonymous, page: 'https://live.vkvideo.ru/gone' })).toMatchObject({ reason: 'page' })
  const place = await connected()
  double.tokens.delete('access-1')
  expect(await refused(place)).toMatchObject({ reason: 'reconnect' })
  const providers = { ...world.services.config.providers, vkvideolive: null }
  const services = { ...world.services, config: { ...world.services.config, providers } }
  expect(await refused(anonymous, services)).toMatchObject({ reason: 'setup' })
})

test('survives frames and publications of any form', async () => {
  const reading = await read(anonymous)
  const any = fc.oneof(
    fc.jsonValue(),
    fc.record({ type: fc.constant('channel_chat_message_send'), data: fc.jsonValue() }),
    fc.record({ type: fc.constant('channel_chat_message_delete'), data: fc.jsonValue() }),
    fc.record({
      type: fc.constant('channel_chat_message_send'),
      data: fc.record({
        chat_message: fc.record({
          id: fc.double(),
          created_at: fc.double(),
          author: fc.record({ id: fc.integer(), nick: fc.string({ unit: 'binary' }), nick_color: fc.integer() }),
          parts: fc.array(fc.oneof(fc.jsonValue(), fc.record({ text: fc.record({ content: fc.string() }) }))),
        }),
      }),
    }),
  )
  for (const data of fc.sample(any, { numRuns: 200, seed: 3 })) chat.publish(data)
  chat.say('after')
  await expect.poll(() => reading.texts().at(-1)).toBe('after')
  expect(reading.malformed()).toBeGreaterThan(0)
  chat.raw('{"push":{"chan')
  expect(await reading.done).toMatchObject({ name: 'ChatLost' })
})
