// Chat of Twitch against its double: anonymous and with an account, hostile frames, writes and moderation.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChatPlace } from '#server/core/chat.ts'
import { commandContext, startReading } from '#server/chat/testing/reading.ts'
import { type TwitchChatDouble, twitchChatDouble } from '#server/testing/chat/twitch.ts'
import { eventually } from '#server/testing/eventually.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { chat as twitch } from './chat.ts'

const anonymous: ChatPlace = {
  source: 'twitch:@ann',
  platform: 'twitch',
  externalId: '',
  page: 'https://www.twitch.tv/Ann',
  accountId: null,
  videoId: null,
}
let double: TwitchChatDouble
let world: World

beforeEach(async () => {
  double = await twitchChatDouble()
  world = await testApp(registeredAt(double.base))
})
afterEach(async () => {
  await world.close()
  await double.close()
  if (double.irc.problems.length > 0) throw new Error(double.irc.problems.join('\n'))
})

const read = (place: ChatPlace) => startReading(twitch, world.services, place)
async function connected(): Promise<ChatPlace> {
  const { body } = await connect(world, await world.user(), 'twitch')
  return { ...anonymous, source: 'twitch:777', externalId: '777', accountId: body.account.id }
}
const contextOf = (place: ChatPlace) => commandContext(world.services, place)

test('reads messages, deletions, subscriptions and raids anonymously', async () => {
  const reading = await read(anonymous)
  expect(reading.events).toEqual([{ is: 'state', state: 'reading' }])
  const { irc } = double
  const tags = { badges: 'moderator/1,subscriber/12', emotes: '25:3-7', 'source-id': 'shared' }
  irc.say('ann', '😀 Kappa hi <b>', { tags: { ...tags, emotes: '25:2-6' } })
  irc.say('ann', 'Cheer100 wow', { id: 'paid', tags: { bits: '100', 'reply-parent-msg-id': 'shared' } })
  irc.say('ann', '\u0001ACTION waves PRIVMSG #ann :hi\u0001')
  irc.notice('ann', 'raid', {
    'system-msg': '12 raiders',
    'msg-param-viewerCount': '12',
    'msg-param-displayName': 'Eve',
  })
  irc.notice('ann', 'resub', { 'system-msg': 'Eve subscribed', 'msg-param-sub-plan': 'Prime' }, 'hello')
  irc.clearMessage('ann', 'paid')
  irc.clearChat('ann', '5')
  irc.clearChat('ann')
  await eventually(() => reading.events.length >= 9)
  const [first, paid, action, raid, sub] = reading.messages()
  expect(first).toMatchObject({
    id: 'shared',
    entities: [
      { type: 'text', text: '😀 ' },
      { type: 'emoji', id: '25', name: 'Kappa' },
      { type: 'text', text: ' hi <b>' },
    ],
    sender: { id: '5', login: 'bob', name: 'Bob', roles: ['moderator', 'member'] },
  })
  expect(paid).toMatchObject({ kind: 'paid', paid: { amount: 100, currency: 'bits' }, replyTo: 'shared' })
  expect(action).toMatchObject({ kind: 'message', text: 'waves PRIVMSG #ann :hi' })
  expect([raid?.kind, sub?.kind, sub?.text]).toEqual(['raid', 'member', 'Eve subscribed – hello'])
  expect(reading.events.slice(-3)).toEqual([
    { is: 'deleted', id: 'paid' },
    { is: 'cleared', senderId: '5' },
    { is: 'cleared' },
  ])
  expect(await reading.stop()).toBeNull()
  await eventually(() => double.irc.joined().length === 0)
})

test.each(['anonymously', 'by the account'])(
  'adds images of global badges and of those of the channel, %s',
  async (how) => {
    const place = how === 'anonymously' ? anonymous : await connected()
    const reading = await read(place)
    await eventually(() => double.badgeCalls >= (how === 'anonymously' ? 3 : 2))
    const names = ['moderator/1', 'subscriber/12', 'unknown/1']
    const badges = names.map((name) => ({ set_id: name.split('/')[0], id: name.split('/')[1], info: '' }))
    const last = () => reading.messages().at(-1)?.sender.badges ?? []
    await expect
      .poll(() => {
        if (how === 'anonymously') double.irc.say('ann', 'hi', { tags: { badges: names.join(',') } })
        else double.eventSub.say('777', 'hi', { more: { badges } })
        return last().filter(({ image }) => image !== undefined).length
      })
      .toBe(2)
    expect(last()).toEqual([
      { id: 'moderator/1', title: 'Moderator', image: 'https://static-cdn.jtvnw.net/badges/v1/moderator-1/2' },
      { id: 'subscriber/12', title: '1-Year Subscriber', image: expect.stringContaining('jtvnw.net') as string },
      { id: 'unknown/1', title: 'unknown' },
    ])
    const calls = double.badgeCalls
    await reading.stop()
    const again = await read(place)
    await again.stop()
    expect(double.badgeCalls).toBe(calls)
  },
)

test('half lines, garbage and notices without a kind neither end the reader nor the process', async () => {
  const reading = await read(anonymous)
  double.irc.raw('@id=1;user-id=5 :bob!bob@x PRIVMSG #ann :in ')
  double.irc.raw('two halves\r\n')
  double.irc.raw(
    '@;=;;= :x PRIVMSG\r\n\r\n:\r\nCLEARMSG\r\n@a= :t CLEARCHAT\r\n\u0000\r\n@id :a PRIVMSG #ann :no id\r\n',
  )
  double.irc.raw('@msg-id :tmi.twitch.tv USERNOTICE #ann\r\n:tmi.twitch.tv USERNOTICE #ann\r\n')
  double.irc.say('ann', 'still here')
  await reading.count(2)
  expect(reading.texts()).toEqual(['in two halves', 'still here'])
  expect(reading.malformed()).toBeGreaterThan(0)
  await reading.stop()
})

test('a RECONNECT or a cut connection ends the reader, which the supervisor restarts', async () => {
  const cut = await read(anonymous)
  double.irc.drop()
  expect(await cut.done).toMatchObject({ name: 'ChatLost', isGap: true })
  const moved = await read(anonymous)
  double.irc.reconnect()
  expect(await moved.done).toMatchObject({ name: 'ChatLost' })
})

test('a channel without a page is refused', async () => {
  const reading = await read({ ...anonymous, page: 'https://www.twitch.tv/a/b%20c' })
  expect(await reading.done).toMatchObject({ name: 'ChatRefused', reason: 'page' })
})

test('reads over EventSub with an account, once per subscription, and drops frames that lack fields', async () => {
  const reading = await read(await connected())
  await eventually(() => double.eventSub.subscriptions.length === 5)
  const { eventSub } = double
  const message = {
    text: 'Hi @Ann Kappa',
    fragments: [
      { type: 'text', text: 'Hi ' },
      { type: 'mention', text: '@Ann', mention: { user_id: '777', user_login: 'ann', user_name: 'Ann' } },
      { type: 'emote', text: ' Kappa', emote: { id: '25', emote_set_id: '0', owner_id: '0', format: ['static'] } },
    ],
  }
  const badges = [{ set_id: 'vip', id: '1', info: '' }]
  eventSub.say('777', message.text, { id: 'm1', more: { message, badges, reply: { parent_message_id: 'm0' } } })
  eventSub.publish('channel.chat.message', { message_id: null })
  eventSub.publish('channel.chat.message', {})
  eventSub.say('777', 'mine', { id: 'm2', from: { id: '777', login: 'ann', name: 'Ann' } })
  eventSub.publish('channel.chat.message_delete', { message_id: 'm1', target_user_id: '5' })
  eventSub.publish('channel.chat.clear_user_messages', { target_user_id: '5' })
  eventSub.publish('channel.chat.clear', {})
  await eventually(() => reading.events.length >= 6)
  expect(reading.messages()).toMatchObject([
    {
      id: 'm1',
      replyTo: 'm0',
      entities: [{ type: 'text' }, { type: 'mention', id: '777' }, { type: 'emoji', id: '25' }],
      sender: { id: '5', roles: ['vip'] },
    },
    { id: 'm2', own: true },
  ])
  expect(reading.malformed()).toBe(2)
  expect(reading.events.slice(-3).map(({ is }) => is)).toEqual(['deleted', 'cleared', 'cleared'])
  await reading.stop()
})

test('an EventSub frame that is no JSON ends the connection, not the process', async () => {
  const reading = await read(await connected())
  double.eventSub.raw('{"metadata": {"message_ty')
  expect(await reading.done).toMatchObject({ name: 'ChatLost' })
  const again = await read(await connected())
  double.eventSub.say('777', 'back')
  await again.count(1)
  expect(again.texts()).toEqual(['back'])
  await again.stop()
})

test('a session that moves loses nothing', async () => {
  const reading = await read(await connected())
  double.eventSub.say('777', 'before')
  double.eventSub.moveSessions()
  await eventually(() => double.eventSub.sockets.size === 1 && reading.texts().length === 1)
  await eventually(() => {
    double.eventSub.say('777', 'after', { id: 'after' })
    return reading.texts().includes('after')
  })
  expect(reading.texts()[0]).toBe('before')
  await reading.stop()
})

test('scenario 11: a revocation ends the reader with its reason, and marks a dead account', async () => {
  const place = await connected()
  const reading = await read(place)
  double.eventSub.tokens.clear()
  double.eventSub.revoke()
  expect(await reading.done).toMatchObject({ name: 'ChatRefused', reason: 'reconnect' })
  const again = await read(place)
  expect(await again.done).toMatchObject({ reason: 'reconnect' })
  double.eventSub.tokens.add('access-1').add('access-2')
  const anew = await read(await connected())
  expect(anew.events).toEqual([{ is: 'state', state: 'reading' }])
  await anew.stop()
})

test('an account without the scopes of chat reads anonymously, and cannot write', async () => {
  double.eventSub.scopes = ['channel:manage:broadcast']
  const place = await connected()
  const reading = await read(place)
  expect(double.irc.joined()).toEqual(['#ann'])
  await reading.stop()
  await expect(twitch.send?.(contextOf(place), { text: 'x', nonce: '1' })).rejects.toMatchObject({ reason: 'scope' })
})

test('writes, replies, deletes, times out, bans and lifts by Helix', async () => {
  const ctx = contextOf(await connected())
  const sent = await twitch.send?.(ctx, { text: 'hello', replyTo: 'm0', nonce: '1' })
  expect(sent?.id).toMatch(/^[\da-f-]{36}$/)
  await twitch.remove?.(ctx, 'm1')
  await twitch.restrict?.(ctx, '5', 600)
  await twitch.restrict?.(ctx, '5', null)
  await twitch.lift?.(ctx, '5')
  const by = { broadcaster_id: '777', moderator_id: '777' }
  expect(double.eventSub.acts).toEqual([
    {
      name: 'POST chat/messages',
      query: {},
      body: { broadcaster_id: '777', sender_id: '777', message: 'hello', reply_parent_message_id: 'm0' },
    },
    { name: 'DELETE moderation/chat', query: { ...by, message_id: 'm1' }, body: {} },
    { name: 'POST moderation/bans', query: by, body: { data: { user_id: '5', duration: 600 } } },
    { name: 'POST moderation/bans', query: by, body: { data: { user_id: '5' } } },
    { name: 'DELETE moderation/bans', query: { ...by, user_id: '5' }, body: {} },
  ])
})

test('refusals of Twitch have a reason', async () => {
  const ctx = contextOf(await connected())
  const send = (text: string) => twitch.send?.(ctx, { text, nonce: '1' })
  double.eventSub.dropReason = 'msg_rejected'
  await expect(send('x')).rejects.toMatchObject({ reason: 'rejected' })
  double.eventSub.refuse = 429
  await expect(send('x')).rejects.toMatchObject({ reason: 'too_fast' })
  double.eventSub.refuse = 403
  await expect(twitch.remove?.(ctx, 'm')).rejects.toMatchObject({ reason: 'forbidden' })
})
