// Overlays: clients without an account, which have the project's chat key.
import { Centrifuge } from 'centrifuge'
import { jwtVerify } from 'jose'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { keys } from '#contract/areas/chat/keys.ts'
import { publish } from '#server/domain/realtime/realtime.ts'
import { someNode } from '#server/testing/nodes.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let url: string

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  world = await testApp(env)
  world.clock.set(new Date())
  ann = await world.user()
  url = `${(await world.app.listen()).url.replace('http', 'ws')}/connection/websocket`
}
beforeEach(() => start())
afterEach(() => world.close())

/** Puts the project on air. @returns what an overlay is given */
async function poll() {
  const { key } = (await world.api(chat.key, { project_id: ann.projectId }, { as: ann })).body
  await someNodeOf(world, someNode.node).begin(ann.projectId)
  const { body } = await world.api(broadcasts.longpoll, { key, wait: 0 })
  if (!body) throw new Error('Nothing is on air')
  return { ...body, channel: `$broadcast:${body.broadcast_id}` }
}

type Polled = Awaited<ReturnType<typeof poll>>

function connect(token: string): Centrifuge {
  const client = new Centrifuge(url, { token, minReconnectDelay: 20, maxReconnectDelay: 50 })
  onTestFinished(() => client.disconnect())
  client.connect()
  return client
}

const viewsOf = (broadcast_id: number) =>
  ({ event: 'views', broadcast_id, event_id: 'e', restream_id: 1, platform: 'youtube', payload: 5 }) as const

/** Subscribes. @returns the first publication */
async function listen(client: Centrifuge, { channel, access_token: token, broadcast_id: id }: Polled) {
  const subscription = client.newSubscription(channel, { token })
  const received = new Promise((resolve) => subscription.on('publication', ({ data }) => resolve(data)))
  subscription.subscribe()
  await subscription.ready(20_000)
  publish(world.services, { type: 'broadcast', id }, viewsOf(id))
  return received
}

test('connects with one token and subscribes with the other', async () => {
  const polled = await poll()
  expect(await listen(connect(polled.connection_token), polled)).toEqual(viewsOf(polled.broadcast_id))
})

test('connects and subscribes with the token of the channel alone', async () => {
  const polled = await poll()
  expect(await listen(connect(polled.access_token), polled)).toEqual(viewsOf(polled.broadcast_id))
})

test('scenario 6: closes the connections of a revoked key within a second, and no others', async () => {
  const first = await poll()
  const { body } = await world.api(keys.add, { project_id: ann.projectId, name: 'Other' }, { as: ann })
  const second = (await world.api(broadcasts.longpoll, { key: body.key, wait: 0 })).body
  const [kept, revoked] = [connect(first.connection_token), connect(second?.connection_token ?? '')]
  await Promise.all([kept.ready(20_000), revoked.ready(20_000)])
  const closed = new Promise<number>((resolve) => revoked.on('disconnected', ({ code }) => resolve(code)))
  const since = performance.now()
  await world.api(keys.remove, { project_id: ann.projectId, key_id: body.id }, { as: ann })
  expect(await closed).toBe(3503)
  expect(performance.now() - since).toBeLessThan(1_000)
  expect((await world.api(broadcasts.longpoll, { key: body.key, wait: 0 })).error?.name).toBe('KeyNotFound')
  expect(kept.state).toBe('connected')
  const late = connect(second?.connection_token ?? '')
  expect(await new Promise((resolve) => late.on('disconnected', ({ code }) => resolve(code)))).toBe(3503)
})

test('a key has at most a hundred connections, and another key its own', async () => {
  const first = await poll()
  for (let count = 0; count < 100; count++) await connect(first.connection_token).ready(20_000)
  const refused = connect(first.connection_token)
  const ended = await new Promise((resolve) => refused.on('disconnected', resolve))
  expect(ended).toMatchObject({ code: 3504, reason: 'connection limit of the key' })
  const { body } = await world.api(keys.add, { project_id: ann.projectId, name: 'Other' }, { as: ann })
  const second = (await world.api(broadcasts.longpoll, { key: body.key, wait: 0 })).body
  await connect(second?.connection_token ?? '').ready(20_000)
})

test('publishes a sample message to an overlay', async () => {
  const polled = await poll()
  const subscription = connect(polled.connection_token).newSubscription(polled.channel, { token: polled.access_token })
  const received = new Promise((resolve) => subscription.on('publication', ({ data }) => resolve(data)))
  subscription.subscribe()
  await subscription.ready(20_000)
  await world.api(chat.test, { broadcast_id: polled.broadcast_id }, { as: ann })
  const payload = [
    { action: 'got', seq: 0, text: expect.stringMatching(/^Test message received\. 0 of \d chats connected$/) },
  ]
  expect(await received).toMatchObject({ event: 'messages', broadcast_id: polled.broadcast_id, payload })
})

test('does not listen to the channels of members', async () => {
  const { connection_token, access_token } = await poll()
  const client = connect(connection_token)
  for (const name of [`project#${ann.projectId}`, `$project_live:${ann.projectId}`, '$broadcast:999']) {
    const subscription = client.newSubscription(name, { token: access_token })
    const refused = new Promise<number>((resolve) => subscription.on('unsubscribed', ({ code }) => resolve(code)))
    subscription.subscribe()
    expect([name, await refused]).toEqual([name, 103])
  }
})

test('has tokens that a Centrifugo accepts', async () => {
  await world.close()
  const secret = 'a secret of sixteen'
  await start({ CENTRIFUGO_URL: 'http://127.0.0.1:1', CENTRIFUGO_API_KEY: 'key', CENTRIFUGO_TOKEN_SECRET: secret })
  const { connection_token, access_token, channel } = await poll()
  const [connection, subscription] = await Promise.all(
    [connection_token, access_token].map(
      async (token) =>
        (await jwtVerify(token, new TextEncoder().encode(secret), { currentDate: world.clock.now() })).payload,
    ),
  )
  // A connection's token with a channel is refused, and so is a subscription of another subject.
  expect(connection).not.toHaveProperty('channel')
  expect(subscription).toMatchObject({ channel, sub: connection?.sub })
  // `project#7` is open to the subject `7`: members.
  expect(connection?.sub).not.toBe(String(ann.projectId))
})
