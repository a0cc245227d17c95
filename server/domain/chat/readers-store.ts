// SQL of readers: their states, restreams that each source feeds, and watched projects.
import type { Selectable, Updateable } from 'kysely'
import type { PlatformType } from '#contract/entities/channel.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { ChatTables } from '#server/db/tables-chat.ts'
import { withChat } from './places-store.ts'

export type ReaderRow = Selectable<ChatTables['chat_readers']>

/** Returns the reader of a source, and inserts it when there is none. */
export async function upsertReader(trx: Trx, source: string, platform: PlatformType): Promise<ReaderRow> {
  const state = { state: 'connecting', reason: null, date_retry: null } as const
  return trx
    .insertInto('chat_readers')
    .values({ source, platform, cursor: null, date_gap: null, ...state })
    .onConflict((conflict) => conflict.column('source').doUpdateSet({ source }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the reader of a source with the epoch of its owner, and locks both until the transaction ends. */
export const lockReader = (trx: Trx, source: string): Promise<(ReaderRow & { readonly epoch: number }) | undefined> =>
  trx
    .selectFrom('chat_readers')
    .innerJoin('owners', (join) => join.on('kind', '=', 'chat').onRef('key', '=', 'source'))
    .selectAll('chat_readers')
    .select('epoch')
    .where('source', '=', source)
    .forUpdate()
    .executeTakeFirst()

/** Updates the reader of a source. */
export async function updateReader(
  trx: Trx,
  source: string,
  change: Updateable<ChatTables['chat_readers']>,
): Promise<void> {
  await trx.updateTable('chat_readers').set(change).where('source', '=', source).execute()
}

/** Returns the readers of sources. */
export async function listReaders(db: ReadDb, sources: readonly string[]): Promise<ReaderRow[]> {
  if (sources.length === 0) return []
  return db.selectFrom('chat_readers').selectAll().where('source', 'in', sources).execute()
}

/** Rows of one statement: SQLite takes 32,766 parameters. */
const rowsMax = 500

/** Inserts or updates the sources of restreams. */
export async function upsertFeeds(db: Db, rows: readonly ChatTables['chat_feeds'][]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsMax)
    await db
      .insertInto('chat_feeds')
      .values(rows.slice(at, at + rowsMax))
      .onConflict((conflict) =>
        conflict
          .column('restream_id')
          .doUpdateSet((eb) => ({ source: eb.ref('excluded.source') }))
          .whereRef('chat_feeds.source', '!=', 'excluded.source'),
      )
      .execute()
}

/** A restream that a source feeds. */
export interface Feed {
  readonly restream_id: number
  readonly broadcast_id: number
  readonly project_id: number
  /** End of the broadcast, ISO 8601; null: on air. */
  readonly date_end: string | null
}

/**
 * Returns the restreams that a source feeds, of broadcasts that run or ended after a time, ISO 8601. Several projects may share a
 * source: a project that lost its access to the channel is left out.
 */
export const listFeeds = (trx: ReadDb, source: string, since: string): Promise<Feed[]> =>
  trx
    .selectFrom('chat_feeds')
    .innerJoin('broadcasts', 'broadcasts.id', 'chat_feeds.broadcast_id')
    .innerJoin('restreams', 'restreams.id', 'chat_feeds.restream_id')
    .innerJoin('project_channels as link', (join) =>
      join
        .onRef('link.project_id', '=', 'broadcasts.project_id')
        .onRef('link.channel_id', '=', 'restreams.channel_id')
        .on('link.access_type', 'in', withChat),
    )
    .select(['chat_feeds.restream_id', 'chat_feeds.broadcast_id', 'broadcasts.project_id', 'broadcasts.date_end'])
    .where('source', '=', source)
    .where((eb) => eb.or([eb('date_end', 'is', null), eb('date_end', '>', since)]))
    .orderBy('chat_feeds.restream_id')
    .execute()

/**
 * Returns the broadcasts on air, and those that ended after a time, each with the end of the time in which its chat is watched.
 * @param since ISO 8601
 */
export async function listAirWatches(db: ReadDb, since: string) {
  const watches = db
    .selectFrom('broadcasts')
    .leftJoin('chat_watches', 'chat_watches.project_id', 'broadcasts.project_id')
    .select(['broadcasts.id', 'broadcasts.project_id', 'broadcasts.date_end', 'chat_watches.date_until'])
  // Two parts, sorted here: SQLite walks the whole table for an `or`, and for an order by id.
  const ended = watches.where('date_end', '>', since)
  const rows = await watches.where('date_end', 'is', null).unionAll(ended).execute()
  return rows.toSorted((a, b) => a.id - b.id)
}

/** Returns the end of the time in which the chat of a project is watched, ISO 8601; undefined: it never was. */
export async function findWatch(db: ReadDb, projectId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('chat_watches')
    .select('date_until')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row?.date_until
}

/** Extends the time in which the chat of a project is watched. ISO 8601. */
export async function upsertWatch(db: Db, projectId: number, until: string): Promise<void> {
  await db
    .insertInto('chat_watches')
    .values({ project_id: projectId, date_until: until })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({ date_until: until }).where('chat_watches.date_until', '<', until),
    )
    .execute()
}

/** Inserts a time in which messages may be missing. */
export async function insertGap(trx: Trx, row: Omit<Selectable<ChatTables['chat_gaps']>, 'id'>): Promise<void> {
  await trx.insertInto('chat_gaps').values(row).execute()
}
