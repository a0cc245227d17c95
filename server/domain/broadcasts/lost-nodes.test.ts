// Nodes that stay unreachable, and nodes that reconnect after a long time.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { newChannel } from '#server/testing/channels.ts'
import { ageLease, someIngest } from '#server/testing/nodes.ts'
import { onAirOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { admitEncoder, greetNode, handleEvent, statesOf } from './broadcasts.ts'
import { untouched } from './live-facts.ts'
import { endLost, type LostNodes, watchLostNodes } from './lost-nodes.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'

let world: World
let ann: Person
beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
})
afterEach(() => world.close())

const minute = 60_000

/** Connects an encoder to a node and brings it on air. @returns the epoch of the node */
async function onAir(node: string): Promise<number> {
  const { key } = await readStreamKey(world.services, ann.projectId)
  const admission = await admitEncoder(world.services, { key, address: '192.0.2.1', node })
  const epoch = 'epoch' in admission ? admission.epoch : 0
  const about = { projectId: ann.projectId, at: world.clock.now().getTime(), epoch }
  await handleEvent(world.services, node, 1, { type: 'source-began', ...about, encoder: 'OBS', address: '192.0.2.1' })
  return epoch
}
const list = () => world.app.db.selectFrom('broadcasts').select(['id', 'node', 'status', 'date_end']).execute()
const hello = (node: string, epoch: number) =>
  greetNode(world.services, node, [{ projectId: ann.projectId, epoch, isSending: true }])

test('ends the broadcast of a node that is unreachable for ten minutes', async () => {
  await onAir('first')
  await ageLease(world, ann.projectId, 9 * minute)
  expect(await endLost(world.services)).toEqual([])
  await ageLease(world, ann.projectId, 2 * minute)
  expect(await endLost(world.services)).toEqual([ann.projectId])
  expect(await list()).toMatchObject([{ status: 'done' }])
  expect(await endLost(world.services)).toEqual([])
})

test('continues the broadcast when the node is back with the stream', async () => {
  const epoch = await onAir('first')
  await ageLease(world, ann.projectId, 11 * minute)
  await endLost(world.services)
  expect(await hello('first', epoch)).toEqual({ lost: [], back: [ann.projectId] })
  expect(await list()).toMatchObject([{ status: 'active', date_end: null, node: 'first' }])
})

test('shows the channels as they are when the node is back with the stream', async () => {
  const id = await newChannel(world, ann)
  const epoch = await onAir('first')
  const about = { projectId: ann.projectId, at: world.clock.now().getTime(), epoch }
  const live = { ...untouched, id, state: 'live', since: about.at } as const
  const sample = { type: 'sample', ...about, ingest: someIngest, destinations: [live] } as const
  await handleEvent(world.services, 'first', 2, { type: 'destination', ...about, report: live })
  await handleEvent(world.services, 'first', 3, sample)
  await ageLease(world, ann.projectId, 11 * minute)
  world.clock.advance(1_000)
  await endLost(world.services)
  await hello('first', epoch)
  expect((await onAirOf(world, ann)).restreams).toEqual([])
  // The connection to the platform stayed: the node reports no change.
  await handleEvent(world.services, 'first', 4, { ...sample, at: world.clock.now().getTime() })
  expect((await onAirOf(world, ann)).restreams).toMatchObject([{ channel_id: id, state: 'live' }])
  expect(await statesOf(world.app.db, ann.projectId)).toEqual(new Map([[id, 'live']]))
})

test('leaves it ended when another node took the project', async () => {
  const epoch = await onAir('first')
  await ageLease(world, ann.projectId, 11 * minute)
  await endLost(world.services)
  await onAir('second')
  expect(await hello('first', epoch)).toMatchObject({ lost: [{ epoch }], back: [] })
  expect(await list()).toMatchObject([
    { status: 'done', node: 'first' },
    { status: 'active', node: 'second' },
  ])
})

let ms = 0

/** Runs rounds every 10 s. @returns the projects whose broadcasts ended */
async function rounds(lost: LostNodes, count: number): Promise<number[]> {
  const ended = []
  for (let round = 0; round < count; round++) {
    ms += 10_000
    ended.push(...(await lost.end()))
  }
  return ended
}
const watch = () => watchLostNodes(world.services, () => ms)

test('gives nodes ten minutes to renew after a start of the service', async () => {
  await onAir('first')
  await ageLease(world, ann.projectId, 11 * minute)
  const lost = watch()
  expect(await rounds(lost, 59)).toEqual([])
  expect(await list()).toMatchObject([{ status: 'active', date_end: null }])
  expect(await rounds(lost, 1)).toEqual([ann.projectId])
})

test('gives nodes ten minutes to renew after a failure of the service or its database', async () => {
  await onAir('first')
  await ageLease(world, ann.projectId, 11 * minute)
  const lost = watch()
  expect(await rounds(lost, 59)).toEqual([])
  lost.fail()
  expect(await rounds(lost, 59)).toEqual([])
  // The process was suspended.
  ms += 2 * minute
  expect(await rounds(lost, 60)).toEqual([])
  expect(await rounds(lost, 1)).toEqual([ann.projectId])
})

test('gives nodes ten minutes to renew after a query that failed', async () => {
  await onAir('first')
  await ageLease(world, ann.projectId, 11 * minute)
  // It has no tables.
  const empty = await openDatabase({ file: ':memory:' })
  const services = { ...world.services }
  const lost = watchLostNodes(services, () => ms)
  expect(await rounds(lost, 59)).toEqual([])
  Object.assign(services, { db: empty.db })
  await expect(rounds(lost, 1)).rejects.toThrow(/broadcasts/)
  Object.assign(services, { db: world.services.db })
  await empty.close()
  expect(await rounds(lost, 59)).toEqual([])
  expect(await rounds(lost, 1)).toEqual([ann.projectId])
})
