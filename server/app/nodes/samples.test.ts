// Samples of a node: one write for all of its projects, of the owner's epoch, once.
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { SampleEvent } from '#contract/relay/events.ts'
import type { FromService } from '#contract/relay/from-service.ts'
import { claimAir } from '#server/domain/broadcasts/air-leases.ts'
import { storeSamples } from '#server/domain/broadcasts/samples.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { untouched } from '#server/domain/broadcasts/live-facts.ts'
import { SampleQueue } from '#server/relay/sample-queue.ts'
import { createServiceConnection } from '#server/relay/service-connection.ts'
import { until } from '#server/relay/testing/rig.ts'
import { emptyBuffer, type NodeConnection } from './node-connection.ts'
import { flushSamples, takeSample } from './samples.ts'

let world: World
let people: Person[]
beforeEach(async () => {
  world = await testApp()
  people = [await world.user('Ann'), await world.user('Ben')]
  const node = someNodeOf(world)
  for (const { projectId } of people) {
    await claimAir(world.app.db, projectId, 'node')
    await node.begin(projectId)
  }
})
afterEach(() => world.close())

const ingest = { kbps: 4_000, fps: 30, gopMs: 2_000, videoCodec: 'avc1', audioCodec: 'mp4a', width: 1920, height: 1080 }
const at = Date.parse('2026-03-01T10:00:00.000Z')
const sampleOf = (person: Person | undefined, second: number, change: Partial<SampleEvent> = {}): SampleEvent => ({
  type: 'sample',
  projectId: person?.projectId ?? 0,
  epoch: 1,
  at: at + second * 1_000,
  ingest: { ...ingest, kbps: 4_000 + second },
  destinations: [],
  ...change,
})
const stored = () =>
  world.app.db.selectFrom('broadcast_samples').select(['broadcast_id', 'at', 'kbps']).orderBy('at').execute()
const store = (...samples: SampleEvent[]) => storeSamples(world.services, 'node', samples)

test('stores the seconds and the newest sample of several projects', async () => {
  const [ann, ben] = people
  await store(sampleOf(ann, 1), sampleOf(ben, 1), sampleOf(ann, 2))
  expect((await stored()).map(({ kbps }) => kbps)).toEqual([4_001, 4_001, 4_002])
  const newest = await world.app.db.selectFrom('broadcasts').select('sample').orderBy('id').execute()
  expect(newest.map(({ sample }) => JSON.parse(sample ?? '').ingest.kbps)).toEqual([4_002, 4_001])
})

test('stores nothing twice, nothing of an older epoch, and nothing of another node', async () => {
  const [ann] = people
  await store(sampleOf(ann, 1))
  await store(sampleOf(ann, 1, { ingest: { ...ingest, kbps: 1 } }))
  await store(sampleOf(ann, 2, { epoch: 7 }))
  await storeSamples(world.services, 'other', [sampleOf(ann, 3)])
  expect((await stored()).map(({ kbps }) => kbps)).toEqual([4_001])
})

test('keeps samples until they are stored, and handles a changed state as an event', async () => {
  const [ann] = people
  const sent: unknown[] = []
  const projectId = ann?.projectId ?? 0
  const connection = {
    node: 'node',
    projects: new Map([[projectId, { epoch: 1, desired: '', keyMark: null }]]),
    samples: emptyBuffer(),
    send: (message: unknown) => void sent.push(message),
  } as unknown as NodeConnection
  expect(takeSample(connection, sampleOf(ann, 1))).toBe(false)
  expect(takeSample(connection, sampleOf(ann, 2))).toBe(true)
  expect(takeSample(connection, sampleOf(ann, 3))).toBe(true)
  const live = { ...untouched, id: 1, state: 'live', since: 4_000 } as const
  expect(takeSample(connection, sampleOf(ann, 4, { destinations: [live] }))).toBe(false)
  expect(takeSample(connection, sampleOf(ann, 5, { epoch: 2 }))).toBe(false)
  connection.samples.ack = { type: 'samples-ack', seq: 22 }
  expect(sent).toEqual([])
  await flushSamples(world.services, connection)
  expect(sent).toEqual([{ type: 'samples-ack', seq: 22 }])
  expect(await stored()).toHaveLength(2)
  await flushSamples(world.services, connection)
  expect(sent).toHaveLength(1)
})

test('takes the seconds of a broadcast with 2,000 channels, each with a long message of its server', async () => {
  await world.close()
  const token = 'a token that the nodes and the service share'
  world = await testApp({ RELAY_TOKEN: token })
  world.clock.set(new Date())
  const ann = await world.user('Ann')
  const { projectId } = ann
  const { key } = (await world.api(streamKeys.get, { project_id: projectId }, { as: ann })).body
  const service = `${(await world.app.listen()).url.replace('http', 'ws')}/relay`
  const connection = createServiceConnection({ service, token })
  const queue = new SampleQueue(connection)
  onTestFinished(() => connection.close())
  const received: FromService[] = []
  let closed = 0
  connection.open({
    onOpen: () => connection.send({ type: 'hello', version: 3, node: 'large', projects: [], leases: [] }),
    onMessage(message) {
      received.push(message)
      if (message.type === 'samples-ack') queue.acknowledge(message.seq)
    },
    onClose: () => (closed++, true),
  })
  await until(() => received.some(({ type }) => type === 'welcome'))
  connection.send({ type: 'admit', request: 1, key, app: 'live', encoder: 'Test', address: '192.0.2.1' })
  await until(() => received.some(({ type }) => type === 'admitted'))
  const began = Date.now()
  connection.send({
    type: 'event',
    seq: began * 1_000,
    event: { type: 'source-began', projectId, epoch: 1, at: began, encoder: 'Test', address: '192.0.2.1' },
  })
  const destinations = Array.from({ length: 2_000 }, (_, id) => {
    return { ...untouched, id: id + 1, state: 'rejected' as const, since: began, words: `${id} ${'\u0000'.repeat(80)}` }
  })
  for (let second = 1; second <= 3; second++)
    queue.add({ projectId, epoch: 1, at: began + second * 1_000, ingest, destinations })
  await expect.poll(async () => (await stored()).length, { timeout: 20_000 }).toBe(3)
  expect(closed).toBe(0)
  const { sample } = await world.app.db.selectFrom('broadcasts').select('sample').executeTakeFirstOrThrow()
  expect(JSON.parse(sample ?? '').destinations).toEqual(destinations)
  expect((await stored()).map(({ at: second }) => Number(second))).toEqual(
    [1, 2, 3].map((second) => Math.floor(began / 1_000) + second),
  )
})
