// A new event in the pages of events that are open.
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'

/** What a page was asked with, as far as it matters here. */
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

/** Does a page that was asked for so show this event? `unknown`: only the service knows. */
export function mayHold(query: EventQuery, event: BroadcastEvent): boolean | 'unknown' {
  if (query.level !== undefined && query.level !== event.level) return false
  if (query.platform !== undefined && query.platform !== event.platform) return false
  if (query.channels && !query.channels.includes(event.channel?.id ?? 0)) return false
  const others = Object.keys(query).filter((name) => query[name] !== undefined && !understood.includes(name))
  return others.length > 0 || (query.offset ?? 0) > 0 ? 'unknown' : true
}

/** The page with the event in its place, once; a repetition takes the place of the one before. */
export function addEvent({ sort_by_date = 'desc' }: EventQuery, page: EventPage, event: BroadcastEvent): EventPage {
  const known = page.results.find(({ id }) => id === event.id)
  if (known) {
    const isNewer = (event.count ?? 1) > (known.count ?? 1)
    return isNewer ? { ...page, results: page.results.map((one) => (one === known ? event : one)) } : page
  }
  // It repeats one that stands on another page.
  if (page.results.some(({ id }) => id > event.id) && event.count !== undefined) return page
  const sign = sort_by_date === 'asc' ? 1 : -1
  const results = [...page.results, event]
    .toSorted((a, b) => sign * (a.created_at.localeCompare(b.created_at) || a.id - b.id))
    .slice(0, page.limit)
  return { ...page, results, total: page.total + 1 }
}
