// The official client, as it is published, against our hub.
import { Centrifuge, type PublicationContext, type Subscription, UnauthorizedError } from 'centrifuge'
import { jwtVerify } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { keys } from '#contract/areas/chat/keys.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { members } from '#contract/areas/projects/members.ts'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import { publish } from '#server/domain/realtime/realtime.ts'
import { until } from '#server/relay/testing/rig.ts'
import { eventually } from '#server/testing/eventually.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let url: string
let clients: Centrifuge[]

beforeEach(async () => {
  world = await testApp()
  world.clock.set(new Date())
  ann = await world.user()
  url = `${(await world.app.listen()).url.replace('http', 'ws')}/connection/websocket`
  clients = []
})
afterEach(async () => {
  for (const client of clients) client.disconnect()
  await world.close()
})

const quick = { minReconnectDelay: 20, maxReconnectDelay: 50 }
const live = (person = ann) => `$project_live:${person.projectId}`
const project = (person = ann) => `project#${person.projectId}`

async function tokenOf(person: Person): Promise<string> {
  const { status, body } = await world.api(tokens.connect, { project_id: person.projectId }, { as: person })
  if (status !== 200) throw new UnauthorizedError('No right')
  return body.access_token
}

async function channelToken(person: Person, channel_name: string): Promise<string> {
  const input = { project_id: person.projectId, channel_name }
  const { status, body } = await world.api(tokens.channel, input, { as: person })
  if (status !== 200) throw new UnauthorizedError('No right')
  return body.access_token
}

function connect(person = ann, getToken = () => tokenOf(person)): Centrifuge {
  const client = new Centrifuge(url, { getToken, ...quick })
  clients.push(client)
  client.connect()
  return client
}

/** Subscribes, and collects the publications. */
async function listen(client: Centrifuge, channel: string, person = ann) {
  const options = channel.startsWith('$') ? { getToken: () => channelToken(person, channel) } : {}
  const subscription = client.newSubscription(channel, { ...options, minResubscribeDelay: 20, maxResubscribeDelay: 50 })
  const received: unknown[] = []
  const states: { recovered: boolean; wasRecovering: boolean }[] = []
  subscription.on('publication', ({ data }: PublicationContext) => received.push(data))
  subscription.on('subscribed', ({ recovered, wasRecovering }) => states.push({ recovered, wasRecovering }))
  subscription.subscribe()
  await subscription.ready(20_000)
  return { subscription, received, states }
}

const publishOp = (operation: string, person = ann) =>
  publish(
    world.services,
    { type: 'project_live', id: person.projectId },
    { event: 'changed', payload: { operation, stale: [] } },
  )
const eventsOf = (...operations: string[]) =>
  operations.map((operation) => ({ event: 'changed', payload: { operation, stale: [] } }))

/** Breaks the line, as a network does. */
const cut = (client: Centrifuge) => {
  const inner = client as unknown as { _transport: { _transport: WebSocket } }
  inner._transport._transport.close()
}
const ended = (client: Centrifuge) =>
  new Promise<number>((resolve) => client.on('disconnected', ({ code }) => resolve(code)))
const endOf = (subscription: Subscription) =>
  new Promise<number>((resolve) => subscription.on('unsubscribed', ({ code }) => resolve(code)))

test('all subscribers receive publications in the same order', async () => {
  const [one, two] = [await listen(connect(), live()), await listen(connect(), live())]
  for (let count = 0; count < 50; count++) publishOp(String(count))
  await until(() => one.received.length === 50 && two.received.length === 50)
  expect(one.received).toEqual(eventsOf(...Array.from({ length: 50 }, (_, index) => String(index))))
  expect(two.received).toEqual(one.received)
})

test('the project’s own channel needs no token, and only its own connections get in', async () => {
  const { received } = await listen(connect(), project())
  await world.api(projects.update, { project_id: ann.projectId, name: 'New' }, { as: ann })
  await until(() => received.length === 1)
  expect(received).toEqual([{ event: 'project-update', payload: {} }])
  const bob = await world.user('Bob')
  const subscription = connect(bob).newSubscription(project())
  subscription.subscribe()
  expect(await endOf(subscription)).toBe(103)
})

test('a cut line: what was missed comes afterwards, once', async () => {
  const client = connect()
  const { received, states } = await listen(client, live())
  publishOp('before')
  await until(() => received.length === 1)
  cut(client)
  publishOp('missed')
  publishOp('missed too')
  await until(() => states.length === 2)
  publishOp('after')
  await until(() => received.length === 4)
  expect(received).toEqual(eventsOf('before', 'missed', 'missed too', 'after'))
  expect(states[1]).toEqual({ recovered: true, wasRecovering: true })
})

test('a wrong token is refused for good, an old one is replaced', async () => {
  expect(await ended(connect(ann, async () => 'wrong'))).toBe(3500)
  const old = await tokenOf(ann)
  world.clock.advance(301_000)
  let asked = 0
  const client = connect(ann, async () => (asked++ === 0 ? old : tokenOf(ann)))
  await client.ready(20_000)
  expect(asked).toBe(2)
})

test('refuses subscriptions to another project with any token', async () => {
  const bob = await world.user('Bob')
  const client = connect(bob)
  const theirs = client.newSubscription(live(), { getToken: () => channelToken(bob, live()) })
  theirs.subscribe()
  expect(await endOf(theirs)).toBe(1)
  const stolen = client.newSubscription(`$project_channels:${ann.projectId}`, {
    getToken: () => channelToken(ann, `$project_channels:${ann.projectId}`),
  })
  stolen.subscribe()
  expect(await endOf(stolen)).toBe(103)
})

test('a connection whose time is over gets a new token by itself, and stays', async () => {
  let asked = 0
  const client = connect(ann, () => {
    asked++
    return tokenOf(ann)
  })
  await client.ready(20_000)
  const refresh = (client as unknown as { _refresh(): void })._refresh.bind(client)
  refresh()
  await until(() => asked === 2)
  const { received, subscription } = await listen(client, live())
  ;(subscription as unknown as { _refresh(): void })._refresh()
  publishOp('still here')
  await until(() => received.length === 1)
  world.clock.advance(12 * 3_600_000 + 26_000)
  ann = await world.signIn(ann)
  expect(await until(() => asked === 3)).toBe(true)
  await client.ready(20_000)
})

test('closes the connection after sign-out and after removal from the project', async () => {
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 1)
  const guest = { ...bob, projectId: ann.projectId }
  const client = connect(guest)
  await listen(client, live(), guest)
  const out = ended(client)
  await world.api(members.delete, { project_id: ann.projectId, user_id: bob.id }, { as: ann })
  expect(await out).toBe(3503)
  const mine = connect()
  await mine.ready(20_000)
  const over = ended(mine)
  await world.api(auth.logout, { refresh: ann.refreshToken })
  expect(await over).toBe(3503)
})

test('closes the connection when a copied refresh token ends the session', async () => {
  const client = connect()
  await client.ready(20_000)
  const over = ended(client)
  const refresh = (token: string) => world.api(auth.refreshAccess, { app: 'site', refresh: token })
  const { body } = await refresh(ann.refreshToken)
  await refresh(body.refreshToken)
  const began = performance.now()
  expect((await refresh(ann.refreshToken)).error?.name).toBe('RefreshTokenRejected')
  expect(await over).toBe(3503)
  expect(performance.now() - began).toBeLessThan(1_000)
})

test('ends only the subscriptions for editors when a member becomes a viewer', async () => {
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 1)
  const guest = { ...bob, projectId: ann.projectId }
  const client = connect(guest)
  const forEditors = await listen(client, `$project_channels:${ann.projectId}`, guest)
  const { received } = await listen(client, live(), guest)
  const out = endOf(forEditors.subscription)
  await world.api(members.changeAccess, { project_id: ann.projectId, user_id: bob.id, access_type: 0 }, { as: ann })
  expect(await out).toBe(2000)
  await until(() => received.length > 0)
})

test('a person has at most fifty connections', async () => {
  for (let count = 0; count < 50; count++) await connect().ready(20_000)
  expect(await ended(connect())).toBe(3504)
  expect((await world.app.inject('/metrics')).body).toMatch(/^relaydeck_realtime_connections 5[01]$/m)
})

test('a socket for something that is not offered is closed', async () => {
  const socket = new WebSocket(url.replace('/connection/websocket', '/somewhere'))
  expect(await new Promise((resolve) => socket.addEventListener('error', () => resolve('refused')))).toBe('refused')
})

test('with a Centrifugo tokens end with their time, and its address stands in the configuration', async () => {
  const elsewhere = await testApp({
    CENTRIFUGO_URL: 'http://127.0.0.1:1',
    CENTRIFUGO_API_KEY: 'key',
    CENTRIFUGO_TOKEN_SECRET: 'a secret of sixteen',
    REALTIME_URL: 'wss://events.example.com/connection/websocket',
  })
  const eve = await elsewhere.user('Eve')
  const { body } = await elsewhere.api(tokens.connect, { project_id: eve.projectId }, { as: eve })
  const secret = new TextEncoder().encode('a secret of sixteen')
  const { payload } = await jwtVerify(body.access_token, secret, { currentDate: elsewhere.clock.now() })
  expect(payload).toMatchObject({ sub: String(eve.projectId), meta: { user_id: eve.id } })
  expect(payload['expire_at']).toBeUndefined()
  const config = await elsewhere.app.inject('/config.json')
  expect(config.json()).toMatchObject({ realtimeUrl: 'wss://events.example.com/connection/websocket' })
  await elsewhere.close()
})

test('scenario 6: a key that one service revokes ends its connections at another within a second', async (context) => {
  if (!process.env['DATABASE_URL']) return context.skip()
  const replica = await world.replica()
  url = `${(await replica.listen()).url.replace('http', 'ws')}/connection/websocket`
  await someNodeOf(world).begin(ann.projectId)
  const of = { project_id: ann.projectId }
  const overlay = async (key: string) => {
    const { body } = await world.api(broadcasts.longpoll, { key, wait: 0 })
    const client = connect(ann, async () => body?.connection_token ?? '')
    await client.ready(20_000)
    return client
  }
  const { body } = await world.api(keys.add, { ...of, name: 'Other' }, { as: ann })
  const kept = await overlay((await world.api(chat.key, of, { as: ann })).body.key)
  const end = ended(await overlay(body.key))
  // Services may not receive each other's messages immediately after their start.
  await eventually(async () => (await replica.inject('/readyz')).statusCode === 200)
  const since = performance.now()
  await world.api(keys.remove, { ...of, key_id: body.id }, { as: ann })
  expect(await end).toBe(3503)
  expect(performance.now() - since).toBeLessThan(1_000)
  expect(kept.state).toBe('connected')
})

test('several services on one PostgreSQL tell each other, in one order', async (context) => {
  if (!process.env['DATABASE_URL']) return context.skip()
  const replica = await world.replica()
  const there = `${(await replica.listen()).url.replace('http', 'ws')}/connection/websocket`
  const far = new Centrifuge(there, { getToken: () => tokenOf(ann), ...quick })
  clients.push(far)
  far.connect()
  const [one, two] = [await listen(connect(), live()), await listen(far, live())]
  // Longer than a notification of PostgreSQL, and not Latin.
  const long = 'Прямой эфир 直播 '.repeat(1_000)
  const from = [world.services, replica.services]
  for (let count = 0; count < 20; count++)
    publish(
      from[count % 2]!,
      { type: 'project_live', id: ann.projectId },
      { event: 'changed', payload: { operation: `${count} ${long}`, stale: [] } },
    )
  expect(await until(() => one.received.length === 20 && two.received.length === 20)).toBe(true)
  expect(two.received).toEqual(one.received)
  expect(new Set(one.received.map((data) => JSON.stringify(data))).size).toBe(20)
  expect(one.received).toContainEqual(eventsOf(`7 ${long}`)[0])
})
