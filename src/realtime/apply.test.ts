// Publications applied to the query cache: written, refetched, and never twice.
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'
import { applyLive, applyProject, catchUp } from './apply.ts'

const key = (id: string, input: object) => [...id.split('.'), input, 'en']
const status = key(broadcasts.status.id, { project_id: 7 })
const list = key(broadcasts.list.id, { project_id: 7 })
const events = key(broadcasts.events.id, { project_id: 7, broadcast_id: 1, limit: 3 })
const offline = { kind: 'inactive', status: 'offline' }
const onAir = (broadcast_id = 1, bitrate = 5_000) => ({
  kind: 'live',
  app: 'live',
  broadcast_id,
  stream_id: broadcast_id,
  status: 'active',
  action: 'active',
  reconnects: 0,
  date_start: '2026-03-01T10:00:00.000Z',
  resolution: '1920x1080',
  fps: 30,
  bitrate,
  key_frame: 2,
  video_codec_name: 'avc1',
  audio_codec_name: 'mp4a',
  encoder: 'OBS',
  server: 'here',
  url: null,
  date_sample: null,
  restreams: [],
})
const event = (id: number, level = 'info', second = id): BroadcastEvent =>
  ({
    id,
    level,
    text: 'live',
    created_at: `2026-03-01T10:00:${String(second).padStart(2, '0')}.000Z`,
    kind: 'live',
    reason: null,
    words: null,
    channel: null,
  }) as BroadcastEvent

let queries: QueryClient
const isStale = (queryKey: unknown[]) => queries.getQueryState(queryKey)?.isInvalidated
const live = (data: object) => applyLive(queries, 7, data)
const publish = (payload: object) => live({ event: 'live-status', payload })
const happened = (payload: object) => live({ event: 'broadcast-event', broadcast_id: 1, payload })
const ids = (queryKey: unknown[]) =>
  queries.getQueryData<{ results: { id: number }[] }>(queryKey)?.results.map(({ id }) => id)

beforeEach(() => {
  queries = new QueryClient()
  queries.setQueryData(status, offline)
  queries.setQueryData(list, { results: [] })
  queries.setQueryData(events, { results: [event(2), event(1)], total: 2, limit: 3 })
})

test('writes a status as published, and ignores other projects', () => {
  const other = key(broadcasts.status.id, { project_id: 8 })
  queries.setQueryData(other, offline)
  publish(onAir())
  expect(queries.getQueryData(status)).toMatchObject({ kind: 'live', bitrate: 5_000 })
  expect(queries.getQueryData(other)).toEqual(offline)
})

test('refetches the graphs of a broadcast when it ends', () => {
  const graphs = [broadcasts.bitrate, broadcasts.viewers].map(({ id }) => key(id, { project_id: 7, broadcast_id: 1 }))
  publish(onAir())
  for (const graph of graphs) queries.setQueryData(graph, { data: [], labels: [], setting: {} })
  publish(onAir(1, 6_000))
  expect(graphs.map(isStale)).toEqual([false, false])
  publish(offline)
  expect(graphs.map(isStale)).toEqual([true, true])
})

test('refetches lists when a broadcast begins or ends, not each second', () => {
  publish(onAir())
  expect(isStale(list)).toBe(true)
  queries.setQueryData(list, { results: [] })
  publish(onAir(1, 6_000))
  expect(isStale(list)).toBe(false)
  publish(offline)
  expect(isStale(list)).toBe(true)
})

test('refetches channels when the state of one changes, not each second', () => {
  const channel = key(channels.get.id, { project_id: 7, channel_id: 3 })
  const publishState = (state: string, bytes: number) =>
    publish({ ...onAir(), restreams: [{ id: 1, status: 'live', channel_id: 3, state, bytes }] })
  publishState('connecting', 1)
  queries.setQueryData(channel, { id: 3 })
  publishState('connecting', 2)
  expect(isStale(channel)).toBe(false)
  publishState('live', 3)
  expect(isStale(channel)).toBe(true)
})

test('ignores an unreadable status', () => {
  publish({ kind: 'live' })
  live({ event: 'news' })
  applyLive(queries, 7, null)
  expect(queries.getQueryData(status)).toEqual(offline)
})

test('inserts an event once, in its place, and keeps the page size', () => {
  happened(event(4))
  happened(event(4))
  happened(event(3))
  expect(ids(events)).toEqual([4, 3, 2])
  expect(queries.getQueryData(events)).toMatchObject({ total: 4 })
})

test('adds only matching events to a page filtered by level, and refetches later pages', () => {
  const errors = key(broadcasts.events.id, { project_id: 7, broadcast_id: 1, level: 'error' })
  const second = key(broadcasts.events.id, { project_id: 7, broadcast_id: 1, offset: 3, limit: 3 })
  const elsewhere = key(broadcasts.events.id, { project_id: 7, broadcast_id: 9 })
  for (const queryKey of [errors, second, elsewhere])
    queries.setQueryData(queryKey, { results: [], total: 0, limit: 3 })
  happened(event(5))
  happened(event(6, 'error'))
  expect(ids(errors)).toEqual([6])
  expect(isStale(second)).toBe(true)
  expect(ids(elsewhere)).toEqual([])
})

test('replaces the previous repetition of an event once, without a new row', () => {
  const again = { ...event(1), count: 2, last_at: '2026-11-21T12:01:00.000Z' }
  happened(again)
  happened({ ...event(1) })
  expect(queries.getQueryData(events)).toMatchObject({ results: [{ id: 2 }, { id: 1, count: 2 }], total: 2 })
  // The repeated event is on another page: nothing changes here.
  happened({ ...event(0), count: 3 })
  expect(queries.getQueryData(events)).toMatchObject({ results: [{ id: 2 }, { id: 1 }], total: 2 })
})

test('refetches data that another user wrote, not data that this tab wrote', async () => {
  const all = key(channels.short.id, { project_id: 7 })
  queries.setQueryData(all, { results: [] })
  const changed = { event: 'changed', payload: { operation: channels.setStatus.id, stale: channels.setStatus.stale } }
  const mutation = queries.getMutationCache().build(queries, {
    mutationKey: channels.setStatus.id.split('.'),
    mutationFn: async () => undefined,
  })
  await mutation.execute(undefined)
  live(changed)
  expect(isStale(all)).toBe(false)
  queries.getMutationCache().clear()
  live(changed)
  expect(isStale(all)).toBe(true)
})

test('refetches data that may be out of date', () => {
  const rights = key(chat.capabilities.id, { project_id: 7 })
  queries.setQueryData(rights, { may_write: true })
  catchUp(queries, 8, 'status')
  expect(isStale(status)).toBe(false)
  catchUp(queries, 7, 'status')
  expect([status, rights].map(isStale)).toEqual([true, true])
  expect(isStale(list)).toBe(false)
  catchUp(queries, 7, 'everything')
  expect(isStale(list)).toBe(true)
})

test('refetches on the reduced publications of another server', () => {
  const rights = key(chat.capabilities.id, { project_id: 7 })
  queries.setQueryData(rights, { may_write: true })
  applyProject(queries, 7, { event: 'stream-start', payload: { broadcast_id: 1, stream_id: 1, app: 'live' } }, true)
  expect([status, rights].map(isStale)).toEqual([false, true])
  applyProject(queries, 7, { event: 'stream-end' }, false)
  expect(isStale(status)).toBe(true)
})
