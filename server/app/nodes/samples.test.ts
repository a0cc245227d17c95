// Samples of a node: one write for all of its projects, of the owner's epoch, once.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SampleEvent } from '#contract/relay/events.ts'
import { claimAir } from '#server/domain/broadcasts/air-leases.ts'
import { storeSamples } from '#server/domain/broadcasts/samples.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
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
const store = (seq: number, ...samples: SampleEvent[]) => storeSamples(world.services, 'node', seq, samples)

test('stores the seconds and the newest sample of several projects', async () => {
  const [ann, ben] = people
  await store(10, sampleOf(ann, 1), sampleOf(ben, 1), sampleOf(ann, 2))
  expect((await stored()).map(({ kbps }) => kbps)).toEqual([4_001, 4_001, 4_002])
  const newest = await world.app.db.selectFrom('broadcasts').select('sample').orderBy('id').execute()
  expect(newest.map(({ sample }) => JSON.parse(sample ?? '').ingest.kbps)).toEqual([4_002, 4_001])
})

test('stores nothing twice, nothing of an older epoch, and nothing of another node', async () => {
  const [ann] = people
  await store(10, sampleOf(ann, 1))
  await store(10, sampleOf(ann, 1, { ingest: { ...ingest, kbps: 1 } }))
  await store(11, sampleOf(ann, 2, { epoch: 7 }))
  await storeSamples(world.services, 'other', 12, [sampleOf(ann, 3)])
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
  expect(takeSample(connection, 20, sampleOf(ann, 1))).toBe(false)
  expect(takeSample(connection, 21, sampleOf(ann, 2))).toBe(true)
  expect(takeSample(connection, 22, sampleOf(ann, 3))).toBe(true)
  expect(takeSample(connection, 23, sampleOf(ann, 4, { ingest: { ...ingest, audioCodec: '' } }))).toBe(false)
  expect(takeSample(connection, 24, sampleOf(ann, 5, { epoch: 2 }))).toBe(false)
  expect(sent).toEqual([])
  await flushSamples(world.services, connection)
  expect(sent).toEqual([{ type: 'ack', seq: 22 }])
  expect(await stored()).toHaveLength(2)
  await flushSamples(world.services, connection)
  expect(sent).toHaveLength(1)
})
