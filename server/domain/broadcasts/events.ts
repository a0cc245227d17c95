// Events of a broadcast, in pages and as the wire shows them.
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import { utc } from '#server/core/clock.ts'
import {
  type EventRow,
  type EventSearch as StoredSearch,
  findEventDate,
  insertEvent,
  listEvents,
  listLastEvents,
  playKinds,
  type NewEvent,
  updateRepetition,
} from './events-store.ts'
import type { BroadcastEvent, EventPage } from '#contract/entities/broadcast.ts'
import type { Language } from '#contract/core/wire.ts'
import type { Services } from '#server/core/context.ts'
import { presentCountry } from '#server/domain/account/countries.ts'
import { listNodes, type NodeLocation } from '#server/domain/ingest/servers.ts'
import { listRestreams, type RestreamRow } from './store.ts'

/** Filters and page of a search for events. Dates are ISO 8601 with any offset. */
export interface EventSearch extends Omit<StoredSearch, 'after'> {
  /** Cursor: the last event of the previous page. */
  readonly after?: { readonly id: number; readonly date: string | undefined } | undefined
}

/**
 * Returns a page of events in order of time. A page continues after the cursor, even when events were added meanwhile.
 * @returns `next`: the cursor of the next page
 */
export async function searchEvents(db: Db, broadcastId: number, search: EventSearch) {
  const { limit, from, to, after } = search
  const { rows, total } = await listEvents(db, broadcastId, {
    ...search,
    from: from === undefined ? undefined : utc(from),
    to: to === undefined ? undefined : utc(to),
    after: after && { id: after.id, date: await dateOf(db, broadcastId, after) },
    // The additional row shows whether another page follows.
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  return { rows: page, total, next: rows.length > limit ? page.at(-1) : undefined }
}

/** An unknown event has the earliest date: ascending pages then begin at the first event, descending ones are empty. */
const dateOf = async (
  db: ReadDb,
  broadcastId: number,
  { id, date }: { readonly id: number; readonly date: string | undefined },
): Promise<string> => (date ? utc(date) : ((await findEventDate(db, broadcastId, id)) ?? ''))

/** An event that repeats within this time is counted in its row, milliseconds. */
const repeatMs = 600_000
/** Rows of a channel that are compared: a channel that reconnects alternates between two kinds of event. */
const repeatRows = 2

/**
 * Records an event of a channel. A repetition of one of its last events raises the count of that event. A channel that was
 * stopped begins anew: its periods on air stay apart in the history.
 */
export async function recordChannelEvent(
  trx: Trx,
  broadcastId: number,
  at: string,
  event: NewEvent & { readonly channel_id: number },
): Promise<void> {
  const rows = await listLastEvents(trx, { broadcastId, channelId: event.channel_id, limit: repeatRows })
  const stop = rows.findIndex(({ kind }) => kind === 'stopped')
  const last = stop === -1 ? rows : rows.slice(0, stop)
  const since = new Date(Date.parse(at) - repeatMs).toISOString()
  const same = last.find(
    ({ kind, reason, words, date_create, date_last }) =>
      kind === event.kind &&
      reason === (event.reason ?? null) &&
      words === (event.words ?? null) &&
      (date_last ?? date_create) >= since,
  )
  if (same) await updateRepetition(trx, same.id, { count: same.count + 1, date_last: at })
  else await insertEvent(trx, broadcastId, at, event)
}

// Events as the wire shows them, for one broadcast and for analytics.

/** Filters and page in the input of an operation. */
interface EventQuery {
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
    app: playKinds.includes(kind) ? 'scheduler' : 'live',
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
