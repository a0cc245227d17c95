// Events as the wire shows them, for one broadcast and for analytics.
import type { BroadcastEvent, EventPage } from '#contract/entities/broadcast.ts'
import type { Language } from '#contract/core/wire.ts'
import type { Services } from '#server/core/context.ts'
import { presentCountry } from '#server/domain/account/countries.ts'
import { searchEvents } from './events.ts'
import { listNodes, type NodeLocation } from '#server/domain/ingest/servers.ts'
import type { EventRow } from './events-store.ts'
import { listRestreams, type RestreamRow } from './restreams-store.ts'

/** Filters and page in the input of an operation. */
export interface EventQuery {
  readonly channels?: readonly number[] | undefined
  readonly level?: string | undefined
  readonly platform?: string | undefined
  readonly app?: string | undefined
  readonly server?: string | undefined
  readonly date_from?: string | undefined
  readonly date_to?: string | undefined
  readonly offset: number
  readonly limit: number
  readonly sort_by_date: 'asc' | 'desc'
  readonly cursor_id?: number | undefined
  readonly cursor_datetime?: string | undefined
}

/** Returns a page of the events of one broadcast. */
export async function pageOfEvents(
  { db, language }: Pick<Services, 'db'> & { readonly language: Language },
  broadcastId: number,
  query: EventQuery,
): Promise<EventPage> {
  const { server, date_from: from, date_to: to, limit, offset, sort_by_date, cursor_id } = query
  const nodes = await listNodes(db)
  const { rows, total, next } = await searchEvents(db, broadcastId, {
    ...query,
    from,
    to,
    order: sort_by_date,
    nodes: server === undefined ? undefined : namesOf(nodes, server),
    after: cursor_id === undefined ? undefined : { id: cursor_id, date: query.cursor_datetime },
  })
  const restreams = await listRestreams(db, [broadcastId])
  return {
    results: rows.map((row) => presentEvent(row, restreams, { nodes, language })),
    total,
    limit,
    offset,
    sort_by_date,
    ...(next && { next_cursor_id: next.id, next_cursor_datetime: next.date_create }),
  }
}

/** Returns the names of nodes with a name or host. An unknown name also finds events of a removed node. */
function namesOf(nodes: readonly NodeLocation[], server: string): string[] {
  const found = nodes.filter(({ name, host }) => name === server || host === server)
  return [server, ...found.map(({ name }) => name)]
}

/** Presents an event with an English text. The dashboard translates `kind` and `reason`. */
export function presentEvent(
  row: EventRow,
  restreams: readonly RestreamRow[],
  { nodes = [], language = 'en' }: { readonly nodes?: readonly NodeLocation[]; readonly language?: Language } = {},
): BroadcastEvent {
  const channel = restreams.find((one) => one.channel_id === row.channel_id)
  const about = channel ? `${channel.name}: ` : ''
  const why = [row.reason, row.words].filter(Boolean).join(', ')
  const { id, level, kind, reason, words, count, date_last } = row
  return {
    id,
    level,
    text: `${about}${kind}${why ? ` (${why})` : ''}${count > 1 ? `, ${count} times` : ''}`,
    created_at: row.date_create,
    app: 'live',
    server: presentNode(
      nodes.find(({ name }) => name === row.node),
      language,
    ),
    platform: channel?.type ?? null,
    kind,
    reason,
    words,
    ...(date_last !== null && { count, last_at: date_last }),
    channel: channel ? { id: channel.channel_id, name: channel.name, photo: channel.photo, type: channel.type } : null,
  }
}

function presentNode(node: NodeLocation | undefined, language: Language) {
  if (!node) return null
  const { name: country_name, code: country_code } = presentCountry(node.country, language)
  return { id: node.id, country_name, country_code, city: node.city, ip: node.host }
}
