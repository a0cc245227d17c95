// Codes that connect a chat of Telegram: in a group only an administrator's counts.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import { newChannel } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { type TelegramDouble, telegramDouble, withBot } from '#server/testing/providers/telegram.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let telegram: TelegramDouble
let double: PlatformDouble
let world: World
let ann: Person
let place: { project_id: number; channel_id: number }

beforeEach(async () => {
  telegram = telegramDouble()
  double = await platformDouble([telegram.platform])
  double.tokens.add('*')
  world = await testApp({ ...withBot, PROVIDER_BASES: `telegram=${double.base}`, RATE_LIMITS: 'on' })
  ann = await world.user()
  place = { project_id: ann.projectId, channel_id: await newChannel(world, ann) }
})
afterEach(async () => {
  await world.close()
  await double.close()
  double.check()
})

const newCode = async () => (await world.api(telegramChat.init, place, { as: ann })).body.code
const isConnected = async () => (await world.api(telegramChat.posts, place, { as: ann })).status === 200
const deleted = () =>
  telegram.acts.filter(({ method }) => method === 'deleteMessage').map(({ body }) => Number(body['message_id']))

const bob = { id: 42, is_bot: false, first_name: 'Bob' }
const anonymousAdmin = { id: 1_087_968_824, is_bot: true, first_name: 'Group' }
const otherChannel = { id: -1_005_555_555_555, type: 'channel', title: 'Of a member' }

test.each([
  ['a plain member', { from: bob }],
  ['a member that writes as a channel', { from: { ...bob, id: 136_817_688 }, sender_chat: otherChannel }],
  ['another bot', { from: { ...bob, is_bot: true } }],
  ['no sender', { from: undefined }],
])('a group is not connected by a code of %s, and the message is deleted', async (_, sender) => {
  await telegram.say({ message_id: 7, text: await newCode(), ...sender })
  await eventually(() => deleted().length === 1)
  expect(deleted()).toEqual([7])
  expect(await isConnected()).toBe(false)
})

test.each(['creator', 'administrator'])('a group is connected by a code of its %s', async (status) => {
  telegram.statuses.set(bob.id, status)
  await telegram.say({ message_id: 8, text: await newCode(), from: bob })
  expect(await isConnected()).toBe(true)
  await eventually(() => deleted().length === 1)
  expect(deleted()).toEqual([8])
})

test('a group is connected by a code of an anonymous administrator', async () => {
  await telegram.say({ message_id: 9, text: await newCode(), from: anonymousAdmin, sender_chat: telegram.group })
  expect(await isConnected()).toBe(true)
})

test('a code that an administrator forwards does not count', async () => {
  telegram.statuses.set(bob.id, 'administrator')
  const forward_origin = { type: 'user' }
  await telegram.say({ message_id: 10, text: await newCode(), from: bob, forward_origin })
  expect(await isConnected()).toBe(false)
})

test('the code of an administrator counts after one of a plain member was refused', async () => {
  const code = await newCode()
  await telegram.say({ message_id: 11, text: code, from: bob })
  telegram.statuses.set(7, 'administrator')
  await telegram.say({ message_id: 12, text: code, from: { ...bob, id: 7 } })
  expect(await isConnected()).toBe(true)
})

test('connects after failures of Telegram, and without the right to delete messages', async () => {
  telegram.statuses.set(bob.id, 'administrator')
  telegram.refuse('getChatMember', 429, 'Too Many Requests: retry after 0', { parameters: { retry_after: 0 } })
  telegram.refuse('getChatMember', 502, 'Bad Gateway')
  telegram.refuse('deleteMessage', 400, "Bad Request: message can't be deleted")
  await telegram.say({ message_id: 13, text: await newCode(), from: bob })
  expect(await isConnected()).toBe(true)
})

test('a group whose members Telegram does not name is not connected', async () => {
  telegram.refuse('getChatMember', 400, 'Bad Request: member list is inaccessible')
  telegram.statuses.set(bob.id, 'administrator')
  await telegram.say({ message_id: 14, text: await newCode(), from: bob })
  expect(await isConnected()).toBe(false)
})

test('a channel is connected by its post, whose copy in the discussion group is no code', async () => {
  const code = await newCode()
  const forward_origin = { type: 'channel', chat: telegram.chat, message_id: 15 }
  const copy = { sender_chat: telegram.chat, is_automatic_forward: true, forward_origin }
  void telegram.post({ message_id: 15, text: code })
  await telegram.say({ message_id: 16, text: code, ...copy })
  expect(await isConnected()).toBe(true)
  await telegram.say({ message_id: 17, text: await newCode(), from: bob })
  await eventually(() => deleted().length > 0)
  expect(deleted()).toEqual([17])
})
