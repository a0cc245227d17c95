// SQL of broadcast events.
import { type Selectable, sql } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { BroadcastTables } from '#server/db/tables-broadcasts.ts'

export type EventRow = Selectable<BroadcastTables['broadcast_events']>
/** An event to insert. */
export type NewEvent = Pick<EventRow, 'level' | 'kind'> &
  Partial<Pick<EventRow, 'channel_id' | 'reason' | 'words' | 'node'>>

/** Filters and page of a search for events. Dates are ISO 8601, UTC. */
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
  /** Keyset cursor: the last event of the previous page. */
  readonly after?: { readonly id: number; readonly date: string } | undefined
}

/** Returns a page of the events of a broadcast in order of time, and how many match in all. */
export async function listEvents(db: ReadDb, broadcastId: number, search: EventSearch) {
  const { limit, offset, order, after } = search
  const found = matching(db, broadcastId, search)
  const sign = order === 'asc' ? '>' : '<'
  const rows = await found
    .$if(after !== undefined, (query) =>
      query.where((eb) => eb(eb.refTuple('date_create', 'id'), sign, eb.tuple(after?.date ?? '', after?.id ?? 0))),
    )
    .selectAll()
    .orderBy('date_create', order)
    .orderBy('id', order)
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(found) }
}

/** Kinds of events about scheduled files; the others are about encoders and channels. */
export const playKinds: readonly string[] = ['play-on', 'play-skipped']

function matching(db: ReadDb, broadcastId: number, search: EventSearch) {
  const { channels, level, platform, app, nodes, from, to } = search
  return db
    .selectFrom('broadcast_events')
    .where('broadcast_id', '=', broadcastId)
    .$if(level !== undefined, (query) => query.where('level', '=', level as EventRow['level']))
    .$if(channels !== undefined, (query) => query.where('channel_id', 'in', channels ?? []))
    .$if(nodes !== undefined, (query) => query.where('node', 'in', nodes ?? []))
    .$if(from !== undefined, (query) => query.where('date_create', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('date_create', '<', to ?? ''))
    .$if(app !== undefined, (query) =>
      app === 'scheduler' || app === 'live'
        ? query.where('kind', app === 'live' ? 'not in' : 'in', playKinds)
        : // Transcoders have no events of their own.
          query.where('id', '<', 0),
    )
    .$if(platform !== undefined, (query) =>
      query.where('channel_id', 'in', (eb) =>
        eb
          .selectFrom('restreams')
          .select('channel_id')
          .where('broadcast_id', '=', broadcastId)
          .where('type', '=', platform ?? ''),
      ),
    )
}

/** Returns the date of an event of a broadcast. */
export async function findEventDate(db: ReadDb, broadcastId: number, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('broadcast_events')
    .select('date_create')
    .where('broadcast_id', '=', broadcastId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.date_create
}

/** Returns an event of a project. */
export const findEvent = (db: ReadDb, projectId: number, id: number) =>
  db
    .selectFrom('broadcast_events as event')
    .innerJoin('broadcasts', 'broadcasts.id', 'event.broadcast_id')
    .selectAll('event')
    .where('broadcasts.project_id', '=', projectId)
    .where('event.id', '=', id)
    .executeTakeFirst()

/** Returns the last loss of the encoder of a broadcast: its date and reason. */
export const findLastSourceLoss = (db: ReadDb, broadcastId: number) =>
  db
    .selectFrom('broadcast_events')
    .select(['date_create', 'reason'])
    .where('broadcast_id', '=', broadcastId)
    .where('kind', '=', 'source-lost')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns the events of these kinds, in the order of their last repetition. */
export const listEventsOfKinds = (db: ReadDb, broadcastId: number, kinds: readonly string[]) =>
  db
    .selectFrom('broadcast_events')
    .select(['channel_id', 'kind', 'reason', 'words'])
    .where('broadcast_id', '=', broadcastId)
    .where('kind', 'in', kinds)
    .orderBy(({ fn }) => fn.coalesce('date_last', 'date_create'))
    .orderBy('id')
    .execute()

/** Returns the events of broadcasts that are newer than an event, and the repeated ones. */
export async function listEventsSince(
  db: ReadDb,
  broadcastIds: readonly number[],
  afterId: number,
): Promise<readonly EventRow[]> {
  if (broadcastIds.length === 0) return []
  const events = db.selectFrom('broadcast_events').selectAll().where('broadcast_id', 'in', broadcastIds)
  // Each part has its own index; a literal, because the partial index does not match a bound value.
  const repeated = events.where('id', '<=', afterId).where('count', '>', sql.lit(1))
  return events.where('id', '>', afterId).unionAll(repeated).orderBy('id').execute()
}

/** Returns the last events of a channel in a broadcast, newest first. */
export const listLastEvents = (
  trx: ReadDb,
  {
    broadcastId,
    channelId,
    limit,
  }: { readonly broadcastId: number; readonly channelId: number; readonly limit: number },
): Promise<EventRow[]> =>
  trx
    .selectFrom('broadcast_events')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .where('channel_id', '=', channelId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Returns the number of warnings and errors of each broadcast. */
export const countTroubles = (db: ReadDb, broadcastIds: readonly number[]) =>
  db
    .selectFrom('broadcast_events')
    .select(['broadcast_id', 'level', (eb) => eb.fn.countAll<number>().as('count')])
    .where('broadcast_id', 'in', broadcastIds)
    .where('level', 'in', ['warning', 'error'])
    .groupBy(['broadcast_id', 'level'])
    .execute()

/** Inserts an event. @param at ISO 8601 */
export async function insertEvent(trx: Trx, broadcastId: number, at: string, event: NewEvent): Promise<void> {
  const { level, kind, channel_id = null, reason = null, words = null, node = null } = event
  await trx
    .insertInto('broadcast_events')
    .values({ broadcast_id: broadcastId, channel_id, level, kind, reason, words, node, date_create: at })
    .execute()
}

/** Updates the count and the last date of a repeated event. */
export async function updateRepetition(
  trx: Trx,
  id: number,
  change: Pick<EventRow, 'count' | 'date_last'>,
): Promise<void> {
  await trx.updateTable('broadcast_events').set(change).where('id', '=', id).execute()
}
