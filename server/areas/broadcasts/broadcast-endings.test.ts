// Endings of broadcasts and of their channels.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { greetNode } from '#server/domain/broadcasts/broadcasts.ts'
import { untouched } from '#server/domain/broadcasts/live-facts.ts'
import { newChannel } from '#server/testing/channels.ts'
import { someIngest } from '#server/testing/nodes.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let node: ReturnType<typeof someNodeOf>

beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  node = someNodeOf(world)
})
afterEach(() => world.close())

const inProject = () => ({ project_id: ann.projectId })

test('a finished broadcast keeps how its channels failed', async () => {
  const [fine, refused, lost] = [
    await newChannel(world, ann, { name: 'Fine' }),
    await newChannel(world, ann, { name: 'Refused' }),
    await newChannel(world, ann, { name: 'Lost' }),
  ]
  const project = inProject()
  await node.begin(ann.projectId)
  await node.channel(ann.projectId, refused, 'rejected', { reason: 'publish-rejected', words: 'Bad key' })
  for (const id of [fine, lost]) await node.channel(ann.projectId, id, 'live')
  await node.channel(ann.projectId, lost, 'backoff', { reason: 'refused' })
  world.clock.advance(1_000)
  await node.channel(ann.projectId, lost, 'live')
  world.clock.advance(1_000)
  // One that repeats itself is one event with a count.
  await node.channel(ann.projectId, lost, 'backoff', { reason: 'refused' })
  for (const id of [fine, refused, lost]) await node.channel(ann.projectId, id, 'stopped')
  await node.end(ann.projectId)
  const list = await world.api(broadcasts.list, project, { as: ann })
  const row = list.body.results[0]
  expect(row?.restreams.map(({ date_live }) => date_live !== null)).toEqual([false, true, true])
  const { body } = await world.api(broadcasts.get, { ...project, broadcast_id: row?.id ?? 0 }, { as: ann })
  const endings = Object.fromEntries(body.restreams.map((one) => [one.name, one]))
  expect(endings).toMatchObject({
    Fine: { state: 'stopped', reason: null, words: null },
    Refused: { state: 'stopped', date_live: null, reason: 'publish-rejected', words: 'Bad key' },
    Lost: { state: 'stopped', reason: 'refused', words: null },
  })
  expect(endings['Lost']?.date_live).not.toBeNull()
})

test('shows when the broadcast ends while the encoder is disconnected', async () => {
  const project = inProject()
  await node.begin(ann.projectId)
  expect(await onAirOf(world, ann)).not.toHaveProperty('date_close')
  const { wait } = (await world.api(streamKeys.get, project, { as: ann })).body
  await node.tell(ann.projectId, { type: 'source-lost', how: 'socket' })
  const lostAt = world.clock.now().getTime()
  expect(Date.parse((await onAirOf(world, ann)).date_close ?? '')).toBe(lostAt + Number(wait) * 60_000)
  await world.api(streamKeys.setWait, { ...project, wait_minutes: 1 }, { as: ann })
  expect(Date.parse((await onAirOf(world, ann)).date_close ?? '')).toBe(lostAt + 60_000)
  await node.begin(ann.projectId)
  expect(await onAirOf(world, ann)).not.toHaveProperty('date_close')
})

test('holds a broadcast whose encoder ended the stream, and ends it without keeping the encoder off air', async () => {
  await node.begin(ann.projectId)
  await node.tell(ann.projectId, { type: 'source-lost', how: 'unpublish' })
  const lostAt = world.clock.now().toISOString()
  world.clock.advance(5_000)
  const { verdict, date_lost, broadcast_id } = await onAirOf(world, ann)
  expect([verdict, date_lost]).toMatchObject([{ level: 'warning', reasons: [{ kind: 'held' }] }, lostAt])
  await world.api(broadcasts.stop, { ...inProject(), broadcast_id }, { as: ann })
  await node.end(ann.projectId)
  const { body } = await world.api(broadcasts.status, inProject(), { as: ann })
  expect(body).toEqual({ kind: 'inactive', status: 'offline' })
})

test('a broadcast whose node failed ends like any other, with an error', async () => {
  const [fine, refused, away] = [
    await newChannel(world, ann, { name: 'Fine' }),
    await newChannel(world, ann, { name: 'Refused' }),
    await newChannel(world, ann, { name: 'Away' }),
  ]
  const project = inProject()
  await node.begin(ann.projectId)
  await node.channel(ann.projectId, fine, 'live')
  await node.channel(ann.projectId, refused, 'rejected', { reason: 'publish-rejected', words: 'Bad key' })
  await node.channel(ann.projectId, away, 'connecting')
  // The clock of the node is ahead of that of the service.
  const since = world.clock.now().getTime() + 5_000
  const live = { ...untouched, id: fine, state: 'live', since, bytes: 7_000, reconnects: 2 } as const
  await node.tell(ann.projectId, { type: 'sample', ingest: someIngest, destinations: [live] })
  world.clock.advance(1_000)
  await greetNode(world.services, 'node', [])
  const list = await world.api(broadcasts.list, project, { as: ann })
  const about = { ...project, broadcast_id: list.body.results[0]?.id ?? 0 }
  const { body } = await world.api(broadcasts.get, about, { as: ann })
  expect(body).toMatchObject({ finish_at: world.clock.now().toISOString(), bitrate: someIngest.kbps })
  expect(Object.fromEntries(body.restreams.map((one) => [one.name, one]))).toMatchObject({
    Fine: { state: 'stopped', reason: null, bytes: 7_000, reconnects: 2 },
    Refused: { state: 'stopped', date_live: null, reason: 'publish-rejected', words: 'Bad key' },
    Away: { state: 'stopped', date_live: null, reason: null },
  })
  expect(body.restreams.find(({ name }) => name === 'Fine')?.date_live).not.toBeNull()
  const events = (await world.api(broadcasts.events, about, { as: ann })).body.results
  expect(events[0]).toMatchObject({ kind: 'abandoned', level: 'error' })
  expect(events.filter(({ kind }) => kind === 'stopped').map(({ channel }) => channel?.name)).toEqual([
    'Away',
    'Refused',
    'Fine',
  ])
})
