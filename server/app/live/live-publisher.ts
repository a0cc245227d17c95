// Publishes state changes of broadcasts to realtime channels: after each event of a node, the difference to what was published.
// It reads the database and not the event, so that pages receive the same state that the API returns.
import { presentOffline, presentOnAir } from '#server/areas/broadcasts/broadcast-present.ts'
import { type Absence, absenceOf, findStopped } from '#server/domain/broadcasts/stops.ts'
import type { Services } from '#server/core/context.ts'
import { type BroadcastRow, findOnAir, listRestreams, type RestreamRow } from '#server/domain/broadcasts/store.ts'
import { presentEvent } from '#server/domain/broadcasts/events.ts'
import { wireStatusOf } from '#server/domain/broadcasts/live-facts.ts'
import type { SampleEvent } from '#contract/relay/events.ts'
import { playOf } from '#server/domain/broadcasts/plays.ts'
import { factsOf, storedOf, withNewestSample } from '#server/domain/broadcasts/records.ts'
import { publish } from '#server/domain/realtime/realtime.ts'
import { publishRestreams, publishUrls, type Statuses } from './restream-publisher.ts'
import { type EventRow, listEventsSince } from '#server/domain/broadcasts/events-store.ts'

/** Minimum interval between two publications of a project; changes in between are published together. */
const pauseMs = 100

/** A watched project is read from the database each so many seconds, beside its events. */
const refreshSeconds = 10

/** State of a project that was published last. */
interface Published {
  readonly broadcast: BroadcastRow | undefined
  /** Stopped broadcast whose encoder is still connected. */
  readonly stoppedId: number | undefined
  readonly channels: Statuses
  readonly lastEvent: number
  /** Counts of repeated events by their numbers. */
  readonly counts: ReadonlyMap<number, number>
  readonly restreams: readonly RestreamRow[]
  /** While the encoder is away. */
  readonly absence?: Absence | undefined
}

interface LiveState extends Published {
  readonly events: readonly EventRow[]
}

export interface LivePublisher {
  /** Reads the state of a project before it changes, unless it is known. */
  before(projectId: number): Promise<void>
  /** Publishes the changes of a project. */
  publish(projectId: number): void
  /** Publishes a sample of a project on air that is watched. */
  sample(event: SampleEvent): void
  /** Publishes the changes of those projects whose state this replica has published. */
  publishKnown(projectIds: Iterable<number>): void
  /** Forgets the state of projects that are at another replica now: it publishes their changes. */
  forget(projectIds: Iterable<number>): void
  close(): void
}

/** Errors are logged; callers are not affected. */
export function createLivePublisher(services: Services): LivePublisher {
  const published = new Map<number, Published>()
  const pausing = new Map<number, { again: boolean; readonly timer: NodeJS.Timeout }>()
  const fault = (error: unknown) =>
    services.log.error({ err: error }, 'The state of a broadcast could not be published')

  async function before(projectId: number): Promise<void> {
    if (published.has(projectId)) return
    const seen = await readLiveState(services, projectId, undefined).catch(fault)
    if (seen && !published.has(projectId)) published.set(projectId, seen)
  }

  function publishSoon(projectId: number): void {
    const pause = pausing.get(projectId)
    if (pause) return void (pause.again = true)
    const timer = setTimeout(() => {
      const { again } = pausing.get(projectId) ?? { again: false }
      pausing.delete(projectId)
      if (again) publishSoon(projectId)
    }, pauseMs).unref()
    pausing.set(projectId, { again: false, timer })
    void publishNow(projectId).catch(fault)
  }

  async function publishNow(projectId: number): Promise<void> {
    const was = published.get(projectId)
    const is = await readLiveState(services, projectId, was)
    // A newer state was published meanwhile.
    if (published.get(projectId) !== was) return publishSoon(projectId)
    if (is.broadcast || is.stoppedId !== undefined) published.set(projectId, is)
    else published.delete(projectId)
    if (was) publishDifference(services, projectId, was, is)
    // Another replica published the state until now.
    else publishStatus(services, projectId, is)
  }

  return {
    before,
    publish: publishSoon,
    sample(event) {
      const { projectId, at } = event
      if (!services.realtime.isWatched(projectId)) return
      const was = published.get(projectId)
      // Counts of viewers change without an event of the node.
      const isStale = Math.floor(at / 1000) % refreshSeconds === 0
      if (!was?.broadcast || isStale) return publishSoon(projectId)
      const payload = statusOf({ ...was, broadcast: { ...was.broadcast, sample: storedOf(event) } })
      publish(services, { type: 'project_live', id: projectId }, { event: 'live-status', payload })
    },
    publishKnown(projectIds) {
      for (const id of projectIds) if (published.has(id)) publishSoon(id)
    },
    forget(projectIds) {
      for (const id of projectIds) published.delete(id)
    },
    close() {
      for (const { timer } of pausing.values()) clearTimeout(timer)
      pausing.clear()
    },
  }
}

async function readLiveState(services: Services, projectId: number, was: Published | undefined): Promise<LiveState> {
  const { db } = services
  const stored = await findOnAir(db, projectId)
  // Samples are stored in batches: the stored one is seconds older than the last that was published.
  const broadcast = stored && withNewestSample(services, stored)
  const stoppedId = broadcast ? undefined : (await findStopped(services, projectId))?.id
  const absence = broadcast && (await absenceOf(services, broadcast))
  // The last events of a broadcast that has just ended are published too.
  const about = [...new Set([was?.broadcast?.id, broadcast?.id])].filter((id) => id !== undefined)
  const restreams = await listRestreams(db, about)
  const found = await listEventsSince(db, about, was?.lastEvent ?? 0)
  const counts = new Map(found.filter(({ count }) => count > 1).map(({ id, count }) => [id, count]))
  const events = found.filter(({ id, count }) => id > (was?.lastEvent ?? 0) || count !== was?.counts.get(id))
  const lastEvent = Math.max(was?.lastEvent ?? 0, found.at(-1)?.id ?? 0)
  const channels = new Map(
    restreams
      .filter((row) => row.broadcast_id === broadcast?.id)
      .map((row) => [row.channel_id, wireStatusOf(factsOf(row).state)]),
  )
  return { broadcast, stoppedId, restreams, absence, events, channels, counts, lastEvent }
}

function publishDifference(services: Services, projectId: number, was: Published, is: LiveState): void {
  const project = { type: 'project', id: projectId } as const
  const live = { type: 'project_live', id: projectId } as const
  const [before, now] = [was.broadcast?.id, is.broadcast?.id]
  if (before !== undefined && before !== now)
    publish(services, project, { event: 'stream-end', payload: streamOf(before, was.broadcast) })
  if (now !== undefined && before !== now)
    publish(services, project, { event: 'stream-start', payload: streamOf(now, is.broadcast) })
  const { restreams } = is
  if (before !== undefined && before !== now) {
    // Also when the next broadcast began before this one was seen to end.
    publishRestreams(services, projectId, { broadcastId: before, restreams, was: was.channels, is: new Map() })
    const about = { broadcast_id: before, event_id: crypto.randomUUID(), restream_id: null }
    publish(services, { type: 'broadcast', id: before }, { event: 'broadcast.ended', ...about, payload: null })
  }
  if (now !== undefined) {
    const channels = before === now ? was.channels : new Map()
    publishRestreams(services, projectId, { broadcastId: now, restreams, was: channels, is: is.channels })
  }
  publishUrls(services, was.restreams, is.restreams)
  for (const row of is.events) {
    const payload = presentEvent(row, is.restreams)
    publish(services, live, { event: 'broadcast-event', broadcast_id: row.broadcast_id, payload })
  }
  if (was.broadcast || is.broadcast || was.stoppedId !== is.stoppedId) publishStatus(services, projectId, is)
}

const publishStatus = (services: Services, projectId: number, is: Published): void =>
  publish(services, { type: 'project_live', id: projectId }, { event: 'live-status', payload: statusOf(is) })

const statusOf = ({ broadcast, restreams, stoppedId, absence }: Published) =>
  broadcast
    ? presentOnAir(
        broadcast,
        restreams.filter((row) => row.broadcast_id === broadcast.id),
        absence,
      )
    : presentOffline(stoppedId)

/** A broadcast is its own stream: a reconnected encoder continues it. */
const streamOf = (id: number, row: BroadcastRow | undefined) => ({
  broadcast_id: id,
  stream_id: id,
  app: row && playOf(row) ? 'scheduler' : 'live',
})
