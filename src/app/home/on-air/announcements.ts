// What is worth saying aloud between two looks at what is on air.
import type { BroadcastStatus, RestreamState } from '#contract/entities/on-air.ts'

/** A sentence: a key below `home:say`, and the channel that it is about. */
export interface Saying {
  readonly key: string
  readonly name?: string
}

// A channel on its way, and one that a person switched off, is no news.
const told: Readonly<Partial<Record<RestreamState, string>>> = {
  live: 'live',
  degraded: 'degraded',
  backoff: 'backoff',
  rejected: 'rejected',
}

// From one state of the whole broadcast to another; the way back from a loss is the rest.
const turns: Readonly<Record<string, string>> = {
  'active lost': 'lost',
  'pause lost': 'lost',
  'active pause': 'paused',
  'lost pause': 'back',
  'pause active': 'resumed',
}

/** Nothing at the first look: the page itself says how things are. */
export function sayingsOf(before: BroadcastStatus | undefined, after: BroadcastStatus | undefined): Saying[] {
  if (!before || !after) return []
  if (after.kind === 'inactive') return before.kind === 'live' ? [{ key: 'offAir' }] : []
  const isNew = before.kind === 'inactive'
  const first: Saying[] = isNew ? [{ key: 'onAir' }] : []
  const bitrate = isNew ? undefined : before.bitrate_state
  if (after.bitrate_state && after.bitrate_state !== bitrate && after.bitrate_state !== 'fine')
    first.push({ key: after.bitrate_state === 'high' ? 'bitrateHigh' : 'bitrateRefused' })
  if (!isNew && before.status !== after.status) first.push({ key: turns[`${before.status} ${after.status}`] ?? 'back' })
  const was = new Map((isNew ? [] : before.restreams).map(({ id, state }) => [id, state]))
  const rest = after.restreams.flatMap(({ id, state, name = '' }) => {
    const key = state && state !== was.get(id) ? told[state] : undefined
    return key ? [{ key, name }] : []
  })
  return [...first, ...rest]
}
