// Chat of VK against its double, which serves vk-io as well.
import { Agent } from 'node:http'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { VK } from 'vk-io'
import type { ChatPlace } from '#server/core/chat.ts'
import { commandContext, startReading } from '#server/chat/testing/reading.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { vkDouble } from '#server/testing/providers/platforms-vk.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { type VkChat, vkChat } from '#server/testing/chat/vk.ts'
import { chat as vk } from './chat.ts'

let chat: VkChat
let double: PlatformDouble
let world: World
let place: ChatPlace

beforeEach(async () => {
  chat = vkChat()
  double = await platformDouble([chat.platform, vkDouble])
  double.tokens.add('access-1')
  world = await testApp(registeredAt(double.base))
  const { body } = await connect(world, await world.user(), 'vk')
  const owner = { source: 'vk:-321', platform: 'vk', externalId: '-321', page: '' } as const
  place = { ...owner, accountId: body.account.id, videoId: '8' }
})
afterEach(async () => {
  await world.close()
  await double.close()
  double.check()
})

const read = (cursor: string | null = null, of = place) => startReading(vk, world.services, of, cursor)
const ctx = () => commandContext(world.services, place)

test('reads comments with mentions, stickers, replies and deletions', async () => {
  const reading = await read()
  const first = chat.say('Hi [id9|Ann], look')
  const images = [{ url: 'https://vk.com/sticker/1-64', width: 64 }]
  chat.say('', { attachments: [{ type: 'sticker', sticker: { sticker_id: 5, images } }], reply_to_comment: first })
  await reading.count(2)
  const [one, two] = reading.messages()
  expect(one).toMatchObject({
    id: String(first),
    text: 'Hi Ann, look',
    entities: [{ type: 'text' }, { type: 'mention', id: '9', text: 'Ann' }, { type: 'text' }],
    sender: { id: '42', name: 'Bob Example', roles: [] },
  })
  expect(two).toMatchObject({ replyTo: String(first), entities: [{ type: 'emoji', id: 'sticker-5' }] })
  await vk.remove?.(ctx(), String(first))
  await expect.poll(() => reading.events.at(-1)).toEqual({ is: 'deleted', id: String(first) })
  expect(await reading.stop()).toBeNull()
})

test('catches up after each failure of the poll, and after a cursor', async () => {
  const seen = chat.say('before')
  const reading = await read()
  for (const failed of [1, 2, 3] as const) {
    chat.fail(failed)
    const at = chat.comments.length
    chat.comments.push({ id: 100 + at, from_id: 42, date: 1, text: `missed ${failed}` })
    await reading.count(failed)
  }
  expect(reading.texts()).toEqual(['missed 1', 'missed 2', 'missed 3'])
  expect(reading.messages().every(({ late }) => late)).toBe(true)
  expect(chat.keys).toBe(3)
  await reading.stop()
  const again = await read(String(seen))
  await again.count(3)
  expect(again.texts()).toEqual(['missed 1', 'missed 2', 'missed 3'])
  await again.stop()
})

test.for(['events', 'a new state'])('pauses after immediate polls without %s', async (kind) => {
  chat.isEmpty = true
  if (kind === 'a new state') for (let n = 0; n < 10; n++) chat.fail(1)
  const reading = await read()
  const began = performance.now()
  await expect.poll(() => chat.polls, { interval: 1 }).toBeGreaterThanOrEqual(3)
  expect(performance.now() - began).toBeGreaterThan(250)
  await reading.stop()
})

test('writes once for each nonce, answers, and reads its own messages', async () => {
  const reading = await read(null, { ...place, videoId: null })
  const send = (text: string, nonce: string, replyTo?: string) =>
    vk.send?.(ctx(), { text, nonce, ...(replyTo === undefined ? {} : { replyTo }) })
  const sent = await send('Hello', 'guid-1')
  expect(await send('Hello', 'guid-1')).toEqual(sent)
  await send('Answer', 'guid-2', sent?.id ?? '')
  await reading.count(2)
  expect(reading.messages()).toMatchObject([
    { id: sent?.id, text: 'Hello', own: true, sender: { id: '-321', name: 'Chess club', roles: ['owner'] } },
    { text: 'Answer', replyTo: sent?.id },
  ])
  for (const [code, reason] of [
    [6, 'too_fast'],
    [9, 'too_fast'],
    [15, 'forbidden'],
    [801, 'no_chat'],
    [10, 'rejected'],
  ] as const) {
    chat.refuse('video.createComment', code)
    await expect(send('Again', 'guid-3')).rejects.toMatchObject({ reason })
  }
  await reading.stop()
})

test('deletes, bans for a time and for ever, in communities only', async () => {
  const id = chat.say('spam')
  await vk.remove?.(ctx(), String(id))
  await expect(vk.remove?.(ctx(), String(id))).rejects.toMatchObject({ reason: 'gone' })
  const now = Math.floor(world.clock.now().getTime() / 1000)
  await vk.restrict?.(ctx(), '42', 600)
  await vk.restrict?.(ctx(), '42', null)
  await vk.lift?.(ctx(), '42')
  expect(chat.acts.slice(2)).toMatchObject([
    { method: 'groups.ban', body: { group_id: '321', owner_id: '42', end_date: String(now + 600) } },
    { method: 'groups.ban', body: { group_id: '321', owner_id: '42' } },
    { method: 'groups.unban', body: { group_id: '321', owner_id: '42' } },
  ])
  const profile = commandContext(world.services, { ...place, externalId: '9' })
  await expect(vk.restrict?.(profile, '42', 600)).rejects.toMatchObject({ reason: 'unsupported' })
})

test('names why it cannot read', async () => {
  chat.refuse('video.getLongPollServer', 15)
  expect(await (await read()).done).toMatchObject({ name: 'ChatRefused', reason: 'forbidden' })
  chat.refuse('video.getLongPollServer', 6)
  expect(await (await read()).done).toMatchObject({ name: 'ChatLost' })
  expect(await (await read(null, { ...place, accountId: null })).done).toMatchObject({ reason: 'account' })
  double.tokens.clear()
  expect(await (await read()).done).toMatchObject({ reason: 'reconnect' })
})

test('survives events of any form', async () => {
  const reading = await read()
  const type = fc.constantFrom('video_comment_new', 'video_comment_delete', 'video_view_join')
  const comment = fc.record({
    id: fc.integer(),
    from_id: fc.integer(),
    date: fc.double(),
    text: fc.string({ unit: 'binary' }),
  })
  const any = fc.oneof(
    fc.jsonValue(),
    fc.string(),
    fc.record({ type, comment: fc.oneof(comment, fc.jsonValue()), user: fc.jsonValue(), group: fc.jsonValue() }),
  )
  for (const event of fc.sample(any, { numRuns: 300, seed: 5 })) chat.deliver(event)
  chat.say('after')
  await expect.poll(() => reading.texts().at(-1)).toBe('after')
  expect(reading.malformed()).toBeGreaterThan(0)
  await reading.stop()
})

test('the double serves vk-io', async () => {
  const { api } = new VK({
    token: 'access-1',
    apiBaseUrl: `${double.base}/api.vk.com/method`,
    agent: new Agent() as never,
  })
  const video = { owner_id: -321, video_id: 8 }
  const { url } = (await api.video.getLongPollServer(video)) as unknown as { url: string }
  expect(url).toContain('https://lp.vk.com/')
  const id = await api.video.createComment({ ...video, message: 'By vk-io', from_group: true, guid: 'g' })
  const { items } = await api.video.getComments({ ...video, sort: 'asc' })
  expect(items).toMatchObject([{ id, text: 'By vk-io' }])
  await api.video.deleteComment({ owner_id: -321, comment_id: Number(id) })
  await api.groups.ban({ group_id: 321, owner_id: 42 })
  chat.refuse('video.getComments', 15)
  await expect(api.video.getComments(video)).rejects.toMatchObject({ code: 15 })
})
