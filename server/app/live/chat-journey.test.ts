// The way of a message through the service: from the platform to the history and to open pages.
import { Centrifuge } from 'centrifuge'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import type { NotificationKind } from '#contract/entities/notification.ts'
import type { ChatBatch, ChatChange } from '#contract/events/chat.ts'
import { someAddress, someKey } from '#server/testing/channels.ts'
import { type TwitchChatDouble, twitchChatDouble } from '#server/testing/chat/twitch.ts'
import { eventually } from '#server/testing/eventually.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let double: TwitchChatDouble
let world: World
let ann: Person
let node: ReturnType<typeof someNodeOf>

beforeEach(async () => {
  double = await twitchChatDouble()
  world = await testApp(registeredAt(double.base))
  world.clock.set(new Date())
  ann = await world.user()
  node = someNodeOf(world)
})
afterEach(async () => {
  await world.close()
  await double.close()
  if (double.irc.problems.length > 0) throw new Error(double.irc.problems.join('\n'))
})

/** Adds a channel of Twitch by key, with its page, and begins a broadcast to it. */
async function goOnAir() {
  const input = { project_id: ann.projectId, type: 'twitch', name: 'Ann', rtmp_url: someAddress } as const
  const more = { stream_key: someKey, channel_url: 'https://www.twitch.tv/Ann' }
  const { body, error } = await world.api(addChannel.any, { ...input, ...more }, { as: ann })
  expect(error).toBeUndefined()
  return begin(body.channel_id)
}

async function begin(channelId: number) {
  const { broadcast_id } = await beginBroadcast(world, ann, node)
  await node.channel(ann.projectId, channelId, 'live')
  return { broadcast_id, channelId }
}

/** Listens to a broadcast as an overlay does. @returns the changes so far */
async function listen(broadcast_id: number): Promise<ChatChange[]> {
  const { key } = (await world.api(chat.key, { project_id: ann.projectId }, { as: ann })).body
  const { body } = await world.api(broadcasts.longpoll, { key, wait: 0 })
  if (!body) throw new Error('Nothing is on air')
  const { url } = await world.app.listen()
  const client = new Centrifuge(`${url.replace('http', 'ws')}/connection/websocket`, { token: body.connection_token })
  onTestFinished(() => client.disconnect())
  client.connect()
  const subscription = client.newSubscription(`$broadcast:${broadcast_id}`, { token: body.access_token })
  const received: ChatChange[] = []
  subscription.on('publication', ({ data }) => {
    const batch = data as ChatBatch
    if (batch.event === 'messages') received.push(...batch.payload)
  })
  subscription.subscribe()
  await subscription.ready(20_000)
  return received
}

/** Returns the number of readers in the metrics. */
const readers = async () => (await world.app.registry.getSingleMetric('relaydeck_chat_readers')?.get())?.values.length
const messagesOf = async (broadcast_id: number) =>
  (await world.api(chat.messages, { broadcast_id }, { as: ann })).body.items
const chatsOf = async (broadcast_id: number) =>
  (await world.api(chat.capabilities, { broadcast_id }, { as: ann })).body.results

test('a message of a channel added by key is stored, answered and published until the broadcast ends', async () => {
  const { broadcast_id, channelId } = await goOnAir()
  const received = await listen(broadcast_id)
  await world.api(chat.watch, { project_id: ann.projectId }, { as: ann })
  await eventually(() => double.irc.joined().includes('#ann'))
  await eventually(async () => (await chatsOf(broadcast_id))[0]?.state === 'reading')
  expect(await chatsOf(broadcast_id)).toMatchObject([{ channel_id: channelId, platform: 'twitch', reason: null }])

  expect(await readers()).toBe(1)
  const id = double.irc.say('ann', 'hello Kappa', { tags: { emotes: '25:6-10' } })
  await eventually(() => received.some(({ action }) => action === 'got'))
  const [stored] = await messagesOf(broadcast_id)
  expect(stored).toMatchObject({
    text: 'hello Kappa',
    restreams: [{ id, platform: 'twitch' }],
    sender: { name: 'Bob' },
  })
  const got = received.find(({ action }) => action === 'got')
  expect(got).toEqual({ action: 'got', ...stored })
  expect((await world.api(chat.message, { broadcast_id, event_id: stored?.event_id ?? '' }, { as: ann })).body).toEqual(
    stored,
  )

  double.irc.clearMessage('ann', id)
  await eventually(() => received.some(({ action }) => action === 'deleted'))
  expect(received.at(-1)).toMatchObject({ action: 'deleted', event_id: stored?.event_id })
  expect(JSON.stringify(await messagesOf(broadcast_id))).not.toContain('hello')

  await node.end(ann.projectId)
  double.irc.say('ann', 'bye')
  await eventually(async () => (await messagesOf(broadcast_id)).some(({ text }) => text === 'bye'))
  world.clock.advance(11_000)
  await eventually(() => double.irc.joined().length === 0)
  await eventually(async () => (await readers()) === 0)
  expect(await chatsOf(broadcast_id)).toMatchObject([{ state: 'off' }])
})

/** Begins a watched broadcast, and waits until its chat has a state. @returns the broadcast */
async function readAs(channelId: number, state: 'reading' | 'failed'): Promise<number> {
  const { broadcast_id } = await begin(channelId)
  await world.api(chat.watch, { project_id: ann.projectId }, { as: ann })
  await eventually(async () => (await chatsOf(broadcast_id))[0]?.state === state)
  return broadcast_id
}
const refusals = async (name: NotificationKind = 'channel_api_update_chat_error') =>
  (await world.api(history.list, { name }, { as: ann })).body.results

test('a chat without its scope notifies the editors', async () => {
  const { body } = await connect(world, ann, 'twitch')
  double.eventSub.scopes = []
  const broadcast_id = await readAs(body.channel_id ?? 0, 'failed')
  expect((await chatsOf(broadcast_id))[0]).toMatchObject({ state: 'failed', reason: 'scope' })
  await eventually(async () => (await refusals()).length === 1)
})

test('a revoked account notifies the editors once, and its chat is read without it', async () => {
  const { body } = await connect(world, ann, 'twitch')
  const before = (await refusals()).length
  const broadcast_id = await readAs(body.channel_id ?? 0, 'reading')
  double.eventSub.say('777', 'by the account')
  await eventually(async () => (await messagesOf(broadcast_id)).length === 1)
  double.eventSub.tokens.clear()
  double.eventSub.revoke()
  await eventually(async () => (await refusals('channel_token_error')).length === 1)
  expect((await refusals('channel_token_error'))[0]).toMatchObject({ link: `/p/${ann.projectId}/channels/accounts` })
  await eventually(() => double.irc.joined().includes('#ann'))
  double.irc.say('ann', 'without it')
  await eventually(async () => (await messagesOf(broadcast_id)).length === 2)
  expect(await refusals()).toHaveLength(before)
})
