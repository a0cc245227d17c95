// Two generations of relay processes on the ports of one machine: the old one drains while the new one accepts.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { servers } from '#contract/areas/operator/servers.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { type Encoder, encode } from '#server/relay/testing/encoder.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { nodeOf } from '#server/app/testing/relay-node.ts'
import { eventually } from '#server/testing/eventually.ts'
import { onAirOf } from '#server/testing/on-air.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

const reason = 'Upgrade'
const many = 6

let world: World
let operator: Person
let url: string
let nodes: RelayNode[]
let ended: string[]

beforeEach(async () => {
  ;[nodes, ended] = [[], []]
  world = await testApp()
  // Streams need the real clock.
  world.clock.set(new Date())
  operator = await newOperator(world)
  ;({ url } = await world.app.listen())
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await world.close()
})

/** Starts a process of the machine `fra-1`. */
async function begin(node: string, port = 0): Promise<RelayNode> {
  const place = { city: 'Berlin', country: 'DE', lat: 52.5, long: 13.4, host: '127.0.0.1', pingHost: '' }
  const started = await nodeOf(world, url, {
    about: { node, machine: 'fra-1', ...place },
    listen: { host: '127.0.0.1', port },
    isShared: true,
    graceMs: 60_000,
    silentMs: 60_000,
    onQuit: () => ended.push(node),
  })
  nodes.push(started)
  await eventually(async () => (await stateOf(node))?.state === 'accepting')
  return started
}

async function stateOf(name: string) {
  // Reports have the time of the nodes.
  world.clock.set(new Date())
  const { results } = (await world.api(servers.list, {}, { as: operator })).body
  return results.find(({ node }) => node === name)
}

const nameOf = async (person: Person) => (await onAirOf(world, person)).server

async function publish(person: Person, port: number): Promise<Encoder> {
  const { key } = (await world.api(streamKeys.get, { project_id: person.projectId }, { as: person })).body
  const encoder = encode(port, key)
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 2))
  return encoder
}

/** New users on air. @returns their encoders by user */
async function crowd(name: string, port: number): Promise<Map<Person, Encoder>> {
  const people = await Promise.all(Array.from({ length: many }, (_, at) => world.user(`${name} ${at}`)))
  const encoders = new Map<Person, Encoder>()
  for (const person of people) encoders.set(person, await publish(person, port))
  return encoders
}

/** Names of the nodes that have the broadcasts of users. */
const nodesOf = async (people: Iterable<Person>) => new Set(await Promise.all([...people].map(nameOf)))

test('drains beside the new generation, accepts after a cancel, and hands its encoders over when they return', async () => {
  const { port } = await begin('fra-1-1.0.0-1')
  const first = await crowd('First', port)
  await begin('fra-1-1.1.0-1', port)
  const drain = { node: 'fra-1-1.0.0-1', minutes: 60, reason }
  await world.api(servers.drain, drain, { as: operator })
  // It refuses until its ports are closed.
  const isClosed = async () => {
    const probe = await world.user()
    const { key } = (await world.api(streamKeys.get, { project_id: probe.projectId }, { as: probe })).body
    const tries = Array.from({ length: 8 }, () => encode(port, key))
    const outcomes = await Promise.all(tries.map(({ outcome }) => outcome))
    for (const each of tries) each.destroy()
    return !outcomes.some((outcome) => outcome.includes('no new broadcasts'))
  }
  await eventually(isClosed)
  const second = await crowd('Second', port)
  expect(await nodesOf(second.keys())).toEqual(new Set(['fra-1-1.1.0-1']))
  expect(await nodesOf(first.keys())).toEqual(new Set(['fra-1-1.0.0-1']))
  expect(ended).toEqual([])

  await world.api(servers.cancel, { node: drain.node, reason }, { as: operator })
  await eventually(async () => (await stateOf(drain.node))?.state === 'accepting')
  await eventually(async () => {
    const person = await world.user()
    first.set(person, await publish(person, port))
    return (await nameOf(person)) === drain.node
  })

  await world.api(servers.drain, drain, { as: operator })
  await eventually(isClosed)
  for (const [person, encoder] of first) {
    const { broadcast_id } = await onAirOf(world, person)
    encoder.destroy()
    await eventually(async () => (await onAirOf(world, person)).status === 'lost')
    await publish(person, port)
    await eventually(async () => (await onAirOf(world, person)).status === 'active')
    expect(await onAirOf(world, person)).toMatchObject({ broadcast_id, server: 'fra-1-1.1.0-1' })
  }
  await eventually(() => ended.length > 0)
  expect(ended).toEqual(['fra-1-1.0.0-1'])
})

test('keeps its ports open where no other process of the machine accepts, and lists a machine once', async () => {
  const { port } = await begin('fra-1-1.0.0-1')
  const ann = await world.user('Ann')
  const encoder = await publish(ann, port)
  await begin('fra-1-1.1.0-1')
  const listed = (await world.api(rtmpServers.list, { project_id: ann.projectId }, { as: ann })).body.results
  expect(listed).toHaveLength(1)
  await world.api(servers.drain, { node: 'fra-1-1.0.0-1', minutes: 60, reason }, { as: operator })
  await eventually(async () => (await stateOf('fra-1-1.0.0-1'))?.state === 'draining')
  encoder.destroy()
  await eventually(async () => (await onAirOf(world, ann)).status === 'lost')
  await publish(ann, port)
  expect(await nameOf(ann)).toBe('fra-1-1.0.0-1')
})
