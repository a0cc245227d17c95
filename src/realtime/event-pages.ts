// Inserts a new event into the open pages of events.
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'

/** Filters of a page that matter for insertion. */
export interface EventQuery {
  readonly broadcast_id?: number
  readonly level?: string
  readonly platform?: string
  readonly channels?: readonly number[]
  readonly offset?: number
  readonly limit?: number
  readonly sort_by_date?: 'asc' | 'desc'
  readonly [other: string]: unknown
}

export interface EventPage {
  readonly results: readonly BroadcastEvent[]
  readonly total: number
  readonly limit: number
}

const understood = ['project_id', 'broadcast_id', 'level', 'platform', 'channels', 'offset', 'limit', 'sort_by_date']

/** Returns whether a page with these filters shows this event. `unknown`: only the service can tell. */
export function mayHold(query: EventQuery, event: BroadcastEvent): boolean | 'unknown' {
  if (query.level !== undefined && query.level !== event.level) return false
  if (query.platform !== undefined && query.platform !== event.platform) return false
  if (query.channels && !query.channels.includes(event.channel?.id ?? 0)) return false
  const others = Object.keys(query).filter((name) => query[name] !== undefined && !understood.includes(name))
  return others.length > 0 || (query.offset ?? 0) > 0 ? 'unknown' : true
}

/** The page with the event in its place, once; a repetition replaces the previous one. */
export function addEvent({ sort_by_date = 'desc' }: EventQuery, page: EventPage, event: BroadcastEvent): EventPage {
  const known = page.results.find(({ id }) => id === event.id)
  if (known) {
    const isNewer = (event.count ?? 1) > (known.count ?? 1)
    return isNewer ? { ...page, results: page.results.map((one) => (one === known ? event : one)) } : page
  }
  // It repeats an event of another page.
  if (page.results.some(({ id }) => id > event.id) && event.count !== undefined) return page
  const sign = sort_by_date === 'asc' ? 1 : -1
  const results = [...page.results, event]
    .toSorted((a, b) => sign * (a.created_at.localeCompare(b.created_at) || a.id - b.id))
    .slice(0, page.limit)
  return { ...page, results, total: page.total + 1 }
}
