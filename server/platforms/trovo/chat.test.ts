// Chat of Trovo against its double, and hostile frames.
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChatPlace } from '#server/core/chat.ts'
import { commandContext, startReading } from '#server/chat/testing/reading.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { type TrovoChat, trovoChat } from '#server/testing/chat/trovo.ts'
import { chat as trovo } from './chat.ts'

const anonymous: ChatPlace = {
  source: 'trovo:@ann',
  platform: 'trovo',
  externalId: '',
  page: 'https://trovo.live/s/ann/549755?roomType=1',
  accountId: null,
  videoId: null,
}
const scopes =
  'user_details_self channel_details_self channel_update_self chat_send_self send_to_my_channel manage_messages'
let chat: TrovoChat
let double: PlatformDouble
let world: World

beforeEach(async () => {
  chat = trovoChat()
  double = await platformDouble([chat.platform])
  chat.listen(double.server)
  double.tokens.add('access-1')
  world = await testApp(registeredAt(double.base))
})
afterEach(async () => {
  chat.close()
  await world.close()
  await double.close()
  double.check()
})

/** The place of an account that was connected with chat. */
async function connected(granted = scopes): Promise<ChatPlace> {
  const { body } = await connect(world, await world.user(), 'trovo')
  await world.app.db.updateTable('platform_accounts').set({ scopes: granted }).execute()
  return { ...anonymous, externalId: '100', accountId: body.account.id }
}
const read = (place = anonymous, cursor: string | null = null) => startReading(trovo, world.services, place, cursor)

test('reads messages, emotes, spells, subscriptions and raids by the registration of the service', async () => {
  chat.say('before')
  const reading = await read()
  expect(reading.events[0]).toEqual({ is: 'state', state: 'reading' })
  chat.say('Hi :smile and :annHi, :none', { roles: ['mod', 'subscriber'], medals: ['sub_L1_T1', ''] })
  const spell = { gift: 'Winner', num: 3, gift_value: 100 }
  chat.say(JSON.stringify({ ...spell, value_type: 'Elixir' }), { type: 5 })
  chat.say(JSON.stringify({ ...spell, value_type: 'Mana' }), { type: 5 })
  chat.say('just subscribed', { type: 5001 })
  chat.say('5', { type: 5005 })
  chat.say('123,Cleo', { type: 5006 })
  chat.say('Bob is carrying 9 raiders', { type: 5008 })
  chat.say('followed', { type: 5003 })
  chat.say('By the system', { user_name: '', nick_name: '', sender_id: null })
  await reading.count(8)
  expect(reading.messages()).toMatchObject([
    {
      text: 'Hi :smile and :annHi, :none',
      kind: 'message',
      entities: [
        { type: 'text', text: 'Hi ' },
        { type: 'emoji', id: 'smile', image: 'https://static.trovo.live/smile.png' },
        { type: 'text' },
        { type: 'emoji', id: 'annHi' },
        { type: 'text', text: ', :none' },
      ],
      sender: { id: 'bob_1', name: 'Bob', roles: ['moderator', 'member'], badges: [{ id: 'sub_L1_T1' }] },
    },
    { kind: 'paid', text: 'Winner × 3', paid: { amount: 300, currency: 'elixir' } },
    { kind: 'notice', text: 'Winner × 3' },
    { kind: 'member', text: 'just subscribed' },
    { kind: 'member', text: 'Gifted subscriptions: 5' },
    { kind: 'member', text: 'Gifted a subscription to Cleo' },
    { kind: 'raid' },
    { text: 'By the system', sender: { id: '' } },
  ])
  expect(reading.malformed()).toBe(0)
  await reading.stop()
})

test('pings at the distance that Trovo demands, and ends when the connection does', async () => {
  chat.gap = 0.01
  const reading = await read()
  await expect.poll(() => chat.pings()).toBe(1)
  chat.drop()
  expect(await reading.done).toMatchObject({ name: 'ChatLost' })
  chat.isClosed = true
  expect(await (await read()).done).toMatchObject({ name: 'ChatLost' })
})

test('catches up after the cursor, and marks a gap that the recent messages do not cover', async () => {
  const first = chat.say('one')
  chat.say('two')
  chat.say('three')
  const second = await read(anonymous, String(first['send_time']))
  await second.count(3)
  // The store knows the first one.
  expect(second.messages()).toMatchObject([{ text: 'one' }, { text: 'two', late: true }, { text: 'three', late: true }])
  expect(second.events.some(({ is }) => is === 'gap')).toBe(false)
  await second.stop()
  for (let at = 0; at < 25; at++) chat.say(`more ${at}`)
  const third = await read(anonymous, String(first['send_time']))
  await third.count(20)
  expect(third.events[1]).toMatchObject({ is: 'gap', reason: 'lost' })
  await third.stop()
})

test('writes, deletes, times out and bans by the account; the echo is of the own account', async () => {
  const place = await connected()
  const reading = await read(place)
  const ctx = commandContext(world.services, place)
  expect(await trovo.send?.(ctx, { text: 'Hi all', nonce: 'n' })).toEqual({ id: null })
  chat.say('Hi all', { user_name: 'ann', sender_id: 1 })
  await reading.count(1)
  expect(reading.messages()).toMatchObject([{ text: 'Hi all', own: true }])
  await trovo.remove?.(ctx, 'm_1:77')
  await trovo.restrict?.(ctx, 'bob_1', 90)
  await trovo.restrict?.(ctx, 'bob_1', null)
  await trovo.lift?.(ctx, 'bob_1')
  expect(chat.acts).toMatchObject([
    { name: 'send', body: { content: 'Hi all', channel_id: 100 } },
    { name: 'delete' },
    { name: 'command', body: { command: 'ban bob_1 90s', channel_id: 100 } },
    { name: 'command', body: { command: 'ban bob_1' } },
    { name: 'command', body: { command: 'unban bob_1' } },
  ])
  await expect(trovo.restrict?.(ctx, 'bob; mod eve', 90)).rejects.toMatchObject({ reason: 'gone' })
  chat.outcome = { is_success: false, display_msg: 'No permission' }
  await expect(trovo.restrict?.(ctx, 'bob_1', 90)).rejects.toMatchObject({ reason: 'forbidden' })
  for (const [status, reason] of [
    [403, 'forbidden'],
    [429, 'too_fast'],
    [400, 'rejected'],
    [500, 'unknown'],
  ] as const) {
    chat.refuse(status)
    await expect(trovo.send?.(ctx, { text: 'Hi', nonce: 'n' })).rejects.toMatchObject({ reason })
  }
  const without = commandContext(world.services, anonymous)
  await expect(trovo.send?.(without, { text: 'Hi', nonce: 'n' })).rejects.toMatchObject({ reason: 'account' })
  await reading.stop()
})

test('names why it cannot read or write', async () => {
  const refused = async (place: ChatPlace, services = world.services) =>
    (await (
      await startReading(trovo, services, place)
    ).done) as { readonly reason?: string }
  expect(await refused({ ...anonymous, page: '' })).toMatchObject({ reason: 'page' })
  expect(await refused({ ...anonymous, page: 'https://trovo.live/s/gone' })).toMatchObject({ reason: 'page' })
  const providers = { ...world.services.config.providers, trovo: null }
  const services = { ...world.services, config: { ...world.services.config, providers } }
  expect(await refused(anonymous, services)).toMatchObject({ reason: 'setup' })
  const place = await connected('user_details_self')
  const ctx = commandContext(world.services, place)
  await expect(trovo.send?.(ctx, { text: 'Hi', nonce: 'n' })).rejects.toMatchObject({ reason: 'scope' })
  double.tokens.delete('access-1')
  expect(await refused(place)).toMatchObject({ reason: 'reconnect' })
})

test('survives frames of any form', async () => {
  const reading = await read()
  const any = fc.oneof(
    fc.jsonValue(),
    fc.record({ type: fc.constantFrom('CHAT', 'PONG', 'RESPONSE'), data: fc.jsonValue() }),
    fc.record({
      type: fc.constant('CHAT'),
      channel_info: fc.constant({}),
      data: fc.record({
        chats: fc.array(
          fc.record({
            type: fc.constantFrom(0, 5, 5006, 5009, 1),
            content: fc.oneof(fc.string({ unit: 'binary' }), fc.json()),
            message_id: fc.string({ minLength: 1 }),
            send_time: fc.double(),
            sender_id: fc.oneof(fc.double(), fc.string()),
            roles: fc.oneof(fc.jsonValue(), fc.array(fc.string())),
          }),
        ),
      }),
    }),
  )
  for (const frame of fc.sample(any, { numRuns: 200, seed: 3 })) chat.raw(JSON.stringify(frame))
  chat.raw('{"type":"CHAT"')
  chat.say('after')
  await expect.poll(() => reading.texts().at(-1)).toBe('after')
  expect(reading.malformed()).toBeGreaterThan(0)
  await reading.stop()
})
