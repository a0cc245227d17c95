// Publications about a broadcast: complete, in order, and once.
import type { RelayEvent } from '#contract/relay/events.ts'
import type { DestinationReason } from '#contract/relay/reports.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Channel } from '#contract/events/channels.ts'
import type { Publication } from '#contract/events/publications.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { storedOf } from '#server/domain/broadcasts/records.ts'
import { handleEvent } from '#server/domain/broadcasts/broadcasts.ts'
import { type DestinationFacts, untouched } from '#server/domain/broadcasts/live-facts.ts'
import { someAddress, someKey } from '#server/testing/channels.ts'
import { until } from '#server/relay/testing/rig.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { createLivePublisher, type LivePublisher } from './live-publisher.ts'

type Fact = RelayEvent extends infer F ? (F extends unknown ? Omit<F, 'projectId' | 'at'> : never) : never

let world: World
let ann: Person
let publisher: LivePublisher
let published: { readonly about: Channel; readonly data: Publication }[]
let seq = 0

beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  published = []
  const realtime = {
    publish: (about: Channel, data: Publication) => void published.push({ about, data }),
    isWatched: () => true,
    watch: () => undefined,
    recheck: () => undefined,
  }
  publisher = createLivePublisher({ ...world.services, realtime })
})
afterEach(async () => {
  publisher.close()
  await world.close()
})

async function happens(fact: Fact): Promise<void> {
  world.clock.advance(1_000)
  await publisher.before(ann.projectId)
  const whole = { ...fact, projectId: ann.projectId, at: world.clock.now().getTime() } as RelayEvent
  await handleEvent(world.services, 'node', ++seq, whole)
  const before = published.length
  publisher.publish(ann.projectId)
  await until(() => published.length > before)
  await new Promise((resolve) => setTimeout(resolve, 150))
}

const eventsIn = (type: Channel['type']) =>
  published.filter(({ about }) => about.type === type).map(({ data }) => ('event' in data ? data.event : ''))

const destination = (id: number, state: DestinationFacts['state'], reason: DestinationReason | null = null): Fact => ({
  type: 'destination',
  report: { ...untouched, id, state, since: world.clock.now().getTime(), reason },
})

async function channel(): Promise<number> {
  const { body } = await world.api(
    addChannel.any,
    { project_id: ann.projectId, type: 'youtube', name: 'Tube', rtmp_url: someAddress, stream_key: someKey },
    { as: ann },
  )
  return body.channel_id
}

test('a broadcast from its beginning to its end', async () => {
  const id = await channel()
  await happens({ type: 'source-began', encoder: 'OBS', address: '' })
  await happens(destination(id, 'connecting'))
  await happens(destination(id, 'live'))
  await happens(destination(id, 'backoff', 'refused'))
  await happens(destination(id, 'live'))
  await happens({ type: 'ended' })
  expect(eventsIn('project')).toEqual(['stream-start', 'stream-end'])
  expect(eventsIn('broadcast')).toEqual([
    'restreams.started',
    'restreams.stopped',
    'restreams.started',
    'restreams.stopped',
    'broadcast.ended',
  ])
  expect(eventsIn('channels')).toEqual([
    'channel-status',
    'channel-started',
    'channel-status',
    'channel-status',
    'channel-status',
    'channel-status',
    'channel-stopped',
  ])
  const events = published.flatMap(({ data }) =>
    'event' in data && data.event === 'broadcast-event' ? [data.payload['kind']] : [],
  )
  expect(events).toEqual(['began', 'live', 'backoff', 'live', 'stopped', 'ended'])
  // The second time is a repetition of the first one.
  const lives = published.flatMap(({ data }) =>
    'event' in data && data.event === 'broadcast-event' && data.payload['kind'] === 'live' ? [data.payload] : [],
  )
  expect(lives.map(({ id: number, count }) => [number === lives[0]?.['id'], count])).toEqual([
    [true, undefined],
    [true, 2],
  ])
  const statuses = published.flatMap(({ data }) =>
    'event' in data && data.event === 'live-status' ? [data.payload] : [],
  )
  expect(statuses[2]).toMatchObject({ kind: 'live', restreams: [{ channel_id: id, state: 'live' }] })
  expect(statuses.at(-1)).toEqual({ kind: 'inactive', status: 'offline' })
})

test('a broadcast that follows another without a pause', async () => {
  const id = await channel()
  await happens({ type: 'source-began', encoder: 'OBS', address: '' })
  await happens(destination(id, 'live'))
  const [first] = published.flatMap(({ about }) => (about.type === 'broadcast' ? [about.id] : []))
  published.length = 0
  const ended = { type: 'ended', projectId: ann.projectId, at: world.clock.now().getTime() } as RelayEvent
  await handleEvent(world.services, 'node', ++seq, ended)
  await happens({ type: 'source-began', encoder: 'OBS', address: '' })
  await happens(destination(id, 'live'))
  const events = published.flatMap(({ about, data }) =>
    about.type === 'broadcast' && 'event' in data ? [[about.id === first, data.event]] : [],
  )
  expect(events).toEqual([
    [true, 'restreams.stopped'],
    [true, 'broadcast.ended'],
    [false, 'restreams.started'],
  ])
  expect(eventsIn('project')).toEqual(['stream-end', 'stream-start'])
})

test('a service that comes in the middle tells what changes, not what was', async () => {
  const id = await channel()
  await happens({ type: 'source-began', encoder: 'OBS', address: '' })
  await happens(destination(id, 'live'))
  publisher.close()
  published.length = 0
  const realtime = {
    publish: (about: Channel, data: Publication) => void published.push({ about, data }),
    isWatched: () => true,
    watch: () => undefined,
    recheck: () => undefined,
  }
  publisher = createLivePublisher({ ...world.services, realtime })
  await happens({
    type: 'sample',
    ingest: { kbps: 5_000, fps: 30, gopMs: 2_000, videoCodec: 'avc1', audioCodec: 'mp4a', width: 1920, height: 1080 },
    destinations: [],
  })
  expect(published.map(({ data }) => 'event' in data && data.event)).toEqual(['live-status'])
  expect(published[0]?.data).toMatchObject({ payload: { bitrate: 5_000, resolution: '1920x1080' } })
})

test('publishes the newest second with a change, not the last stored one', async () => {
  const id = await channel()
  const ingest = (kbps: number) =>
    ({ kbps, fps: 30, gopMs: 2_000, videoCodec: 'avc1', audioCodec: 'mp4a', width: 1920, height: 1080 }) as const
  await happens({ type: 'source-began', encoder: 'OBS', address: '' })
  await happens({ type: 'sample', ingest: ingest(5_000), destinations: [] })
  const newest = { type: 'sample', projectId: ann.projectId, at: world.clock.now().getTime() + 1_000 } as const
  const stored = storedOf({ ...newest, ingest: ingest(6_000), destinations: [] })
  const { realtime, relay } = world.services
  publisher.close()
  publisher = createLivePublisher({
    ...world.services,
    relay: { ...relay, newestSample: () => stored },
    realtime: { ...realtime, isWatched: () => true, publish: (about, data) => void published.push({ about, data }) },
  })
  await happens(destination(id, 'live'))
  const status = published.findLast(({ data }) => 'event' in data && data.event === 'live-status')
  expect(status?.data).toMatchObject({ payload: { bitrate: 6_000, restreams: [{ state: 'live' }] } })
})

test('publishes the end of a broadcast that another replica published', async () => {
  await happens({ type: 'source-began', encoder: 'OBS', address: '192.0.2.1' })
  published = []
  const other = createLivePublisher({
    ...world.services,
    realtime: {
      publish: (about: Channel, data: Publication) => void published.push({ about, data }),
      isWatched: () => true,
      watch: () => undefined,
      recheck: () => undefined,
    },
  })
  const end = { type: 'ended', projectId: ann.projectId, at: world.clock.now().getTime() } as RelayEvent
  await handleEvent(world.services, 'node', ++seq, end)
  other.publish(ann.projectId)
  await until(() => published.length > 0)
  other.close()
  expect(published.at(-1)?.data).toMatchObject({ event: 'live-status', payload: { kind: 'inactive' } })
})
