// Admission of encoders: owners of projects, and limits.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ageLease, report } from '#server/testing/nodes.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { admitEncoder } from './broadcasts.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'

let world: World
let ann: Person
beforeEach(async () => {
  world = await testApp({ RATE_LIMITS: 'on' })
  ann = await world.user()
})
afterEach(() => world.close())

async function knock(node: string, isFull = false, isBackup = false) {
  const { key } = await readStreamKey(world.services, ann.projectId)
  return admitEncoder(world.services, { key, address: '192.0.2.1', node, isFull, isBackup })
}

const began = () => world.app.db.selectFrom('broadcasts').select('id').execute()

test('refuses a new project at a full node, keeps one that it has on air, and takes no lease', async () => {
  expect(await knock('first', true)).toMatchObject({
    refuse: expect.stringContaining('accepts no new broadcasts'),
    reason: 'overload',
  })
  expect(await knock('second')).toMatchObject({ isStopped: false, epoch: 1 })
  await someNodeOf(world, 'second').begin(ann.projectId)
  expect(await knock('second', true)).toMatchObject({ isStopped: false, epoch: 1 })
  const history = world.app.db.selectFrom('project_history').select('details').where('action', '=', 'encoder_refused')
  expect(await history.execute()).toEqual([{ details: '{"network":"192.0.2.0/24","reason":"server_full"}' }])
})

test('a backup encoder begins a broadcast and joins its node, and moves it to no other node', async () => {
  const backup = (node: string) => knock(node, false, true)
  const first = someNodeOf(world, 'first')
  expect(await backup('first')).toMatchObject({ isStopped: false, epoch: 1, from: null })
  await first.begin(ann.projectId)
  expect(await backup('first')).toMatchObject({ isStopped: false, epoch: 1 })
  const elsewhere = { refuse: expect.stringContaining('The main encoder is on the server first.'), reason: 'conflict' }
  expect(await backup('second')).toMatchObject(elsewhere)
  await first.tell(ann.projectId, { type: 'source-lost', how: 'socket' })
  await ageLease(world, ann.projectId)
  expect(await backup('second')).toMatchObject(elsewhere)
  await report(world.services, { node: 'first', city: 'Oslo', rtmp: 'rtmp://osl.example.com/live' })
  expect(await backup('second')).toMatchObject({ refuse: expect.stringContaining('Oslo (osl.example.com)') })
  await report(world.services, { node: 'first-2', machine: 'first' })
  expect(await backup('first-2')).toMatchObject({ refuse: expect.stringContaining('Another process of this server') })
  // The main encoder may move it.
  expect(await knock('second')).toMatchObject({ isStopped: false, epoch: 2 })
  expect(await backup('first')).toMatchObject({
    refuse: expect.stringContaining('The main encoder is on the server second.'),
  })
})

test('a backup encoder begins at any node when nothing is on air', async () => {
  const first = someNodeOf(world, 'first')
  await knock('first')
  await first.begin(ann.projectId)
  await first.end(ann.projectId)
  await ageLease(world, ann.projectId)
  expect(await knock('second', false, true)).toMatchObject({ isStopped: false, epoch: 2 })
})

test('limits how many broadcasts an encoder in a loop begins', async () => {
  const node = someNodeOf(world, 'first')
  const answers = []
  for (let left = 61; left > 0; left--) {
    const answer = await knock('first')
    answers.push(answer)
    if ('refuse' in answer) continue
    await node.begin(ann.projectId)
    await node.end(ann.projectId)
  }
  expect(await began()).toHaveLength(10)
  expect(answers.at(-1)).toEqual({ refuse: 'Too many broadcasts began. Wait a minute, then start again' })
  world.clock.advance(60_000)
  expect(await knock('first')).toMatchObject({ projectId: ann.projectId, isStopped: false })
})

test('does not count an encoder that reconnects within its broadcast', async () => {
  const node = someNodeOf(world, 'first')
  for (let left = 30; left > 0; left--) {
    expect(await knock('first')).toMatchObject({ isStopped: false })
    await node.begin(ann.projectId)
    await node.tell(ann.projectId, { type: 'source-lost', how: 'socket' })
  }
  expect(await began()).toHaveLength(1)
})

test('keeps a node of a release without leases as the owner, by its reports', async () => {
  const [first, second] = [someNodeOf(world, 'first'), someNodeOf(world, 'second')]
  await first.begin(ann.projectId)
  expect(await knock('second')).toMatchObject({ reason: 'conflict' })
  await second.begin(ann.projectId)
  await second.end(ann.projectId)
  await ageLease(world, ann.projectId, 12_000)
  await first.second(ann.projectId, 6_000)
  await ageLease(world, ann.projectId, 12_000)
  expect(await knock('second')).toMatchObject({ reason: 'conflict' })
  const rows = () => world.app.db.selectFrom('broadcasts').select(['node', 'status', 'date_end']).execute()
  expect(await rows()).toEqual([{ node: 'first', status: 'active', date_end: null }])
  await first.tell(ann.projectId, { type: 'source-lost', how: 'socket' })
  expect(await knock('second')).toMatchObject({ isStopped: false, epoch: 2, from: { node: 'first', epoch: 1 } })
  await first.end(ann.projectId)
  expect(await rows()).toMatchObject([{ status: 'lost', date_end: null }])
})
