// Drain of one of two nodes: no new broadcasts there, those on air go on, and it ends after the last one or the deadline.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { servers } from '#contract/areas/operator/servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { encode } from '#server/relay/testing/encoder.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { nodeOf } from '#server/app/testing/relay-node.ts'
import { eventually } from '#server/testing/eventually.ts'
import { onAirOf } from '#server/testing/on-air.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

const token = 'a token that the nodes and the service share'
const reason = 'Upgrade'

let world: World
let operator: Person
let nodes: Record<'one' | 'two', RelayNode>
let ended: string[]

beforeEach(async () => {
  ended = []
  world = await testApp({ RELAY_TOKEN: token })
  // Streams need the real clock.
  world.clock.set(new Date())
  operator = await newOperator(world)
  const { url } = await world.app.listen()
  const begin = (node: string) =>
    nodeOf(world, url.replace('http', 'ws'), {
      token,
      about: { node, city: 'Berlin', country: 'DE', lat: 52.5, long: 13.4, host: '127.0.0.1', pingHost: '' },
      graceMs: 5_000,
      onQuit: () => ended.push(node),
    })
  nodes = { one: await begin('one'), two: await begin('two') }
  await eventually(async () => (await list()).length === 2)
})
afterEach(async () => {
  await Promise.all([nodes.one.close(), nodes.two.close()])
  await world.close()
})

const list = async () => {
  // Reports have the time of the nodes.
  world.clock.set(new Date())
  return (await world.api(servers.list, {}, { as: operator })).body.results
}
const stateOf = async (name: string) => (await list()).find(({ node }) => node === name)
const drain = (node: string, minutes: number) => world.api(servers.drain, { node, minutes, reason }, { as: operator })

/** Connects the encoder of a person to a node. */
async function publish(person: Person, { port }: RelayNode) {
  const { key } = (await world.api(streamKeys.get, { project_id: person.projectId }, { as: person })).body
  const encoder = encode(port, key)
  const outcome = await encoder.outcome
  if (outcome === 'live') encoder.send(avcHeader(), aacHeader(), ...stream(0, 2))
  return { encoder, outcome }
}

test('takes no new broadcast, keeps its own, accepts after a cancel, and ends after the last one', async () => {
  const [ann, ben, cy] = [await world.user('Ann'), await world.user('Ben'), await world.user('Cy')]
  // A broadcast ends with its encoder.
  for (const as of [ann, cy]) await world.api(streamKeys.setWait, { project_id: as.projectId, wait_minutes: 0 }, { as })
  const first = await publish(ann, nodes.one)
  expect(first.outcome).toBe('live')
  await eventually(async () => (await stateOf('one'))?.broadcasts === 1)
  expect(await stateOf('one')).toMatchObject({ state: 'accepting', can_drain: true, date_drain: null })

  expect((await drain('one', 60)).status).toBe(200)
  await eventually(async () => (await stateOf('one'))?.state === 'draining')
  expect(Date.parse((await stateOf('one'))?.date_drain ?? '') - Date.now()).toBeGreaterThan(3_500_000)
  expect((await publish(ben, nodes.one)).outcome).not.toBe('live')
  const other = await publish(ben, nodes.two)
  expect(other.outcome).toBe('live')
  expect((await onAirOf(world, ann)).status).toBe('active')

  await world.api(servers.cancel, { node: 'one', reason }, { as: operator })
  await eventually(async () => (await stateOf('one'))?.state === 'accepting')
  const third = await publish(cy, nodes.one)
  expect(third.outcome).toBe('live')

  await drain('one', 60)
  await eventually(async () => (await stateOf('one'))?.state === 'draining')
  expect(ended).toEqual([])
  first.encoder.destroy()
  third.encoder.destroy()
  await eventually(() => ended.length > 0)
  expect(ended).toEqual(['one'])
  other.encoder.destroy()
})

test('"Move now" disconnects the encoder, and its broadcast continues at the other node', async () => {
  const ann = await world.user('Ann')
  await publish(ann, nodes.one)
  const { broadcast_id } = await onAirOf(world, ann)
  await drain('one', 0)
  await eventually(async () => (await onAirOf(world, ann)).status === 'lost')
  // A refused encoder tries again.
  expect((await publish(ann, nodes.one)).outcome).not.toBe('live')
  const again = await publish(ann, nodes.two)
  expect(again.outcome).toBe('live')
  await eventually(async () => (await onAirOf(world, ann)).status === 'active')
  expect((await onAirOf(world, ann)).broadcast_id).toBe(broadcast_id)
  await eventually(() => ended.length > 0)
  expect(ended).toEqual(['one'])
  again.encoder.destroy()
})

test('refuses an unknown server, one that is away, and a cancel without a drain', async () => {
  const of = async (answer: Promise<{ readonly status: number; readonly body: unknown }>) =>
    JSON.stringify((await answer).body)
  expect(await of(drain('three', 1))).toContain('NoNode')
  expect(await of(world.api(servers.cancel, { node: 'one', reason }, { as: operator }))).toContain('NotDraining')
  await nodes.two.close()
  await eventually(async () => (await stateOf('two'))?.can_drain === false)
  expect(await of(drain('two', 1))).toContain('NodeAway')
})
