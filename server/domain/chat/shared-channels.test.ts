// Chats of shared channels: rights of a guest project, and one reader that feeds broadcasts of several projects.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { access } from '#contract/areas/channels/access.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { moderate } from '#contract/areas/chat/moderate.ts'
import type { ChatControl } from '#server/core/chat.ts'
import { listRestreams } from '#server/domain/broadcasts/store.ts'
import { upgrade } from '#server/testing/channels.ts'
import { connectTwitch, someMessage, withoutTwitch } from '#server/testing/chat.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { limitsOf } from '#server/domain/tariffs/plan-limits.ts'
import { sharedPair } from '#server/testing/sharing.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { storeChatEvents } from './store-events.ts'
import { claimReader, reconcilePlaces } from './wanted.ts'

let world: World
let calls: string[]

beforeAll(async () => {
  world = await testApp({ ...withoutTwitch, CHAT: 'off' })
  const note = async (call: string) => void calls.push(call)
  const double: ChatControl = {
    send: async (_, { text }) => (await note(`send ${text}`), { id: `id of ${text}` }),
    remove: (_, id) => note(`remove ${id}`),
    restrict: async (_, id) => (await note(`restrict ${id}`), {}),
    lift: (_, id) => note(`lift ${id}`),
    wake: () => undefined,
  }
  Object.assign(world.services, { chat: double })
})
afterAll(() => world.close())
beforeEach(() => {
  calls = []
})

let seq = 0

/** Ann's channel at Twitch, with her account, which Bob's project shares; both are on air with it and watch the chat. */
async function scene() {
  const both = await sharedPair(world)
  const { ann, bob, channelId } = both
  const { db } = world.app
  const externalId = `9${++seq}`
  await connectTwitch(world, { person: ann, channelId, externalId })
  const onAir = async (person: Person) => {
    const node = someNodeOf(world, `shared ${person.id}`)
    const { broadcast_id } = await beginBroadcast(world, person, node)
    await node.channel(person.projectId, channelId, 'live')
    await world.api(chat.watch, { project_id: person.projectId }, { as: person })
    const restream_id = (await listRestreams(db, [broadcast_id]))[0]?.id ?? 0
    const texts = async () =>
      (await world.api(chat.messages, { broadcast_id }, { as: person })).body.items.map(({ text }) => text)
    return { broadcast_id, restream_id, texts }
  }
  const source = `twitch:${externalId}`
  await db.updateTable('project_channels').set({ active: 1 }).where('channel_id', '=', channelId).execute()
  const [own, guest] = [await onAir(ann), await onAir(bob)]
  await reconcilePlaces(world.services)
  const claim = await claimReader(db, { source, platform: 'twitch', holder: 'test' })
  const say = (text: string) =>
    storeChatEvents(world.services, source, claim?.epoch ?? 0, [{ is: 'message', message: someMessage(text, text) }])
  return { ...both, own, guest, say }
}

test('ends a guest’s commands and reading in a running broadcast when a channel is no longer shared', async () => {
  const { ann, bob, place, own, guest, say } = await scene()
  await say('before')
  expect([await own.texts(), await guest.texts()]).toEqual([['before'], ['before']])
  const { broadcast_id, restream_id } = guest
  const send = (id: string) =>
    world.api(chat.send, { broadcast_id, id, text: id, restreams: [restream_id] }, { as: bob })
  expect((await send('shared')).body.restreams[0]?.state).toBe('delivered')

  const input = { ...place, target_project_id: bob.projectId }
  expect((await world.api(access.del, input, { as: ann })).error).toBeUndefined()
  calls = []
  expect((await send('unshared')).error?.name).toBe('RestreamNotFound')
  const ban = { broadcast_id, restream_id, sender_id: 'viewer-1', act: 'ban' } as const
  expect((await world.api(moderate.act, ban, { as: bob })).error?.name).toBe('CannotModerate')
  const [message] = (await world.api(chat.messages, { broadcast_id }, { as: bob })).body.items
  await world.api(chat.remove, { broadcast_id, event_id: message?.event_id ?? '' }, { as: bob })
  expect(calls).toEqual([])

  const hide = { ...ban, act: 'hide' } as const
  expect((await world.api(moderate.act, hide, { as: bob })).status).toBe(201)

  await say('after')
  expect(await own.texts()).toEqual(['before', 'after'])
  expect(await guest.texts()).not.toContain('after')
})

test('ends the reading of a project whose plan has no chat, while another project reads the same source', async () => {
  const { ann, bob, own, guest, say } = await scene()
  await upgrade(world, ann, 2)
  await say('before')
  await world.app.db.updateTable('restream_plans').set({ chat: 0 }).where('id', '=', 1).execute()
  expect((await limitsOf(world.services, world.app.db, bob.projectId)).chat).toBe(false)
  await say('after')
  expect(await own.texts()).toEqual(['before', 'after'])
  expect(await guest.texts()).toEqual(['before'])
})
