// What the platform of a channel shows of a broadcast: the rule, and its events and notifications.
import type { PlatformSight } from '#contract/entities/on-air.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { closeIncident, openIncident } from '#server/domain/notifications/incidents.ts'
import { insertEvent } from './events-store.ts'

/** What a platform shows. Times are milliseconds since 1970. */
export interface Seen {
  readonly state: PlatformSight
  readonly since: number
  /** Last answer of the platform. */
  readonly checked: number
  /** Answers in a row that the channel is not on air there. */
  readonly misses: number
}

/** An answer of a platform; null: none, or it says nothing about it. */
export type Sight = boolean | null

/** Time from the first live state until a missing broadcast counts: platforms show a stream late, milliseconds. */
const patienceMs: Readonly<Record<string, number>> = { youtube: 60_000, vk: 60_000 }
const usualPatienceMs = 120_000
/** Answers in a row that count. */
const missesMin = 2
/** An answer is good for this time, milliseconds. */
const goodMs = 300_000

/**
 * Returns what a platform shows after an answer.
 * @param live of the channel: its platform, and when it was first live, milliseconds
 */
export function sight(
  before: Seen | null,
  answer: Sight,
  { type, liveAt, now }: { readonly type: string; readonly liveAt: number; readonly now: number },
): Seen | null {
  if (answer === null) return before !== null && now - before.checked <= goodMs ? before : null
  const known = before?.state ?? 'unknown'
  const misses = answer ? 0 : (before?.misses ?? 0) + 1
  const wasShown = known === 'seen' || known === 'ended_there'
  const isPatient = now - liveAt < (patienceMs[type] ?? usualPatienceMs)
  const missing = wasShown ? ('ended_there' as const) : isPatient ? known : ('not_seen' as const)
  const state = answer ? 'seen' : misses >= missesMin ? missing : known
  return { state, since: state === known && before ? before.since : now, checked: now, misses }
}

/** The platform said once that nothing is on air there, and the next answer decides. */
export const isInDoubt = (seen: Seen | null): boolean =>
  seen !== null && seen.misses > 0 && (seen.state === 'unknown' || seen.state === 'seen')

/** Reads the column of a restream. */
export const seenOf = ({ seen }: { readonly seen: string | null }): Seen | null =>
  seen === null ? null : (JSON.parse(seen) as Seen)

/** Returns true when viewers of the platform do not see the broadcast. */
export const isDark = (seen: Seen | null): boolean => seen?.state === 'not_seen' || seen?.state === 'ended_there'

/** A channel of a broadcast, and what its platform showed and shows. */
export interface SightChange {
  readonly projectId: number
  readonly broadcastId: number
  readonly channelId: number
  readonly name: string
  readonly before: Seen | null
  readonly now: Seen | null
}

/** Records that a platform shows a broadcast no longer, or again: one event and one notification each. */
export async function recordSight(services: Pick<Services, 'clock'>, trx: Trx, change: SightChange): Promise<void> {
  const { projectId, broadcastId, channelId, name, before, now } = change
  if ((before?.state ?? 'unknown') === (now?.state ?? 'unknown')) return
  const [was, is] = [isDark(before), isDark(now)]
  if (!was && !is) return
  const fact = { kind: 'channel_not_seen', projectId, ref: `${broadcastId}.${channelId}` } as const
  if (now?.state === 'seen' || is) {
    const kind =
      now?.state === 'seen' ? 'platform-seen' : now?.state === 'ended_there' ? 'platform-ended' : 'platform-not-seen'
    const event = { level: is ? 'warning' : 'info', kind, channel_id: channelId } as const
    await insertEvent(trx, broadcastId, iso(services.clock.now()), event)
  }
  if (!is) await closeIncident(services, trx, fact)
  else if (!was)
    await openIncident(services, trx, {
      ...fact,
      params: { broadcast_id: broadcastId, channel: name, ended: now?.state === 'ended_there' },
    })
}
