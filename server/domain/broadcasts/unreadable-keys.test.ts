// Channels on air with an unreadable key.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newChannel } from '#server/testing/channels.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { type BroadcastRow, findOnAir, listRestreams } from './store.ts'
import { recordUnsent } from './desired.ts'
import { factsOf } from './records.ts'

let world: World
let ann: Person
let id: number
let onAir: BroadcastRow
let node: ReturnType<typeof someNodeOf>
beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  id = await newChannel(world, ann)
  node = someNodeOf(world)
  await node.begin(ann.projectId)
  const row = await findOnAir(world.app.db, ann.projectId)
  if (!row) throw new Error('Not on air')
  onAir = row
})
afterEach(() => world.close())

const record = (unreadable: readonly number[]) =>
  recordUnsent(world.services, onAir, {
    unsent: new Map(unreadable.map((one) => [one, 'key-unreadable'])),
    active: [id],
  })
const shown = async () => (await onAirOf(world, ann)).restreams?.map(({ state, reason }) => [state, reason])

test('concurrent reads of the desired state record a channel once', async () => {
  await Promise.all([record([id]), record([id]), record([id])])
  expect(await shown()).toEqual([['rejected', 'key-unreadable']])
  const events = await world.app.db.selectFrom('broadcast_events').select(['kind', 'count']).orderBy('id').execute()
  expect(events.filter(({ kind }) => kind === 'rejected')).toEqual([{ kind: 'rejected', count: 1 }])
})

test('keeps the reason when the node reports afterwards that it has stopped the channel', async () => {
  await node.channel(ann.projectId, id, 'live')
  await record([id])
  await node.channel(ann.projectId, id, 'stopped')
  expect(await shown()).toEqual([['rejected', 'key-unreadable']])
  await node.end(ann.projectId)
  const [restream] = await listRestreams(world.app.db, [onAir.id])
  expect(restream && factsOf(restream).state).toBe('stopped')
})
