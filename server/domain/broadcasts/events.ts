// Events of a broadcast, in pages.
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import { utc } from '#server/core/clock.ts'
import {
  type EventSearch as StoredSearch,
  findEventDate,
  insertEvent,
  listEvents,
  listLastEvents,
  type NewEvent,
  updateRepetition,
} from './events-store.ts'

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
