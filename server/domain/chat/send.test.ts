// Sending and moderation: outcomes per restream, repeated ids, echoes, and rights of keys. Platforms are a double.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import { keys } from '#contract/areas/chat/keys.ts'
import { moderate } from '#contract/areas/chat/moderate.ts'
import { ChatSendError } from '#server/core/chat-errors.ts'
import type { ChatControl, ChatOutgoing, ChatPlace } from '#server/core/chat.ts'
import { listRestreams } from '#server/domain/broadcasts/store.ts'
import { newChannel } from '#server/testing/channels.ts'
import { connectTwitch, someMessage, someReader, withoutTwitch } from '#server/testing/chat.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { upsertFeeds } from './readers-store.ts'

let world: World
let calls: string[]
/** Sends of the double; a test replaces it. */
let send: (place: ChatPlace, message: ChatOutgoing) => Promise<{ readonly id: string | null }>

beforeAll(async () => {
  world = await testApp({ ...withoutTwitch, RATE_LIMITS: 'on' })
  const note = (what: string) => async () => void calls.push(what)
  const double: ChatControl = {
    send: async (place, message) => {
      calls.push(`send ${message.text}`)
      return send(place, message)
    },
    remove: async (_, id) => void calls.push(`remove ${id}`),
    restrict: async (_, id, seconds) => {
      calls.push(`restrict ${id} ${seconds}`)
      return { liftId: 'lift' }
    },
    lift: async (_, id, liftId) => void calls.push(`lift ${id} ${liftId}`),
    wake: note('wake'),
  }
  Object.assign(world.services, { chat: double })
})
afterAll(() => world.close())
beforeEach(() => {
  calls = []
  let sent = 0
  send = async () => ({ id: `sent-${++sent}` })
})

let seq = 0

/** A project on air at Twitch with an account, and a reader of its chat. */
async function scene() {
  const ann = await world.user()
  const channelId = await newChannel(world, ann)
  const { db } = world.app
  await connectTwitch(world, { person: ann, channelId, externalId: `4${++seq}` })
  const node = someNodeOf(world, `send ${seq}`)
  const { broadcast_id } = await beginBroadcast(world, ann, node)
  await node.channel(ann.projectId, channelId, 'live')
  calls = []
  const restream = (await listRestreams(db, [broadcast_id]))[0]?.id ?? 0
  const reader = await someReader(world, { broadcastId: broadcast_id, restreamId: restream, source: `twitch:4${seq}` })
  const list = async () => (await world.api(chat.messages, { broadcast_id }, { as: ann })).body.items
  return { ann, node, broadcast_id, restream, reader, list, of: { project_id: ann.projectId } }
}

test('scenario 12: the same id posted ten times concurrently is one message, with another text an error', async () => {
  const { ann, broadcast_id, list } = await scene()
  const post = (text: string) => world.api(chat.send, { broadcast_id, id: 'one', text }, { as: ann })
  const answers = await Promise.all(Array.from({ length: 10 }, () => post('hello')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map(({ body }) => body.event_id)).size).toBe(1)
  expect(calls).toEqual(['send hello'])
  expect((await post('other')).error).toMatchObject({ name: 'MessageIdReused' })
  expect((await list()).map(({ text, is_outgoing }) => [text, is_outgoing])).toEqual([['hello', true]])
})

test('two channels with one chat get a message once', async () => {
  const { ann, node, broadcast_id, restream, reader, list } = await scene()
  const channelId = await newChannel(world, ann)
  const { db } = world.app
  const first = await db
    .selectFrom('channels')
    .select(['type', 'external_id', 'account_id'])
    .where('owner_project_id', '=', ann.projectId)
    .where('account_id', 'is not', null)
    .executeTakeFirstOrThrow()
  await db.updateTable('channels').set(first).where('id', '=', channelId).execute()
  await node.channel(ann.projectId, channelId, 'live')
  const both = (await listRestreams(world.app.db, [broadcast_id])).map(({ id }) => id)
  expect(both).toHaveLength(2)
  const post = async (id: string, restreams: number[] = []) =>
    (await world.api(chat.send, { broadcast_id, id, text: id, restreams }, { as: ann })).body.restreams
  expect(await post('all')).toMatchObject([{ restream_id: restream, state: 'delivered' }])
  expect(await post('chosen', both)).toMatchObject([{ restream_id: restream, state: 'delivered' }])
  expect(await post('other', both.slice(1))).toMatchObject([{ restream_id: both[1], state: 'delivered' }])
  expect(calls).toEqual(['send all', 'send chosen', 'send other'])
  await upsertFeeds(db, [{ restream_id: both[1] ?? 0, broadcast_id, source: `twitch:4${seq}` }])
  await reader.say(someMessage('sent-1', 'all', { own: true }))
  expect((await list()).map(({ text }) => text)).toEqual(['all', 'chosen', 'other'])
})

test('counts characters of a text, not code units', async () => {
  const { ann, broadcast_id } = await scene()
  const post = (id: string, text: string) => world.api(chat.send, { broadcast_id, id, text }, { as: ann })
  expect((await post('300', '😀'.repeat(300))).status).toBe(201)
  const { error } = await post('301', '😀'.repeat(301))
  expect(error).toMatchObject({ name: 'I18nValidationException', msg: expect.stringContaining('300') as string })
  expect((await post('302', 'x'.repeat(301))).error?.name).toBe('I18nValidationException')
})

test('a text that exceeds the limit of a platform is not sent there', async () => {
  const { ann, broadcast_id } = await scene()
  const { db } = world.app
  await db.updateTable('channels').set({ type: 'youtube' }).where('owner_project_id', '=', ann.projectId).execute()
  const post = async (id: string, text: string) =>
    (await world.api(chat.send, { broadcast_id, id, text }, { as: ann })).body.restreams
  expect(await post('long', 'x'.repeat(201))).toMatchObject([{ state: 'failed', error: 'too_long' }])
  expect(calls).toEqual([])
  // Platforms count characters, and an emoji is one.
  expect(await post('short', '😀'.repeat(101))).toMatchObject([{ state: 'delivered' }])
})

test('scenario 13: a message that comes back before the response of its send is one row', async () => {
  const { ann, broadcast_id, reader, list } = await scene()
  for (const [index, known] of ['echo-1', null].entries()) {
    send = async (_, { text }) => {
      await reader.say(someMessage(`echo-${index + 1}`, text, { own: true }))
      return { id: known }
    }
    await world.api(chat.send, { broadcast_id, id: `s${index}`, text: 'same text' }, { as: ann })
  }
  // A text that the platform changed is recognised by the id of the response.
  send = async () => {
    await reader.say(someMessage('echo-3', 'changed', { own: true }))
    return { id: 'echo-3' }
  }
  await world.api(chat.send, { broadcast_id, id: 's3', text: 'third' }, { as: ann })
  await reader.say(someMessage('echo-3', 'changed', { own: true }))
  const items = await list()
  expect(items.map(({ text }) => text)).toEqual(['same text', 'same text', 'third'])
  expect(items.map(({ restreams }) => [restreams[0]?.id, restreams[0]?.state])).toEqual([
    ['echo-1', 'delivered'],
    ['echo-2', 'delivered'],
    ['echo-3', 'delivered'],
  ])
})

test('invariant 4: repeats only a send that the platform refused', async () => {
  const { ann, broadcast_id, restream } = await scene()
  const again = (event_id: string) =>
    world.api(chat.again, { broadcast_id, event_id, restream_id: restream }, { as: ann })
  const sendOne = async (id: string) => (await world.api(chat.send, { broadcast_id, id, text: 'hi' }, { as: ann })).body
  send = async () => {
    throw new Error('no response')
  }
  const lost = await sendOne('lost')
  expect(lost.restreams).toMatchObject([{ state: 'unknown', error: 'unknown', id: null }])
  expect((await again(lost.event_id)).error).toMatchObject({ name: 'NotFailed' })
  send = async () => {
    throw new ChatSendError('too_fast', 'Slow mode', 7)
  }
  const refused = await sendOne('refused')
  expect(refused.restreams).toMatchObject([{ state: 'failed', error: 'too_fast', retry_after: 7 }])
  send = async () => ({ id: 'now' })
  expect((await again(refused.event_id)).body.restreams).toMatchObject([{ state: 'delivered', id: 'now' }])
  expect((await again(refused.event_id)).error).toMatchObject({ name: 'NotFailed' })
  expect(calls).toEqual(['send hi', 'send hi', 'send hi'])
})

test('refuses the 31st message of a user within 30 seconds', async () => {
  const { ann, broadcast_id } = await scene()
  const post = (n: number) => world.api(chat.send, { broadcast_id, id: `n${n}`, text: 'x' }, { as: ann })
  for (let n = 0; n < 30; n++) expect((await post(n)).status).toBe(201)
  expect((await post(30)).status).toBe(429)
  world.clock.advance(30_001)
  expect((await post(31)).status).toBe(201)
})

test('refuses the 121st command of a user within a minute, before it reaches the platform', async () => {
  const { ann, broadcast_id, restream } = await scene()
  send = async () => {
    throw new ChatSendError('rejected', 'No')
  }
  const { event_id } = (await world.api(chat.send, { broadcast_id, id: 'once', text: 'x' }, { as: ann })).body
  const again = () => world.api(chat.again, { broadcast_id, event_id, restream_id: restream }, { as: ann })
  for (let n = 0; n < 120; n++) expect((await again()).status).toBe(201)
  const refused = [
    await again(),
    await world.api(chat.remove, { broadcast_id, event_id }, { as: ann }),
    await world.api(moderate.act, { broadcast_id, restream_id: restream, sender_id: '1', act: 'ban' }, { as: ann }),
    await world.api(chat.test, { broadcast_id }, { as: ann }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429])
  expect(calls).toHaveLength(121)
  world.clock.advance(60_000)
  expect((await world.api(chat.remove, { broadcast_id, event_id }, { as: ann })).status).not.toBe(429)
})

test('a sample says that the chat works only while every chat of the broadcast is connected', async () => {
  const { ann, node, broadcast_id, reader } = await scene()
  const sample = async (language = 'en') =>
    (await world.api(chat.test, { broadcast_id, language } as never, { as: ann })).body.text
  expect(await sample()).toBe('Test message received. 0 of 1 chats connected')
  await reader.store({ is: 'state', state: 'reading' })
  expect(await sample()).toBe('Test message: the chat works')
  await reader.store({ is: 'state', state: 'waiting', reason: 'lost', until: world.clock.now() })
  expect(await sample('ru')).toBe('Тестовое сообщение получено. Подключено чатов: 0 из 1')
  await node.end(ann.projectId)
  expect(await sample('cn')).toBe('测试消息已收到。开播后会连接聊天')
})

test('invariant 6, scenario 7: a key that reads changes nothing', async () => {
  const { ann, broadcast_id, restream, reader, list, of } = await scene()
  await reader.say(someMessage('1', 'hello'))
  const { key } = (await world.api(chat.key, of, { as: ann })).body
  const [message] = await list()
  const event_id = message?.event_id ?? ''
  const before = JSON.stringify(await list())
  const names = [
    (await world.api(chat.send, { key, broadcast_id, id: 'k', text: 'x' })).error?.name,
    (await world.api(chat.again, { key, broadcast_id, event_id, restream_id: restream })).error?.name,
    (await world.api(chat.remove, { key, broadcast_id, event_id })).error?.name,
    (await world.api(moderate.act, { key, broadcast_id, event_id, act: 'ban' })).error?.name,
    (await world.api(chat.test, { key })).error?.name,
  ]
  expect(new Set(names)).toEqual(new Set(['KeyMayNotWrite']))
  expect(JSON.stringify(await list())).toBe(before)
  expect(calls).toEqual([])
  const added = await world.api(keys.add, { ...of, name: 'Dock', rights: 'write' }, { as: ann })
  const dock = added.body.key
  expect((await world.api(chat.send, { key: dock, broadcast_id, id: 'k', text: 'x' })).body.sender.name).toBe('Dock')
  await world.api(keys.remove, { ...of, key_id: added.body.id }, { as: ann })
  expect((await world.api(chat.messages, { key: dock, broadcast_id })).error?.name).toBe('KeyNotFound')
  expect((await world.api(chat.messages, { key, broadcast_id })).status).toBe(200)
})

test('moderates at the platform, hides here, and logs both', async () => {
  const { ann, broadcast_id, reader, list, of } = await scene()
  await reader.say(someMessage('1', 'one'), someMessage('2', 'two'))
  const [one, two] = await list()
  const act = (event_id: string | undefined, what: 'timeout' | 'unban' | 'hide') =>
    world.api(moderate.act, { broadcast_id, event_id, act: what, seconds: 60 }, { as: ann })
  const until = new Date(world.clock.now().getTime() + 60_000).toISOString()
  expect((await act(one?.event_id, 'timeout')).body).toEqual({ done: true, until })
  await act(one?.event_id, 'unban')
  await act(two?.event_id, 'hide')
  await world.api(chat.remove, { broadcast_id, event_id: one?.event_id ?? '' }, { as: ann })
  expect(calls).toEqual(['restrict viewer-1 60', 'lift viewer-1 lift', 'remove 1'])
  expect((await list()).map(({ text, deleted }) => [text, deleted])).toEqual([['', true]])
  const log = (await world.api(moderate.log, { ...of, broadcast_id }, { as: ann })).body.results
  expect(log.map((row) => [row.act, row.sender_name, row.by.name])).toEqual([
    ['delete', 'Viewer', 'Ann'],
    ['hide', 'Viewer', 'Ann'],
    ['unban', 'Viewer', 'Ann'],
    ['timeout', 'Viewer', 'Ann'],
  ])
  const forgotten = await world.api(moderate.forget, { ...of, platform: 'twitch', sender_id: 'viewer-1' }, { as: ann })
  expect(forgotten.body.count).toBe(2)
  const rows = await world.app.db
    .selectFrom('chat_messages')
    .selectAll()
    .where('broadcast_id', '=', broadcast_id)
    .execute()
  expect(JSON.stringify(rows)).not.toContain('Viewer')
})
