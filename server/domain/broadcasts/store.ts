// Broadcasts in the database.
import type { Selectable } from 'kysely'
import type { BroadcastTables } from '#server/db/tables-broadcasts.ts'
import type { Db, Trx } from '#server/db/open.ts'

export type BroadcastRow = Selectable<BroadcastTables['broadcasts']>
/** A restream, with the picture that its channel has now. */
export type RestreamRow = Selectable<BroadcastTables['restreams']> & { readonly photo: string | null }
export type EventRow = Selectable<BroadcastTables['broadcast_events']>
/** An event before it has a number. */
export type NewEvent = Pick<EventRow, 'level' | 'kind'> &
  Partial<Pick<EventRow, 'channel_id' | 'reason' | 'words' | 'node'>>

/** The broadcast that a project has on air. */
export const findOnAir = (db: Db | Trx, projectId: number): Promise<BroadcastRow | undefined> =>
  db
    .selectFrom('broadcasts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('date_end', 'is', null)
    .executeTakeFirst()

/** A broadcast of a project. */
export const findBroadcast = (db: Db, projectId: number, id: number): Promise<BroadcastRow | undefined> =>
  db.selectFrom('broadcasts').selectAll().where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()

/** Project of a broadcast; undefined when there is no such broadcast. */
export async function projectOfBroadcast(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('broadcasts').select('project_id').where('id', '=', id).executeTakeFirst()
  return row?.project_id
}

/** Which broadcasts of a project somebody looks for, and which page of them. Times are ISO 8601, UTC. */
export interface BroadcastSearch {
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Type of a channel that it went to. */
  readonly platform?: string | undefined
}

/** A page of a project's broadcasts. */
export async function listBroadcasts(db: Db, projectId: number, { from, to, platform, ...page }: BroadcastSearch) {
  const found = db
    .selectFrom('broadcasts')
    .where('project_id', '=', projectId)
    .$if(from !== undefined, (query) => query.where('date_create', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('date_create', '<', to ?? ''))
    .$if(platform !== undefined, (query) =>
      query.where('id', 'in', (eb) =>
        eb
          .selectFrom('restreams')
          .select('broadcast_id')
          .where('type', '=', platform ?? ''),
      ),
    )
  const rows = await found.selectAll().orderBy('id', page.order).limit(page.limit).offset(page.offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** Where broadcasts went. */
export async function listRestreams(db: Db | Trx, broadcastIds: readonly number[]): Promise<RestreamRow[]> {
  if (broadcastIds.length === 0) return []
  return db
    .selectFrom('restreams')
    .leftJoin('channels', 'channels.id', 'restreams.channel_id')
    .selectAll('restreams')
    .select('channels.photo')
    .where('broadcast_id', 'in', broadcastIds)
    .orderBy('restreams.id')
    .execute()
}

/** An event that repeats within this time is counted in its row, milliseconds. */
const repeatMs = 600_000
/** How many rows of a channel are looked at: a channel that falls and comes back has two kinds of event in turns. */
const repeatRows = 2

/** Notes what happened to a channel. A repetition of one of its last events raises the count of that row. */
export async function insertRepeated(
  trx: Trx,
  broadcastId: number,
  at: string,
  event: NewEvent & { readonly channel_id: number },
): Promise<void> {
  const last = await trx
    .selectFrom('broadcast_events')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .where('channel_id', '=', event.channel_id)
    .orderBy('id', 'desc')
    .limit(repeatRows)
    .execute()
  const since = new Date(Date.parse(at) - repeatMs).toISOString()
  const same = last.find(
    ({ kind, reason, words, date_create, date_last }) =>
      kind === event.kind &&
      reason === (event.reason ?? null) &&
      words === (event.words ?? null) &&
      (date_last ?? date_create) >= since,
  )
  if (!same) return insertEvent(trx, broadcastId, at, event)
  const values = { count: same.count + 1, date_last: at }
  await trx.updateTable('broadcast_events').set(values).where('id', '=', same.id).execute()
}

/** Notes what happened. */
export async function insertEvent(trx: Trx, broadcastId: number, at: string, event: NewEvent): Promise<void> {
  const { level, kind, channel_id = null, reason = null, words = null, node = null } = event
  await trx
    .insertInto('broadcast_events')
    .values({ broadcast_id: broadcastId, channel_id, level, kind, reason, words, node, date_create: at })
    .execute()
}
