// SQL of broadcasts and their restreams.
import { type Insertable, type JoinBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { countRows, databaseNow } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { BroadcastTables } from '#server/db/tables-broadcasts.ts'

export type BroadcastRow = Selectable<Tables['broadcasts']>
type BroadcastChange = Updateable<Tables['broadcasts']>

/** Returns the broadcast that a project has on air. */
export const findOnAir = (db: ReadDb, projectId: number): Promise<BroadcastRow | undefined> =>
  db
    .selectFrom('broadcasts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('date_end', 'is', null)
    .executeTakeFirst()

/** Returns a broadcast that is on air. */
export const findOnAirById = (db: ReadDb, id: number): Promise<BroadcastRow | undefined> =>
  db.selectFrom('broadcasts').selectAll().where('id', '=', id).where('date_end', 'is', null).executeTakeFirst()

/** Returns a broadcast of a project. */
export const findBroadcast = (db: ReadDb, projectId: number, id: number): Promise<BroadcastRow | undefined> =>
  db.selectFrom('broadcasts').selectAll().where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()

/** Returns the latest broadcast of a project. */
export const findLastBroadcast = (db: ReadDb, projectId: number): Promise<BroadcastRow | undefined> =>
  db
    .selectFrom('broadcasts')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns the latest broadcast of a project that began at or before a time, ISO 8601. */
export async function findBroadcastIdAt(trx: ReadDb, projectId: number, at: string): Promise<number | undefined> {
  const row = await trx
    .selectFrom('broadcasts')
    .select('id')
    .where('project_id', '=', projectId)
    .where('date_create', '<=', at)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.id
}

/** Returns the project of a broadcast; undefined when there is no such broadcast. */
export async function findProjectOfBroadcast(db: ReadDb, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('broadcasts').select('project_id').where('id', '=', id).executeTakeFirst()
  return row?.project_id
}

/** Filters and page of a search for broadcasts. Times are ISO 8601, UTC. */
export interface BroadcastSearch {
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Type of a channel that received the broadcast. */
  readonly platform?: string | undefined
}

/** Returns a page of a project's broadcasts, and how many match in all. */
export async function listBroadcasts(db: ReadDb, projectId: number, { from, to, platform, ...page }: BroadcastSearch) {
  const found = db
    .selectFrom('broadcasts')
    .where('project_id', '=', projectId)
    .$if(from !== undefined, (query) => query.where('date_create', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('date_create', '<', to ?? ''))
    .$if(platform !== undefined, (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('restreams')
            .select('restreams.id')
            .whereRef('restreams.broadcast_id', '=', 'broadcasts.id')
            .where('restreams.type', '=', platform ?? ''),
        ),
      ),
    )
  const rows = await found.selectAll().orderBy('id', page.order).limit(page.limit).offset(page.offset).execute()
  return { rows, total: await countRows(found) }
}

/** Joins the owner of a broadcast's project. */
const ownerOf = (join: JoinBuilder<Tables, 'broadcasts' | 'owners'>) =>
  join.on('owners.kind', '=', 'air').on('owners.key', '=', sql<string>`cast(broadcasts.project_id as text)`)

/** Returns the broadcasts on air whose projects a node owns. */
export const listOnAirOfNode = (trx: ReadDb, node: string): Promise<BroadcastRow[]> =>
  trx
    .selectFrom('broadcasts')
    .innerJoin('owners', ownerOf)
    .selectAll('broadcasts')
    .where('owners.holder', '=', node)
    .where('date_end', 'is', null)
    .execute()

/** Returns the broadcasts that ended because their node was unreachable, of projects that the node has under the same epoch. */
export async function listLost(trx: ReadDb, node: string, projects: readonly number[]): Promise<BroadcastRow[]> {
  if (projects.length === 0) return []
  return trx
    .selectFrom('broadcasts')
    .innerJoin('owners', ownerOf)
    .selectAll('broadcasts')
    .where('owners.holder', '=', node)
    .whereRef('broadcasts.lost_epoch', '=', 'owners.epoch')
    .where('project_id', 'in', projects)
    .orderBy('id')
    .execute()
}

/** Returns the broadcasts on air whose lease expired longer ago than `ms`, each with its owner and epoch. */
export const listExpired = (db: ReadDb, ms: number) =>
  db
    .selectFrom('broadcasts')
    .innerJoin('owners', ownerOf)
    .selectAll('broadcasts')
    .select(['owners.holder as owner', 'owners.epoch'])
    .where('date_end', 'is', null)
    .where('until', '<', sql<number>`${databaseNow(db)} - cast(${ms} as integer)`)
    .execute()

/** Raises the number of the last report of a node. @returns false for a report that was handled before */
export async function updateLastReport(trx: Trx, name: string, seq: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('relay_nodes')
    .values({ name, seq })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ seq }).where('relay_nodes.seq', '<', seq))
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** Inserts a broadcast that is on air. @returns its id */
export async function insertBroadcast(
  trx: Trx,
  row: Pick<BroadcastRow, 'project_id' | 'node' | 'encoder' | 'address' | 'date_create' | 'play'>,
): Promise<number> {
  const { id } = await trx
    .insertInto('broadcasts')
    .values({ ...row, status: 'active', reconnects: 0, sample: null, date_end: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Updates a broadcast. */
export async function updateBroadcast(db: Db | Trx, id: number, change: BroadcastChange): Promise<void> {
  await db.updateTable('broadcasts').set(change).where('id', '=', id).execute()
}

/** Updates a broadcast unless it is over. */
export async function updateOnAir(db: Db | Trx, id: number, change: BroadcastChange): Promise<void> {
  await db.updateTable('broadcasts').set(change).where('id', '=', id).where('date_end', 'is', null).execute()
}

/**
 * Pauses or resumes a broadcast on air.
 * @param pausedAt ISO 8601; null: resumes
 * @returns false when it is over, or in that state already
 */
export async function updatePause(trx: Trx, id: number, pausedAt: string | null): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('broadcasts')
    .set({ date_pause: pausedAt })
    .where('id', '=', id)
    .where('date_end', 'is', null)
    .where('date_pause', pausedAt === null ? 'is not' : 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Extends the stop of a broadcast, if it ends before `ifBefore`. Times are ISO 8601. */
export async function updateStop(
  db: Db,
  id: number,
  { until, ifBefore }: { readonly until: string; readonly ifBefore: string },
): Promise<void> {
  await db
    .updateTable('broadcasts')
    .set({ held_until: until })
    .where('id', '=', id)
    .where('held_until', '<', ifBefore)
    .execute()
}

// SQL of restreams: the channels that received a broadcast.

/** A restream, with the current photo of its channel. */
export type RestreamRow = Selectable<BroadcastTables['restreams']> & { readonly photo: string | null }

/** Returns the restreams of broadcasts. */
export async function listRestreams(db: ReadDb, broadcastIds: readonly number[]): Promise<RestreamRow[]> {
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

/** Inserts a restream. */
export async function insertRestream(trx: Trx, row: Insertable<BroadcastTables['restreams']>): Promise<void> {
  await trx.insertInto('restreams').values(row).execute()
}

/** Updates a restream. */
export async function updateRestream(
  trx: Trx,
  id: number,
  change: Updateable<BroadcastTables['restreams']>,
): Promise<void> {
  await trx.updateTable('restreams').set(change).where('id', '=', id).execute()
}

/** Updates the page of a restream at its platform. */
export async function updateRestreamUrl(
  db: Db | Trx,
  { broadcastId, channelId }: { readonly broadcastId: number; readonly channelId: number },
  url: string | null,
): Promise<void> {
  await db
    .updateTable('restreams')
    .set({ url })
    .where('broadcast_id', '=', broadcastId)
    .where('channel_id', '=', channelId)
    .execute()
}

/** A restream of a broadcast on air, and what identifies it at its platform. */
export type CountedRow = Selectable<BroadcastTables['restreams']> & {
  readonly project_id: number
  readonly account_id: number | null
  readonly external_id: string | null
  /** Id that the platform gave the broadcast, where it assigns one. */
  readonly video_id: string | null
  /** 1: a new broadcast is made when the platform shows the old one no longer; null: the channel was removed. */
  readonly healing: 0 | 1 | null
}

const onAir = (db: ReadDb) =>
  db
    .selectFrom('restreams')
    .innerJoin('broadcasts', 'broadcasts.id', 'restreams.broadcast_id')
    .leftJoin('channels', 'channels.id', 'restreams.channel_id')
    .where('broadcasts.date_end', 'is', null)
    .where('broadcasts.status', '=', 'active')

/** Returns the restreams on air whose viewers are counted, or were. */
export const listCounted = (db: ReadDb): Promise<CountedRow[]> =>
  onAir(db)
    .leftJoin('broadcast_targets as target', (join) =>
      join
        .onRef('target.broadcast_id', '=', 'restreams.broadcast_id')
        .onRef('target.channel_id', '=', 'restreams.channel_id'),
    )
    .leftJoin('project_channels as link', (join) =>
      join.onRef('link.project_id', '=', 'broadcasts.project_id').onRef('link.channel_id', '=', 'restreams.channel_id'),
    )
    .selectAll('restreams')
    .select(['broadcasts.project_id', 'channels.account_id', 'channels.external_id', 'target.video_id', 'link.healing'])
    .where((eb) => eb.or([eb('channels.account_id', 'is not', null), eb('restreams.viewers', 'is not', null)]))
    .orderBy('restreams.id')
    .execute()

/** Returns the accounts of the channels on air. */
export const listCountedAccounts = (db: ReadDb) =>
  db
    .selectFrom('platform_accounts')
    .selectAll()
    .where('id', 'in', onAir(db).select('channels.account_id').where('channels.account_id', 'is not', null))
    .execute()

/** Rows of one statement: both databases limit the number of bound values. */
const rowsAtOnce = 1_000

/** Updates the viewers of restreams, their maximum, what the platforms show, and their pages where these are known. */
export async function updateViewers(
  trx: Trx,
  rows: readonly {
    readonly id: number
    readonly viewers: number | null
    readonly page: string | null
    readonly seen: string | null
  }[],
): Promise<void> {
  for (let index = 0; index < rows.length; index += rowsAtOnce) {
    const values = rows
      .slice(index, index + rowsAtOnce)
      .map(
        ({ id, viewers, page, seen }) =>
          sql`(cast(${id} as integer), cast(${viewers} as integer), cast(${page} as text), cast(${seen} as text))`,
      )
    await sql`update restreams set viewers = row.column2, url = coalesce(row.column3, restreams.url), seen = row.column4,
      viewers_max = case when row.column2 > coalesce(restreams.viewers_max, -1) then row.column2 else restreams.viewers_max end
      from (values ${sql.join(values)}) as row where restreams.id = row.column1`.execute(trx)
  }
}
