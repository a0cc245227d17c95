// Nodes of other versions of the protocol: the previous one works, and a newer one without a common version is refused.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import recorded from '#contract/relay/recorded-version-2.json' with { type: 'json' }
import { until } from '#server/relay/testing/rig.ts'
import { upgrade } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { nodeWorld, openNode } from '#server/app/testing/node-socket.ts'
import type { Person, World } from '#server/testing/test-app.ts'

let world: World
let url: string
beforeEach(async () => {
  ;({ world, url } = await nodeWorld())
})
afterEach(() => world.close())

const open = () => openNode(url)
const within = ({ projectId }: Person) => ({ project_id: projectId })
const kindOf = async (as: Person): Promise<string> => (await world.api(broadcasts.status, within(as), { as })).body.kind
const recordedOf = (type: string) => recorded.fromNode.find((message) => message.type === type)

test('works with a node of version 2', async () => {
  const ann = await world.user()
  const { projectId } = ann
  const { key } = (await world.api(streamKeys.get, within(ann), { as: ann })).body
  const { socket, received, count, send } = await open()
  send({ ...recordedOf('hello'), node: 'first', projects: [], leases: [] })
  send({ ...recordedOf('admit'), request: 1, key })
  await until(() => count('admitted') > 0)
  expect(received[0]).toEqual({ type: 'welcome', version: 2, leases: true })
  expect(received.find(({ type }) => type === 'admitted')).toMatchObject({ request: 1, projectId, epoch: 1 })

  const events = recorded.fromNode.flatMap((message) => ('event' in message && message.event ? [message.event] : []))
  const began = events.filter(({ type }) => type === 'source-began')
  const others = events.filter(({ type }) => !['source-began', 'ended', 'recording'].includes(type))
  const [at, first] = [Date.now(), Date.now() * 1000]
  // An acknowledgement covers all events up to its number.
  const acknowledged = (total: number) =>
    until(() =>
      received.some(
        (message) => message.type === 'seen' && Number((message as { seq?: number }).seq) >= first + total - 1,
      ),
    )
  const all = [...began, ...others].map((event) => ({ ...event, projectId, at, epoch: 1 }))
  for (const [index, event] of all.entries()) send({ type: 'event', seq: first + index, event })
  await acknowledged(all.length)
  expect(await kindOf(ann)).toBe('live')
  const before = count('wish')
  const channel = { name: 'One', rtmp_url: 'rtmp://live.example.com/app', stream_key: 'secret' }
  await world.api(addChannel.boosty, { ...within(ann), ...channel }, { as: ann })
  await until(() => count('wish') > before)

  send({ type: 'event', seq: first + all.length, event: { type: 'ended', projectId, at, epoch: 1 } })
  await acknowledged(all.length + 1)
  expect(await kindOf(ann)).toBe('inactive')
  expect(count('go-away')).toBe(0)
  socket.close()
})

test('returns the agreed version to a node that names the newest one', async () => {
  const { socket, received, send } = await open()
  send({ type: 'hello', version: 1, latest: 99, node: 'newer', projects: [], leases: [] })
  await until(() => received.length > 0)
  expect(received).toEqual([{ type: 'welcome', version: 3, leases: true }])
  socket.close()
})

test('sends SRT channels only to nodes that name the feature; at others the channel names the reason', async () => {
  const ann = await world.user()
  await upgrade(world, ann, 2)
  const { key } = (await world.api(streamKeys.get, within(ann), { as: ann })).body
  const secret = 'srt://media.example.org:9000?passphrase=a-secret-phrase'
  await world.api(addChannel.srt, { ...within(ann), name: 'SRT', ingress_url: secret }, { as: ann })
  const greet = async (hello: object) => {
    const { socket, received, count, send } = await open()
    send({ type: 'hello', version: 3, node: 'one', projects: [], leases: [], ...hello })
    send({ type: 'admit', request: 1, key, app: 'live', encoder: 'test', address: '192.0.2.1' })
    await until(() => count('admitted') > 0)
    return { socket, send, granted: received.find(({ type }) => type === 'admitted') }
  }
  const old = await greet({})
  expect(old.granted).toMatchObject({ destinations: [] })
  const began = {
    type: 'source-began',
    projectId: ann.projectId,
    at: Date.now(),
    epoch: 1,
    encoder: 'test',
    address: '',
  }
  old.send({ type: 'event', seq: Date.now() * 1000, event: began })
  const reason = async () => {
    const { body } = await world.api(broadcasts.status, within(ann), { as: ann })
    return body.kind === 'live' ? body.restreams?.[0]?.reason : undefined
  }
  expect(await eventually(async () => (await reason()) === 'old-server')).toBe(true)
  old.socket.close()
  const newer = await greet({ features: ['srt-out', 'a feature of tomorrow'] })
  expect(newer.granted).toMatchObject({
    destinations: [{ target: { protocol: 'srt', passphrase: 'a-secret-phrase' } }],
  })
  newer.socket.close()
})

test('refuses a node without a common version', async () => {
  const { socket, received, send } = await open()
  send({ type: 'hello', version: 99, latest: 100, node: 'newer', projects: [] })
  await until(() => received.length > 0)
  expect(received).toMatchObject([{ type: 'go-away', words: expect.stringContaining('versions 99 to 100') }])
  socket.close()
})

test.each([
  { type: 'hello', version: 2, latest: 3, node: 'one', projects: [2 ** 40], leases: [] },
  {
    type: 'hello',
    version: 1,
    latest: 2,
    node: 'one',
    projects: [],
    leases: [{ projectId: 2 ** 40, isSending: true }],
  },
  { type: 'leases', leases: [{ projectId: 1, epoch: 2 ** 31, isSending: true }] },
  { type: 'leases', leases: [{ projectId: -1, epoch: 1, isSending: true }] },
  { type: 'held', projectId: 2 ** 31, gone: false },
])('closes the connection of a node that names an impossible project or epoch: %j', async (message) => {
  const { socket, send, count } = await open()
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  if (message.type !== 'hello') {
    send({ type: 'hello', version: 2, latest: 3, node: 'one', projects: [], leases: [] })
    await until(() => count('welcome') > 0)
  }
  send(message)
  expect(await closed).toBe(1008)
})

test('acknowledges an event of an impossible project, and keeps the connection open', async () => {
  const { socket, send, received, count } = await open()
  send({ type: 'hello', version: 2, latest: 3, node: 'one', projects: [], leases: [] })
  await until(() => count('welcome') > 0)
  const seq = Date.now() * 1_000
  send({ type: 'event', seq, event: { type: 'ended', projectId: 2 ** 40, epoch: 1, at: Date.now() } })
  await until(() => received.some((message) => message.seq === seq))
  expect(socket.readyState).toBe(socket.OPEN)
  socket.close()
})
