// What happened in a broadcast, page by page. A page begins where the one before ended, whatever happens in between.
import type { Db } from '#server/db/open.ts'
import { iso } from '#server/core/clock.ts'
import type { EventRow } from './store.ts'

/** Which events, and from where on. Dates are ISO 8601 with any offset. */
export interface EventSearch {
  readonly channels?: readonly number[] | undefined
  readonly level?: string | undefined
  readonly platform?: string | undefined
  readonly app?: string | undefined
  /** Names of relay nodes. */
  readonly nodes?: readonly string[] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
  /** The last event of the page before. */
  readonly after?: { readonly id: number; readonly date: string | undefined } | undefined
}

/** A moment as the database has it. */
export const moment = (text: string): string => iso(new Date(text))

/** A page of events by the time they happened, and how many there are in all of them. */
export async function listEvents(db: Db, broadcastId: number, search: EventSearch) {
  const { limit, offset, order, after } = search
  const found = matching(db, broadcastId, search)
  const date = after && (after.date ? moment(after.date) : await dateOf(db, broadcastId, after.id))
  const sign = order === 'asc' ? '>' : '<'
  const rows = await found
    .$if(date !== undefined, (query) =>
      query.where((eb) => eb(eb.refTuple('date_create', 'id'), sign, eb.tuple(date ?? '', after?.id ?? 0))),
    )
    .selectAll()
    .orderBy('date_create', order)
    .orderBy('id', order)
    // One more says whether there are more.
    .limit(limit + 1)
    .offset(offset)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const page = rows.slice(0, limit)
  return { rows: page, total: Number(total), next: rows.length > limit ? page.at(-1) : undefined }
}

/** One event of a project's broadcasts. */
export const findEvent = (db: Db, projectId: number, id: number) =>
  db
    .selectFrom('broadcast_events as event')
    .innerJoin('broadcasts', 'broadcasts.id', 'event.broadcast_id')
    .selectAll('event')
    .where('broadcasts.project_id', '=', projectId)
    .where('event.id', '=', id)
    .executeTakeFirst()

/** The first moment is the date of an event that is not there: then everything comes after it, or nothing. */
async function dateOf(db: Db, broadcastId: number, id: number): Promise<string> {
  const row = await db
    .selectFrom('broadcast_events')
    .select('date_create')
    .where('broadcast_id', '=', broadcastId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.date_create ?? ''
}

function matching(db: Db, broadcastId: number, search: EventSearch) {
  const { channels, level, platform, app, nodes, from, to } = search
  return (
    db
      .selectFrom('broadcast_events')
      .where('broadcast_id', '=', broadcastId)
      .$if(level !== undefined, (query) => query.where('level', '=', level as EventRow['level']))
      .$if(channels !== undefined, (query) => query.where('channel_id', 'in', channels ?? []))
      .$if(nodes !== undefined, (query) => query.where('node', 'in', nodes ?? []))
      .$if(from !== undefined, (query) => query.where('date_create', '>=', moment(from ?? '')))
      .$if(to !== undefined, (query) => query.where('date_create', '<', moment(to ?? '')))
      // Encoders are the only source.
      .$if(app !== undefined && app !== 'live', (query) => query.where('id', '<', 0))
      .$if(platform !== undefined, (query) =>
        query.where('channel_id', 'in', (eb) =>
          eb
            .selectFrom('restreams')
            .select('channel_id')
            .where('broadcast_id', '=', broadcastId)
            .where('type', '=', platform ?? ''),
        ),
      )
  )
}
