// Applies publications to the query cache: writes complete ones, refetches after those that only announce a change.
// Idempotent.
import { focusManager, notifyManager, type QueryClient } from '@tanstack/react-query'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { BroadcastStatus, type OnAir } from '#contract/entities/on-air.ts'
import { BroadcastEvent } from '#contract/entities/broadcast.ts'
import { stalePlans } from '#contract/entities/stale.ts'
import { LiveEvent, ProjectEvent } from '#contract/events/publications.ts'
import { makeStale } from '#src/api/make-stale.ts'
import { addEvent, type EventPage, type EventQuery, mayHold } from './event-pages.ts'

/** Areas with data that may change at any time. */
const moving = [
  'broadcasts',
  'analytics',
  'channels',
  'chat.chat.capabilities',
  'ingest',
  'media',
  'notifications',
  'projects',
  'tariffs',
]
/** A write of this tab has already invalidated its own queries. */
const ownMs = 5_000

const keyOf = (id: string): string[] => id.split('.')
const inputOf = <T>(key: readonly unknown[]): T => (key[3] ?? {}) as T

/** Handles a publication of the project's live channel. Ignores unreadable ones: a newer service may add kinds. */
export function applyLive(queries: QueryClient, projectId: number, data: unknown): void {
  // The most frequent kind by far, recognised by its payload and parsed by its own schema.
  if (isStatus(data)) return applyStatus(queries, projectId, data.payload)
  const { data: event } = LiveEvent.safeParse(data)
  if (event?.event === 'broadcast-event') applyEvent(queries, event.broadcast_id, event.payload)
  else if (event?.event === 'changed') applyWrite(queries, event.payload)
}

const isStatus = (data: unknown): data is { readonly payload?: unknown } =>
  (data as { event?: unknown } | null)?.event === 'live-status'

/**
 * Handles a publication of the project's own channel.
 * @param isPublished the live channel publishes the same, with more detail
 */
export function applyProject(queries: QueryClient, projectId: number, data: unknown, isPublished: boolean): void {
  const { data: event } = ProjectEvent.safeParse(data)
  // Another broadcast, or none: chat pages follow it.
  if (event?.event === 'stream-start' || event?.event === 'stream-end') refresh(queries, ['chat.chat.capabilities'])
  if (event?.event === 'notification') refresh(queries, ['notifications'])
  else if (event?.event === 'payment-update') refresh(queries, stalePlans)
  else if (event && !isPublished)
    catchUp(queries, projectId, event.event === 'project-update' ? 'everything' : 'broadcasts')
}

/**
 * Refetches data that may be out of date after a gap.
 * @param what `status` after the first subscription: what decides the controls of a page that has just loaded
 */
export function catchUp(queries: QueryClient, projectId: number, what: 'status' | 'broadcasts' | 'everything'): void {
  if (what === 'everything') return refresh(queries, moving)
  if (what === 'broadcasts') return refresh(queries, ['broadcasts'])
  refresh(queries, ['chat.chat.capabilities'])
  makeStale(queries, {
    queryKey: keyOf(broadcasts.status.id),
    predicate: ({ queryKey }) => inputOf<{ project_id?: number }>(queryKey).project_id === projectId,
    refetchType: whenSeen(),
  })
}

/** A hidden page refetches stale data only when it becomes visible again. */
const whenSeen = () => (focusManager.isFocused() ? 'active' : 'none')

function refresh(queries: QueryClient, prefixes: readonly string[]): void {
  for (const prefix of prefixes) makeStale(queries, { queryKey: keyOf(prefix), refetchType: whenSeen() })
}

function applyWrite(
  queries: QueryClient,
  { operation, stale }: { readonly operation: string; readonly stale: readonly string[] },
): void {
  const since = Date.now() - ownMs
  const own = queries.getMutationCache().findAll({ mutationKey: keyOf(operation) })
  if (!own.some(({ state }) => state.submittedAt >= since)) refresh(queries, stale)
}

function applyStatus(queries: QueryClient, projectId: number, payload: unknown): void {
  const { data: status } = BroadcastStatus.safeParse(payload)
  if (!status) return
  let was: BroadcastStatus | undefined
  const ofProject = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    inputOf<{ project_id?: number }>(queryKey).project_id === projectId
  const filter = { queryKey: keyOf(broadcasts.status.id), predicate: ofProject }
  // A response in flight was requested before this publication.
  void queries.cancelQueries(filter, { silent: true })
  // One render for all changed queries.
  notifyManager.batch(() => {
    queries.setQueriesData<BroadcastStatus>(filter, (known) => {
      was ??= known
      return status
    })
    if (status.kind !== 'inactive') applyRunning(queries, status)
  })
  if (!was) return
  // Another broadcast, or none: lists and histories have a new row or a new end, and graphs the points until then.
  if (broadcastOf(was) !== broadcastOf(status)) refresh(queries, changedByEnd)
  else if (statesOf(was) !== statesOf(status)) refresh(queries, withStates)
}

/** Queries of channels whose rows have the state on air. */
const withStates = ['search', 'get'].map((name) => `channels.channels.${name}`)

/** States of the channels on air as text; a server without `state` has its `status`. */
const statesOf = (live: BroadcastStatus): string =>
  live.kind === 'inactive' ? '' : live.restreams.map(({ id, state, status }) => `${id} ${state ?? status}`).join()

const changedByEnd = [
  ...['list', 'get', 'bitrate', 'viewers'].map((name) => `broadcasts.broadcasts.${name}`),
  'channels.channels',
]

const broadcastOf = (status: BroadcastStatus) => (status.kind !== 'inactive' ? status.broadcast_id : null)

/** Query of the page of a running broadcast. */
function applyRunning(queries: QueryClient, { broadcast_id, reconnects, restreams }: OnAir): void {
  queries.setQueriesData<{ restreams: { channel_id: number }[] }>(
    {
      queryKey: keyOf(broadcasts.get.id),
      predicate: ({ queryKey }) => inputOf<{ broadcast_id?: number }>(queryKey).broadcast_id === broadcast_id,
    },
    (known) =>
      known && {
        ...known,
        reconnects,
        restreams: known.restreams.map((row) => {
          const now = restreams.find(({ channel_id }) => channel_id === row.channel_id)
          return now ? { ...row, state: now.state, reconnects: now.reconnects, bytes: now.bytes } : row
        }),
      },
  )
}

function applyEvent(queries: QueryClient, broadcastId: number, payload: unknown): void {
  const { data: event } = BroadcastEvent.safeParse(payload)
  if (!event) return
  const filter = { queryKey: keyOf(broadcasts.events.id) }
  for (const [queryKey, page] of queries.getQueriesData<EventPage>(filter)) {
    const query = inputOf<EventQuery>(queryKey)
    if (query.broadcast_id !== broadcastId || !page) continue
    const holds = mayHold(query, event)
    if (holds === 'unknown') makeStale(queries, { queryKey, exact: true })
    else if (holds) queries.setQueryData<EventPage>(queryKey, addEvent(query, page, event))
  }
}
