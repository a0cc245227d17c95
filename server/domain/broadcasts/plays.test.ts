// Runs at relay nodes: encoders that break in, nodes that are gone, channels, and the end of a broadcast.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { transaction } from '#server/db/transaction.ts'
import { ageLease } from '#server/testing/nodes.ts'
import { newChannel, upgrade } from '#server/testing/channels.ts'
import { onAirOf } from '#server/testing/on-air.ts'
import { scheduleStage, someFilm } from '#server/testing/schedules.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { admitEncoder } from './broadcasts.ts'
import { readDesired } from './desired.ts'
import { admitPlay, wakeRunsOfNode } from './plays.ts'
import { findStopped } from './stops.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'

let world: World
let ann: Person
let stage: ReturnType<typeof scheduleStage>
let film: number

beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  await upgrade(world, ann, 3)
  stage = scheduleStage(world, ann)
  film = await someFilm(world, ann.projectId)
})
afterEach(() => world.close())

const wake = (node: string) => transaction(world.app.db, (trx) => wakeRunsOfNode(trx, node))
const video = (loop = false) => ({ ids: [film], loop })

/** Puts a schedule on air at the node `one`, in a loop. */
async function loopOnAir() {
  await stage.connect('one')
  const id = await stage.create({ video: video(true), start_now: true })
  await stage.work()
  const run = await stage.runOf(id)
  await stage.begin('one', run)
  return { id, run }
}

test('gives way to an encoder at its node, and returns when that ends', async () => {
  const { id, run } = await loopOnAir()
  const { key } = await readStreamKey(world.services, ann.projectId)
  const encoder = await admitEncoder(world.services, { key, address: '192.0.2.1', node: 'one' })
  expect(encoder).toMatchObject({ isStopped: false, from: null })
  await stage.node('one').begin(ann.projectId)
  const live = await onAirOf(world, stage.me)
  expect(live).toMatchObject({ kind: 'live', app: 'live', encoder: 'OBS', reconnects: 0 })
  expect((await stage.get(id)).run).toMatchObject({ state: 'live', broadcast_id: live.broadcast_id })
  await stage.node('one').tell(ann.projectId, { type: 'source-lost', how: 'unpublish' })
  await stage.node('one').tell(ann.projectId, { type: 'source-began', encoder: 'scheduler', address: '', play: run })
  expect(await onAirOf(world, stage.me)).toMatchObject({ kind: 'scheduler', broadcast_id: live.broadcast_id })
  await stage.node('one').begin(ann.projectId)
  expect(await onAirOf(world, stage.me)).toMatchObject({ kind: 'live', reconnects: 1 })
  const kinds = (await world.app.db.selectFrom('broadcast_events').select('kind').orderBy('id').execute()).map(
    (event) => event.kind,
  )
  expect(kinds).toEqual(['began', 'encoder-on', 'source-lost', 'play-on', 'source-back'])
})

test('keeps the lease of an encoder, and follows it to its node', async () => {
  const { run } = await loopOnAir()
  await stage.connect('two')
  const { key } = await readStreamKey(world.services, ann.projectId)
  // A play holds no lease: the encoder takes the project over.
  expect(await admitEncoder(world.services, { key, address: '192.0.2.1', node: 'two' })).toMatchObject({
    from: { node: 'one', epoch: 1 },
    epoch: 2,
  })
  await stage.node('two').begin(ann.projectId)
  expect(await stage.begin('one', run)).toContain('another server')
  await stage.work()
  expect(stage.playsOf('one')).toEqual([])
  expect(stage.playsOf('two')).toHaveLength(1)
  expect(await stage.begin('two', run)).toBe('live')
  // The lease still belongs to the encoder, for as long as before.
  expect(await admitEncoder(world.services, { key, address: '192.0.2.1', node: 'one' })).toMatchObject({
    reason: 'conflict',
  })
})

test('moves a run to another node when its own is gone for three seconds, and joins there', async () => {
  const { id, run } = await loopOnAir()
  const { begin_at } = (await stage.get(id)).run ?? {}
  await stage.connect('two')
  stage.disconnect('one')
  await wake('one')
  await stage.work()
  expect(stage.playsOf('two')).toEqual([])
  await stage.pass(2)
  await stage.connect('one')
  await stage.pass(2)
  await stage.work()
  // It was back in time.
  expect(stage.playsOf('two')).toEqual([])
  stage.disconnect('one')
  await wake('one')
  await stage.work()
  await stage.pass(4)
  await stage.work()
  expect(stage.playsOf('two').map((play) => play.run)).toEqual([run])
  await ageLease(world, ann.projectId)
  const { broadcast_id } = await onAirOf(world, stage.me)
  expect(await stage.begin('two', run)).toBe('live')
  expect(await onAirOf(world, stage.me)).toMatchObject({ broadcast_id, server: 'two', kind: 'scheduler' })
  expect((await stage.get(id)).run).toMatchObject({ begin_at })
})

test('moves a run below an encoder to another node when theirs is gone for twenty seconds', async () => {
  const { run } = await loopOnAir()
  const { key } = await readStreamKey(world.services, ann.projectId)
  await admitEncoder(world.services, { key, address: '192.0.2.1', node: 'one' })
  await stage.node('one').begin(ann.projectId)
  await stage.connect('two')
  stage.disconnect('one')
  await wake('one')
  await stage.work()
  await stage.pass(10)
  await stage.work()
  // Only its connection may be cut, and the encoder be on air.
  expect(stage.playsOf('two')).toEqual([])
  await stage.pass(11)
  await stage.work()
  expect(stage.playsOf('two').map((play) => play.run)).toEqual([run])
  await stage.pass(60)
  await stage.work()
  expect(stage.playsOf('two')).toHaveLength(1)
  expect(await stage.begin('two', run)).toContain('An encoder is on air')
  await ageLease(world, ann.projectId)
  expect(await stage.begin('two', run)).toBe('live')
  expect(await onAirOf(world, stage.me)).toMatchObject({ server: 'two', kind: 'scheduler' })
})

test('waits for a server that can play, and is missed without one', async () => {
  await stage.connect('old', { plays: false })
  const missed = await stage.create({ video: video(), start_now: true, late: 'skip' })
  await stage.pass(15)
  await stage.work()
  expect(await stage.lastOf(missed)).toMatchObject({ state: 'missed', reason: 'no_server' })
  const id = await stage.create({ video: video(), start_now: true })
  await stage.work()
  expect((await stage.get(id)).run).toMatchObject({ state: 'waiting' })
  await stage.connect('one')
  await stage.pass(5)
  await stage.work()
  expect(stage.playsOf('one')).toHaveLength(1)
  expect(stage.playsOf('old')).toEqual([])
})

test('ends with the broadcast that a user stops, and holds no encoder off the air', async () => {
  const { id, run } = await loopOnAir()
  const { broadcast_id } = await onAirOf(world, stage.me)
  await world.api(broadcasts.stop, { project_id: ann.projectId, broadcast_id }, { as: stage.me })
  await stage.work()
  expect(stage.playsOf('one')).toEqual([])
  expect(await stage.lastOf(id)).toMatchObject({ state: 'stopped' })
  expect(await stage.begin('one', run)).toContain('not for this server')
  await stage.node('one').end(ann.projectId)
  expect(await findStopped(world.services, ann.projectId)).toBeUndefined()
})

test('sends the files to the channels of the run that are on, and an encoder to all of them', async () => {
  const [one, two, off] = [
    await newChannel(world, ann, { name: 'One' }),
    await newChannel(world, ann, { name: 'Two' }),
    await newChannel(world, ann, { name: 'Off' }),
  ]
  await world.app.db.updateTable('project_channels').set({ active: 0 }).where('channel_id', '=', off).execute()
  const destinations = async () =>
    (await readDesired(world.services, ann.projectId)).state.destinations.map(({ id }) => id)
  await stage.connect('one')
  const id = await stage.create({ video: video(true), start_now: true, channel_ids: [two, off] })
  expect(await stage.get(id)).toMatchObject({ group_id: two, channel_ids: [two, off] })
  await stage.work()
  expect(await destinations()).toEqual([one, two])
  await stage.begin('one', await stage.runOf(id))
  expect(await destinations()).toEqual([two])
  await stage.node('one').begin(ann.projectId)
  expect(await destinations()).toEqual([one, two])
})

test('sends to the channels of the run only, before its broadcast is known', async () => {
  const [, two] = [await newChannel(world, ann), await newChannel(world, ann)]
  await stage.connect('one')
  const id = await stage.create({ video: video(true), start_now: true, channel_ids: [two] })
  await stage.work()
  const run = await stage.runOf(id)
  const { key } = await readStreamKey(world.services, ann.projectId)
  await admitPlay(stage.services, { run, key, node: 'one', isFull: false })
  expect((await readDesired(world.services, ann.projectId)).state.destinations.map((one) => one.id)).toEqual([two])
})

test('reports a run that its node cannot play, and a file that was skipped', async () => {
  await stage.connect('one')
  const id = await stage.create({ video: { ids: [film, film], loop: true }, start_now: true, repeat: null })
  await stage.work()
  const run = await stage.runOf(id)
  await stage.begin('one', run)
  expect(await stage.note('one', run, 'live', { item: 1, words: 'Film: broken' })).toBe('changed')
  expect(await stage.note('one', run, 'live', { item: 1, words: 'Film: broken' })).toBe('same')
  const { broadcast_id } = await onAirOf(world, stage.me)
  const found = await world.api(
    broadcasts.events,
    { project_id: ann.projectId, broadcast_id, app: 'scheduler' },
    { as: stage.me },
  )
  expect(found.body.results).toMatchObject([{ kind: 'play-skipped', words: 'Film: broken', app: 'scheduler' }])
  await stage.note('one', run, 'failed', { words: 'No film could be read' })
  expect(await stage.lastOf(id)).toMatchObject({ state: 'failed', reason: 'play', words: 'No film could be read' })
  expect(await stage.notices()).toEqual([['schedule_failed', 'play']])
})

test('resumes a run by itself when its broadcast ended for another reason', async () => {
  const { run } = await loopOnAir()
  // As by a new stream key: the node gets it with the list.
  await stage.node('one').end(ann.projectId)
  await stage.work()
  expect(stage.playsOf('one').map((play) => play.run)).toEqual([run])
  expect(await stage.begin('one', run)).toBe('live')
  expect(
    await transaction(world.app.db, async (trx) => trx.selectFrom('broadcasts').select('id').execute()),
  ).toHaveLength(2)
})
