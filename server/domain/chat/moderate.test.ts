// Moderation while another replica changes the same message.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import { moderate } from '#contract/areas/chat/moderate.ts'
import type { Services } from '#server/core/context.ts'
import type { Db } from '#server/db/open.ts'
import { findBroadcast, listRestreams } from '#server/domain/broadcasts/store.ts'
import { newChannel } from '#server/testing/channels.ts'
import { chatOnAir, someMessage, someReader } from '#server/testing/chat.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import type { ChatCaller } from './callers.ts'
import { deleteMessage, moderateChat } from './moderate.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

/** Services whose transactions begin after a change by another replica. */
function after(change: () => Promise<unknown>): Services {
  const { db } = world.services
  const transaction = () => ({
    execute: async (fn: Parameters<ReturnType<Db['transaction']>['execute']>[0]) => {
      await change()
      return db.transaction().execute(fn)
    },
  })
  const double = new Proxy(db, {
    get: (of, name) => {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(of, name, of)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
  return { ...world.services, db: double }
}

/** A broadcast with one message. */
async function scene() {
  const { ann, node, broadcastId: broadcast_id, restreamId, reader } = await chatOnAir(world)
  await reader.say(someMessage('1', 'secret'))
  const { items } = (await world.api(chat.messages, { broadcast_id }, { as: ann })).body
  const eventId = items[0]?.event_id ?? ''
  const broadcast = await findBroadcast(world.services.db, ann.projectId, broadcast_id)
  if (!broadcast) throw new Error('No broadcast')
  const caller: ChatCaller = {
    projectId: ann.projectId,
    isMember: true,
    mayWrite: true,
    isSuspended: false,
    userId: null,
    keyId: null,
    keyName: '',
  }
  const act = (name: 'hide' | 'show') =>
    world.api(moderate.act, { broadcast_id, event_id: eventId, act: name }, { as: ann })
  const forget = () =>
    world.api(moderate.forget, { project_id: ann.projectId, platform: 'twitch', sender_id: 'viewer-1' }, { as: ann })
  const stored = async () => {
    const { db } = world.services
    const message = await db.selectFrom('chat_messages').selectAll().where('event_id', '=', eventId).executeTakeFirst()
    const acts = await db.selectFrom('chat_acts').selectAll().where('broadcast_id', '=', broadcast_id).execute()
    return JSON.stringify({ message, acts })
  }
  return { ann, node, reader, restreamId, broadcast_id, broadcast, caller, eventId, act, forget, stored }
}

test('publishes no text of a message that is deleted while it is shown again', async () => {
  const { ann, broadcast_id, broadcast, caller, eventId, act } = await scene()
  await act('hide')
  const published = vi.spyOn(world.services.realtime, 'publish')
  const services = after(() => world.api(chat.remove, { broadcast_id, event_id: eventId }, { as: ann }))
  const show = { act: 'show', eventId, restreamId: null, senderId: null, seconds: 0 } as const
  await moderateChat(services, caller, broadcast, show)
  await world.api(moderate.star, { broadcast_id }, { as: ann })
  await vi.waitFor(() => expect(JSON.stringify(published.mock.calls)).toContain('"starred"'))
  expect(JSON.stringify(published.mock.calls)).not.toContain('"got"')
  published.mockRestore()
})

test('numbers each deletion and reappearance, and publishes ranges without a hole', async () => {
  const published = vi.spyOn(world.services.realtime, 'publish')
  const { ann, reader, broadcast_id, eventId: event_id, act } = await scene()
  const batches = () =>
    published.mock.calls.flatMap(([, data]) => ('event' in data && data.event === 'messages' ? [data] : []))
  await act('hide')
  await act('show')
  const author = { broadcast_id, restream_id: Number(reader.source.split(':')[1]), sender_id: 'viewer-1' }
  await world.api(moderate.act, { ...author, act: 'hide' }, { as: ann })
  await world.api(moderate.act, { ...author, act: 'show' }, { as: ann })
  await world.api(chat.remove, { broadcast_id, event_id }, { as: ann })
  await reader.say(someMessage('2', 'second'), someMessage('3', 'third'))
  await reader.store({ is: 'deleted', id: '2' }, { is: 'cleared', senderId: 'viewer-1' })
  await vi.waitFor(() => expect(batches().at(-1)?.upto).toBe(10))
  const numbered = batches().flatMap(({ payload }) =>
    payload.map((change) => 'rev' in change && [change.action, change.rev]),
  )
  expect(numbered).toEqual([
    ['got', 1],
    ['deleted', 2],
    ['got', 3],
    ['deleted', 4],
    ['got', 5],
    ['deleted', 6],
    ['got', 7],
    ['got', 8],
    ['deleted', 9],
    ['cleared', 10],
  ])
  expect(batches().map((one) => one.after)).toEqual([0, ...batches().map(({ upto }) => upto)].slice(0, -1))
  const { items, upto, last } = (await world.api(chat.changes, { broadcast_id, after: 0 }, { as: ann })).body
  expect([items.map((item) => [item.rev, 'gone' in item]), upto, last]).toEqual([
    [
      [6, true],
      [9, true],
      [10, true],
    ],
    10,
    10,
  ])
  published.mockRestore()
})

test('a deletion and its log have no name of an author that was forgotten meanwhile', async () => {
  const { broadcast, caller, eventId, forget, stored } = await scene()
  await deleteMessage(after(forget), caller, broadcast, eventId)
  expect(await stored()).not.toMatch(/Viewer|viewer-1/)
})

test('the log of an act has no name of an author that was forgotten meanwhile', async () => {
  const { broadcast, caller, eventId, forget, stored } = await scene()
  const hide = { act: 'hide', eventId, restreamId: null, senderId: null, seconds: 0 } as const
  await moderateChat(after(forget), caller, broadcast, hide)
  expect(await stored()).not.toMatch(/Viewer|viewer-1/)
})

test('hides and shows an author in all chats of the platform in the broadcast', async () => {
  const { ann, node, restreamId, broadcast_id } = await scene()
  await node.channel(ann.projectId, await newChannel(world, ann), 'live')
  const { db } = world.app
  const other = (await listRestreams(db, [broadcast_id])).find(({ id }) => id !== restreamId)?.id ?? 0
  await db.updateTable('restreams').set({ type: 'twitch' }).where('id', '=', other).execute()
  await (await someReader(world, { broadcastId: broadcast_id, restreamId: other })).say(someMessage('2', 'there'))
  const texts = async () =>
    (await world.api(chat.messages, { broadcast_id }, { as: ann })).body.items.map(({ text }) => text)
  const author = { broadcast_id, restream_id: restreamId, sender_id: 'viewer-1' }
  await world.api(moderate.act, { ...author, act: 'hide' }, { as: ann })
  expect(await texts()).toEqual([])
  await world.api(moderate.act, { ...author, act: 'show' }, { as: ann })
  expect(await texts()).toEqual(['secret', 'there'])
})

test('forgets no author of another platform with the same id in the log', async () => {
  const { ann, act, stored } = await scene()
  await act('hide')
  const author = { project_id: ann.projectId, sender_id: 'viewer-1' }
  await world.api(moderate.forget, { ...author, platform: 'youtube' }, { as: ann })
  expect(JSON.parse(await stored()).acts).toMatchObject([{ author_id: 'viewer-1', author_name: 'Viewer' }])
  await world.api(moderate.forget, { ...author, platform: 'twitch' }, { as: ann })
  expect(JSON.parse(await stored()).acts).toMatchObject([{ author_id: '', author_name: '' }])
})

test('hides a muted author again where the list of muted authors is full', async () => {
  const { ann, restreamId, broadcast_id } = await scene()
  const author = { broadcast_id, restream_id: restreamId, sender_id: 'viewer-1' }
  const hide = () => world.api(moderate.act, { ...author, act: 'hide' }, { as: ann })
  await hide()
  const others = Array.from({ length: 999 }, (_, index) => ({
    project_id: ann.projectId,
    platform: 'twitch' as const,
    author_id: `other-${index}`,
    name: '',
    date_create: world.clock.now().toISOString(),
  }))
  await world.services.db.insertInto('chat_muted').values(others).execute()
  expect((await hide()).status).toBe(201)
  const more = await world.api(moderate.act, { ...author, sender_id: 'viewer-2', act: 'hide' }, { as: ann })
  expect(more.error?.name).toBe('TooManyMuted')
})
