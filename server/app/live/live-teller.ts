// What happens on air, told to open pages: after each thing that a node said, the difference to what was told before.
// It reads what is kept instead of what was said, so that pages never hear of anything that the API would not answer.
import { presentOffline, presentOnAir } from '#server/areas/broadcasts/broadcast-present.ts'
import { closeDateOf } from '#server/domain/broadcasts/endings.ts'
import type { Services } from '#server/core/context.ts'
import { type BroadcastRow, findOnAir } from '#server/domain/broadcasts/store.ts'
import { findHeld } from '#server/domain/broadcasts/stops.ts'
import { presentEvent } from '#server/domain/broadcasts/event-pages.ts'
import { type DestinationFacts, wireStatusOf } from '#server/domain/broadcasts/live-facts.ts'
import { publish } from '#server/domain/realtime/realtime.ts'
import { tellRestreams, tellUrls } from './restream-teller.ts'
import { type EventRow, listEventsSince } from '#server/domain/broadcasts/events-store.ts'
import { listRestreams, type RestreamRow } from '#server/domain/broadcasts/restreams-store.ts'

/** The whole status is told no more often than this; what is between is told with the next one. */
const pauseMs = 100

/** A project as it was told last. */
interface Told {
  readonly broadcast: BroadcastRow | undefined
  /** What was stopped while its encoder goes on sending. */
  readonly held: number | undefined
  /** Wire status of each channel. */
  readonly channels: ReadonlyMap<number, string>
  readonly lastEvent: number
  /** How often repeated events happened, by their numbers. */
  readonly counts: ReadonlyMap<number, number>
  readonly restreams: readonly RestreamRow[]
  /** When the broadcast ends if its encoder stays away. */
  readonly dateClose?: string | undefined
}

const nothing: Told = {
  broadcast: undefined,
  held: undefined,
  channels: new Map(),
  lastEvent: 0,
  counts: new Map(),
  restreams: [],
}

interface Seen extends Told {
  readonly events: readonly EventRow[]
}

export interface LiveTeller {
  /** Before something about a project is kept: looks how it is, where nobody has looked yet. */
  before(projectId: number): Promise<void>
  /** Something about a project may have changed. */
  tell(projectId: number): void
  /** The same for every project that was on air. */
  tellAll(): void
  close(): void
}

/** Makes what tells. Nothing it does fails whoever calls it. */
export function createLiveTeller(services: Services): LiveTeller {
  const told = new Map<number, Told>()
  const pausing = new Map<number, { again: boolean; readonly timer: NodeJS.Timeout }>()
  const fault = (error: unknown) => services.log.error({ err: error }, 'Pages were not told what is on air')

  async function before(projectId: number): Promise<void> {
    if (told.has(projectId)) return
    const seen = await look(services, projectId, undefined).catch(fault)
    if (seen && !told.has(projectId)) told.set(projectId, seen)
  }

  function tell(projectId: number): void {
    const pause = pausing.get(projectId)
    if (pause) return void (pause.again = true)
    const timer = setTimeout(() => {
      const { again } = pausing.get(projectId) ?? { again: false }
      pausing.delete(projectId)
      if (again) tell(projectId)
    }, pauseMs).unref()
    pausing.set(projectId, { again: false, timer })
    void tellNow(projectId).catch(fault)
  }

  async function tellNow(projectId: number): Promise<void> {
    const was = told.get(projectId)
    const is = await look(services, projectId, was)
    // Somebody was faster: two looks at a time, and this one is the older.
    if (told.get(projectId) !== was) return tell(projectId)
    if (is.broadcast || is.held !== undefined) told.set(projectId, is)
    else told.delete(projectId)
    tellDifference(services, projectId, was ?? nothing, is)
  }

  return {
    before,
    tell,
    tellAll: () => [...told].forEach(([projectId, { broadcast }]) => broadcast && tell(projectId)),
    close() {
      for (const { timer } of pausing.values()) clearTimeout(timer)
      pausing.clear()
    },
  }
}

async function look(services: Services, projectId: number, was: Told | undefined): Promise<Seen> {
  const { db } = services
  const broadcast = await findOnAir(db, projectId)
  const held = broadcast ? undefined : (await findHeld(services, projectId))?.id
  const dateClose = broadcast && (await closeDateOf(services, broadcast))
  // Of a broadcast that has just ended the last events are told as well.
  const about = [...new Set([was?.broadcast?.id, broadcast?.id])].filter((id) => id !== undefined)
  const restreams = await listRestreams(db, about)
  const found = await listEventsSince(db, about, was?.lastEvent ?? 0)
  const counts = new Map(found.filter(({ count }) => count > 1).map(({ id, count }) => [id, count]))
  const events = found.filter(({ id, count }) => id > (was?.lastEvent ?? 0) || count !== was?.counts.get(id))
  const lastEvent = Math.max(was?.lastEvent ?? 0, found.at(-1)?.id ?? 0)
  const channels = new Map(
    restreams
      .filter((row) => row.broadcast_id === broadcast?.id)
      .map((row) => [row.channel_id, wireStatusOf((JSON.parse(row.report) as DestinationFacts).state)]),
  )
  return { broadcast, held, restreams, dateClose, events, channels, counts, lastEvent }
}

function tellDifference(services: Services, projectId: number, was: Told, is: Seen): void {
  const project = { type: 'project', id: projectId } as const
  const live = { type: 'project_live', id: projectId } as const
  const [before, now] = [was.broadcast?.id, is.broadcast?.id]
  if (before !== undefined && before !== now)
    publish(services, project, { event: 'stream-end', payload: streamOf(before) })
  if (now !== undefined && before !== now) publish(services, project, { event: 'stream-start', payload: streamOf(now) })
  tellRestreams(services, projectId, {
    broadcastId: now ?? before ?? 0,
    restreams: is.restreams,
    was: before === now || now === undefined ? was.channels : new Map(),
    is: is.channels,
  })
  tellUrls(services, was.restreams, is.restreams)
  for (const row of is.events) {
    const payload = presentEvent(row, is.restreams)
    publish(services, live, { event: 'broadcast-event', broadcast_id: row.broadcast_id, payload })
  }
  if (was.broadcast || is.broadcast || was.held !== is.held)
    publish(services, live, { event: 'live-status', payload: statusOf(is) })
}

const statusOf = ({ broadcast, restreams, held, dateClose }: Seen) =>
  broadcast
    ? presentOnAir(
        broadcast,
        restreams.filter((row) => row.broadcast_id === broadcast.id),
        dateClose,
      )
    : presentOffline(held)

/** A broadcast is its own stream here: a stream that comes back goes on with it. */
const streamOf = (id: number) => ({ broadcast_id: id, stream_id: id, app: 'live' })
