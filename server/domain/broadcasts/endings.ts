// Automatic end of a broadcast, and the reasons why its channels were not live at the end.
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import type { ReadDb } from '#server/db/open.ts'
import { type EventRow, findLastSourceLoss, listEventsOfKinds } from './events-store.ts'
import type { BroadcastRow } from './store.ts'
import { limitsOf } from '#server/domain/tariffs/plan-limits.ts'
import { streamKeyOnAir } from '#server/domain/ingest/stream-keys.ts'

/** When the relay closes a broadcast whose encoder stays away, ISO 8601; undefined while the encoder is connected. */
export async function closeDateOf(
  services: Reading<Pick<Services, 'db' | 'clock' | 'config'>>,
  { id, project_id, status }: BroadcastRow,
): Promise<string | undefined> {
  if (status !== 'lost') return undefined
  const { db } = services
  const lostAt = await findLastSourceLoss(db, id)
  const { waitMinutes } = await streamKeyOnAir(db, project_id)
  const { waitMaxMinutes } = await limitsOf(services, db, project_id)
  return lostAt && iso(later(new Date(lostAt), Math.min(waitMinutes, waitMaxMinutes) * 60_000))
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
