// Screen reader announcements for the changes between two statuses.
import type { BroadcastStatus, OnAir, RestreamState } from '#contract/entities/on-air.ts'

/** An announcement: a key below `home:announce`, and the name of its channel. */
export interface Announcement {
  readonly key: string
  readonly name?: string
}

// Connecting channels and those that a user switched off are not announced.
const announced: Readonly<Partial<Record<RestreamState, string>>> = {
  live: 'live',
  degraded: 'degraded',
  backoff: 'backoff',
  rejected: 'rejected',
}

// Changes of the broadcast's state, except the recovery of a lost source.
const turns: Readonly<Record<string, string>> = {
  'active lost': 'lost',
  'pause lost': 'lost',
  'active pause': 'paused',
  'pause active': 'resumed',
}

/** What is on air after a loss. */
function returned({ kind, backup }: OnAir): string {
  if (kind === 'scheduler') return 'play'
  return backup === 'on_air' ? 'backup' : 'back'
}

/** Announcements of a change. Empty for the first status: the page itself shows it. `VerdictNote` announces faults. */
export function announcementsOf(
  before: BroadcastStatus | undefined,
  after: BroadcastStatus | undefined,
): Announcement[] {
  if (!before || !after) return []
  if (after.kind === 'inactive') return before.kind !== 'inactive' ? [{ key: 'offAir' }] : []
  const isNew = before.kind === 'inactive'
  const first: Announcement[] = isNew ? [{ key: 'onAir' }] : []
  if (!isNew && before.status !== after.status)
    first.push({ key: turns[`${before.status} ${after.status}`] ?? returned(after) })
  const was = new Map((isNew ? [] : before.restreams).map(({ id, state }) => [id, state]))
  const rest = after.restreams.flatMap(({ id, state, name = '' }) => {
    const key = state && state !== was.get(id) ? announced[state] : undefined
    return key ? [{ key, name }] : []
  })
  return [...first, ...rest]
}
