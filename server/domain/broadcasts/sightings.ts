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
  /** Reason in the words of the platform. */
  readonly words?: string
}

/** An answer of a platform about a broadcast. `onAir` null: no answer, or it does not tell. */
export interface Sight {
  readonly onAir: boolean | null
  /** The platform says that it is over. */
  readonly ended?: boolean | undefined
  readonly words?: string | undefined
}

/** Time from the first live state until a missing broadcast counts: platforms show a stream late, milliseconds. */
const patienceMs: Readonly<Record<string, number>> = { youtube: 60_000, vk: 60_000 }
const usualPatienceMs = 120_000
/** Age of a live channel at the first request, and the time between further ones until the platform shows it, milliseconds. */
const firstAskMs = 20_000
const askEveryMs = 20_000
/** Time between the last requests, after the patience, milliseconds. */
const certainMs = 3_000
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
  { onAir, ended, words = before?.words }: Sight,
  { type, liveAt, now }: { readonly type: string; readonly liveAt: number; readonly now: number },
): Seen | null {
  if (onAir === null) return before !== null && now - before.checked <= goodMs ? before : null
  const known = stateOf(before)
  const sinceOf = (state: PlatformSight) => (state === known && before ? before.since : now)
  if (onAir) return { state: 'seen', since: sinceOf('seen'), checked: now, misses: 0 }
  const misses = (before?.misses ?? 0) + 1
  const wasShown = known === 'seen' || known === 'ended_there' || ended === true
  const missing = wasShown ? ('ended_there' as const) : isPatient(type, now - liveAt) ? known : ('not_seen' as const)
  const state = misses >= missesMin ? missing : known
  return { state, since: sinceOf(state), checked: now, misses, ...(words !== undefined && { words }) }
}

const stateOf = (seen: Seen | null): PlatformSight => seen?.state ?? 'unknown'

const isPatient = (type: string, ageMs: number): boolean => ageMs < (patienceMs[type] ?? usualPatienceMs)

/** The platform said that nothing is on air there, and the next answer may decide. */
const isInDoubt = (seen: Seen | null): boolean =>
  seen !== null && seen.misses > 0 && (seen.state === 'unknown' || seen.state === 'seen')

/** Returns whether a live channel is requested between the counts of its viewers: it was not shown yet, or its platform said no once. */
export function isAskedSoon(
  seen: Seen | null,
  { type, liveAt, now }: { readonly type: string; readonly liveAt: number; readonly now: number },
): boolean {
  const age = now - liveAt
  if (isInDoubt(seen)) return now - (seen?.checked ?? 0) >= (isPatient(type, age) ? askEveryMs - certainMs : certainMs)
  // A platform that never answers is requested three times.
  const round = Math.floor((age - firstAskMs) / (askEveryMs / 2))
  return seen === null && round >= 0 && round <= 4 && round % 2 === 0
}

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

const eventKinds = { seen: 'platform-seen', not_seen: 'platform-not-seen', ended_there: 'platform-ended' } as const

/** Records that a platform shows a broadcast no longer, or again: one event and one notification each. */
export async function recordSight(services: Pick<Services, 'clock'>, trx: Trx, change: SightChange): Promise<void> {
  const { projectId, broadcastId, channelId, name, before, now } = change
  const state = stateOf(now)
  if (state === stateOf(before)) return
  const [was, is] = [isDark(before), isDark(now)]
  if (!was && !is) return
  const fact = { kind: 'channel_not_seen', projectId, ref: `${broadcastId}.${channelId}` } as const
  if (state !== 'unknown') {
    const event = { level: is ? 'warning' : 'info', kind: eventKinds[state], channel_id: channelId } as const
    await insertEvent(trx, broadcastId, iso(services.clock.now()), event)
  }
  if (!is) await closeIncident(services, trx, fact)
  else if (!was)
    await openIncident(services, trx, {
      ...fact,
      params: {
        broadcast_id: broadcastId,
        channel: name,
        ended: state === 'ended_there',
        words: now?.words || undefined,
      },
    })
}
