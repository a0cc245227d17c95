// Broadcasts in the database.
import type { Selectable } from 'kysely'
import type { BroadcastTables } from '#server/db/tables-broadcasts.ts'
import type { Db, Trx } from '#server/db/open.ts'

export type BroadcastRow = Selectable<BroadcastTables['broadcasts']>
export type RestreamRow = Selectable<BroadcastTables['restreams']>
export type EventRow = Selectable<BroadcastTables['broadcast_events']>
/** An event before it has a number. */
export type NewEvent = Pick<EventRow, 'level' | 'kind'> & Partial<Pick<EventRow, 'channel_id' | 'reason' | 'words'>>

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

/** A page of a project's broadcasts. */
export async function listBroadcasts(
  db: Db,
  projectId: number,
  page: { readonly limit: number; readonly offset: number; readonly order: 'asc' | 'desc' },
) {
  const rows = await db
    .selectFrom('broadcasts')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id', page.order)
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await db
    .selectFrom('broadcasts')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** Where broadcasts went. */
export async function listRestreams(db: Db | Trx, broadcastIds: readonly number[]): Promise<RestreamRow[]> {
  if (broadcastIds.length === 0) return []
  return db.selectFrom('restreams').selectAll().where('broadcast_id', 'in', broadcastIds).orderBy('id').execute()
}

/** Notes what happened. */
export async function insertEvent(trx: Trx, broadcastId: number, at: string, event: NewEvent): Promise<void> {
  const { level, kind, channel_id = null, reason = null, words = null } = event
  await trx
    .insertInto('broadcast_events')
    .values({ broadcast_id: broadcastId, channel_id, level, kind, reason, words, date_create: at })
    .execute()
}

/** A page of what happened in a broadcast. */
export async function listEvents(
  db: Db,
  broadcastId: number,
  page: {
    readonly level: string | undefined
    readonly limit: number
    readonly offset: number
    readonly order: 'asc' | 'desc'
  },
) {
  const { level } = page
  const from = db
    .selectFrom('broadcast_events')
    .where('broadcast_id', '=', broadcastId)
    .$if(level !== undefined, (query) => query.where('level', '=', level as EventRow['level']))
  const rows = await from.selectAll().orderBy('id', page.order).limit(page.limit).offset(page.offset).execute()
  const { total } = await from.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** What came in during a broadcast, at the finest step that is still kept. */
export const listSamples = (db: Db, broadcastId: number) =>
  db
    .selectFrom('broadcast_samples')
    .select(['at', 'step', 'kbps', 'fps'])
    .where('broadcast_id', '=', broadcastId)
    .orderBy('at')
    .execute()
