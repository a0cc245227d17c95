// Stopping a broadcast. Encoders reconnect automatically, so a stopped one stays off air until it is stopped itself,
// disconnects for a while, or a user resumes it (decision 0023).
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { type BroadcastRow, findLastBroadcast, findOnAir, updateBroadcast, updateOnAir, updateStop } from './store.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { closeAdmitted } from './runs.ts'
import { type EventRow, findLastSourceLoss, listEventsOfKinds } from './events-store.ts'
import { limitsOf } from '#server/domain/tariffs/plan-limits.ts'
import { streamKeyOnAir } from '#server/domain/ingest/stream-keys.ts'

// Automatic end of a broadcast, and the reasons why its channels were not live at the end.

/** A broadcast whose encoder is away. */
export interface Absence {
  /** When the encoder was lost, ISO 8601. */
  readonly since: string
  /** When the relay closes the broadcast, ISO 8601. */
  readonly until: string
  /** The encoder ended the stream itself. */
  readonly isHeld: boolean
}

/** Returns the absence of a broadcast's encoder; undefined while it is connected. */
export async function absenceOf(
  services: Reading<Pick<Services, 'db' | 'clock' | 'config'>>,
  { id, project_id, status }: BroadcastRow,
): Promise<Absence | undefined> {
  if (status !== 'lost') return undefined
  const { db } = services
  const loss = await findLastSourceLoss(db, id)
  if (!loss) return undefined
  const isHeld = loss.reason === 'unpublish'
  const { waitMinutes, holdMinutes } = await streamKeyOnAir(db, project_id)
  const { waitMaxMinutes } = await limitsOf(services, db, project_id)
  const minutes = Math.min(isHeld ? holdMinutes : waitMinutes, waitMaxMinutes)
  return { since: loss.date_create, until: iso(later(new Date(loss.date_create), minutes * 60_000)), isHeld }
}

/** Reason why a channel was not live at the end. */
export type Ending = Pick<EventRow, 'reason' | 'words'>

const states = ['live', 'degraded', 'backoff', 'rejected'] as const
const troubles: ReadonlySet<string> = new Set(['backoff', 'rejected'])

/** Returns the last troubles of the channels of a broadcast, by channel. */
export async function listEndings(db: ReadDb, broadcastId: number): Promise<ReadonlyMap<number, Ending>> {
  // A repetition updates the date of the first event.
  const rows = await listEventsOfKinds(db, broadcastId, states)
  const last = new Map(rows.map(({ channel_id, ...event }) => [channel_id, event]))
  return new Map(
    [...last].flatMap(([channel, { kind, ...ending }]) =>
      channel !== null && troubles.has(kind) ? [[channel, ending] as const] : [],
    ),
  )
}

type StopServices = Pick<Services, 'db' | 'clock'>

/** Duration of a stop after the node's last report of the encoder: node and encoder may have failed. Seconds. */
const stopSeconds = 60
/** Least extension that is written, seconds. */
const renewSeconds = 10

const inSeconds = ({ clock }: Pick<Services, 'clock'>, seconds: number): string =>
  iso(later(clock.now(), seconds * 1000))

/** Stops a broadcast. The node ends it, immediately or when it reconnects. */
export async function stopBroadcast(
  services: Services,
  { id, project_id }: BroadcastRow,
  userId: number,
): Promise<void> {
  await transaction(services.db, async (trx) => {
    await closeAdmitted(services, trx, project_id)
    await updateOnAir(trx, id, { held_until: inSeconds(services, stopSeconds), stopped_by: userId })
  })
  services.relay.stop(project_id)
}

/** Marks the broadcast of a project as stopped, by no user: a node that is away ends it when it reconnects. */
export async function holdOnAir(services: Pick<Services, 'clock'>, trx: Trx, projectId: number): Promise<void> {
  const onAir = await findOnAir(trx, projectId)
  if (onAir) await updateOnAir(trx, onAir.id, { held_until: inSeconds(services, stopSeconds) })
}

/** Returns the stopped broadcast whose encoder continues to send: the latest of the project. */
export async function findStopped(
  { db, clock }: Reading<StopServices>,
  projectId: number,
): Promise<BroadcastRow | undefined> {
  const last = await findLastBroadcast(db, projectId)
  const isStopped = last !== undefined && last.date_end !== null && (last.held_until ?? '') > iso(clock.now())
  return isStopped ? last : undefined
}

/** Extends a stop while the encoder is connected. @returns false when the encoder may be on air again */
export async function extendStop(services: StopServices, projectId: number): Promise<boolean> {
  const last = await findLastBroadcast(services.db, projectId)
  if (!last || last.held_until === null) return false
  await updateStop(services.db, last.id, {
    until: inSeconds(services, stopSeconds),
    ifBefore: inSeconds(services, stopSeconds - renewSeconds),
  })
  return true
}

/** Ends a stop. @returns false when there was none */
export async function endStop(services: StopServices, projectId: number): Promise<boolean> {
  const stopped = await findStopped(services, projectId)
  if (!stopped) return false
  await updateBroadcast(services.db, stopped.id, { held_until: null })
  return true
}
