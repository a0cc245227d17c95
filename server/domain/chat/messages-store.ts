// SQL of chat messages, and of the counters of broadcasts.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { contains } from '#server/db/fragments.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { ChatTables } from '#server/db/tables-chat.ts'

export type MessageRow = Selectable<ChatTables['chat_messages']>
export type HeadRow = Selectable<ChatTables['chat_heads']>
type CountRow = Selectable<ChatTables['chat_counts']>

/** Rows of one statement: SQLite takes 32,766 parameters. */
const rowsMax = 500

/** Returns the counters of broadcasts, and locks them until the transaction ends. Inserts missing ones. */
export async function lockHeads(trx: Trx, broadcastIds: readonly number[]): Promise<HeadRow[]> {
  if (broadcastIds.length === 0) return []
  const ids = [...new Set(broadcastIds)].toSorted((a, b) => a - b)
  const heads = await selectHeads(trx, ids)
  if (heads.length === ids.length) return heads
  await trx
    .insertInto('chat_heads')
    .values(ids.map((broadcast_id) => ({ broadcast_id, seq: 0, total: 0, date_oldest: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return selectHeads(trx, ids)
}

const selectHeads = (trx: Trx, ids: readonly number[]): Promise<HeadRow[]> =>
  trx
    .selectFrom('chat_heads')
    .selectAll()
    .where('broadcast_id', 'in', ids)
    .orderBy('broadcast_id')
    .forUpdate()
    .execute()

/** Updates the counters of a broadcast. Lock them first. */
export async function updateHead(trx: Trx, id: number, change: Updateable<ChatTables['chat_heads']>): Promise<void> {
  await trx.updateTable('chat_heads').set(change).where('broadcast_id', '=', id).execute()
}

/** The last number of a broadcast, and what its counters say besides. */
export interface Counters {
  /** Number of the last change. */
  readonly seq: number
  /** Stored messages. */
  readonly total: number
  /** Id of the starred message; null: none. */
  readonly starred: string | null
  /** Number of the last change of the star. */
  readonly star_rev: number
}

/** Returns the counters of a broadcast. Messages that are read after them have all changes up to `seq`. */
export async function getCounters(db: ReadDb, broadcastId: number): Promise<Counters> {
  const row = await db
    .selectFrom('chat_heads')
    .leftJoin('chat_messages', (join) =>
      join
        .onRef('chat_messages.event_id', '=', 'chat_heads.star_event_id')
        .on('chat_messages.hidden', 'is', null)
        .on('chat_messages.date_delete', 'is', null),
    )
    .select(['chat_heads.seq', 'total', 'chat_messages.event_id as starred', 'star_rev'])
    .where('chat_heads.broadcast_id', '=', broadcastId)
    .executeTakeFirst()
  return row ?? { total: 0, seq: 0, starred: null, star_rev: 0 }
}

/** Stars a message, or none. Lock the head first. @param rev number of the change */
export async function updateStar(trx: Trx, broadcastId: number, eventId: string | null, rev: number): Promise<void> {
  await updateHead(trx, broadcastId, { star_event_id: eventId, star_rev: rev })
}

/**
 * Clears the star when its message is deleted, hidden or removed. Lock the head first.
 * @param rev number of the change
 * @returns whether a star was cleared
 */
export async function updateGoneStar(trx: Trx, broadcastId: number, rev: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('chat_heads')
    .set({ star_event_id: null, star_rev: rev })
    .where('broadcast_id', '=', broadcastId)
    .where('star_event_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chat_messages')
            .select('event_id')
            .whereRef('chat_messages.event_id', '=', 'chat_heads.star_event_id')
            .where('hidden', 'is', null)
            .where('date_delete', 'is', null),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Adds to the counters of a restream. */
export async function upsertCount(trx: Trx, { restream_id, broadcast_id, received, skipped }: CountRow): Promise<void> {
  await trx
    .insertInto('chat_counts')
    .values({ restream_id, broadcast_id, received, skipped })
    .onConflict((conflict) =>
      conflict.column('restream_id').doUpdateSet((eb) => ({
        received: eb('chat_counts.received', '+', received),
        skipped: eb('chat_counts.skipped', '+', skipped),
      })),
    )
    .execute()
}

/** Returns the counters of restreams. */
export async function listCounts(db: ReadDb, broadcastIds: readonly number[]): Promise<CountRow[]> {
  if (broadcastIds.length === 0) return []
  return db.selectFrom('chat_counts').selectAll().where('broadcast_id', 'in', broadcastIds).execute()
}

/** Filters and page of a list of messages. */
export interface MessageSearch {
  readonly limit: number
  readonly before?: number | undefined
  readonly after?: number | undefined
  /** Part of the folded text. */
  readonly folded?: string | undefined
  readonly restreamId?: number | undefined
  readonly hidden: boolean
  readonly order: 'oldest' | 'newest'
}

/** A message in a list: its number, and the bytes of its body. */
export interface MessageSize {
  readonly seq: number
  readonly bytes: number
}

/** Returns the first messages of a broadcast in an order, without their contents. */
export const listSizes = (db: ReadDb, broadcastId: number, search: MessageSearch): Promise<MessageSize[]> => {
  const { limit, before, after, folded, restreamId, hidden, order } = search
  return db
    .selectFrom('chat_messages')
    .select(['seq', sql<number>`octet_length(body)`.as('bytes')])
    .where('broadcast_id', '=', broadcastId)
    .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
    .$if(after !== undefined, (query) => query.where('seq', '>', after ?? 0))
    .where((eb) => (hidden ? eb.or([eb('hidden', 'is', null), eb('hidden', '!=', 'own')]) : eb('hidden', 'is', null)))
    .$if(folded !== undefined, (query) => query.where(contains(db, 'folded', folded ?? '')))
    .$if(restreamId !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('restream_id', '=', restreamId ?? 0),
          eb(
            'event_id',
            'in',
            eb
              .selectFrom('chat_targets')
              .select('event_id')
              .where('restream_id', '=', restreamId ?? 0),
          ),
        ]),
      ),
    )
    .orderBy('seq', order === 'newest' ? 'desc' : 'asc')
    .limit(limit)
    .execute()
}

/** A changed message: its numbers, and the bytes of its body; 0: it is deleted or hidden. */
export interface ChangeSize extends MessageSize {
  readonly rev: number
}

/** Returns the messages of a broadcast that changed after a number, in the order of their changes, without their contents. */
export const listChangeSizes = (db: ReadDb, broadcastId: number, after: number, limit: number): Promise<ChangeSize[]> =>
  db
    .selectFrom('chat_messages')
    .select(['seq', 'rev'])
    .select(
      sql<number>`case when hidden is null and date_delete is null then octet_length(body) else 0 end`.as('bytes'),
    )
    .where('broadcast_id', '=', broadcastId)
    .where('rev', '>', after)
    .orderBy('rev')
    .limit(limit)
    .execute()

/** Returns messages of a broadcast by their numbers, oldest first. */
export const listBySeq = async (db: ReadDb, broadcastId: number, seqs: readonly number[]): Promise<MessageRow[]> =>
  seqs.length === 0
    ? []
    : db
        .selectFrom('chat_messages')
        .selectAll()
        .where('broadcast_id', '=', broadcastId)
        .where('seq', 'in', seqs)
        .orderBy('seq')
        .execute()

/** Returns a message of a broadcast. */
export const findMessage = (db: ReadDb, broadcastId: number, eventId: string): Promise<MessageRow | undefined> =>
  db
    .selectFrom('chat_messages')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .where('event_id', '=', eventId)
    .executeTakeFirst()

/** Returns the messages of a broadcast with these platform keys. */
export async function listByPlatformKey(
  trx: ReadDb,
  broadcastId: number,
  keys: readonly string[],
): Promise<MessageRow[]> {
  const found: MessageRow[] = []
  for (let at = 0; at < keys.length; at += rowsMax)
    found.push(
      ...(await trx
        .selectFrom('chat_messages')
        .selectAll()
        .where('broadcast_id', '=', broadcastId)
        .where('platform_key', 'in', keys.slice(at, at + rowsMax))
        .execute()),
    )
  return found
}

/** Returns the messages of restreams of a broadcast that are not deleted: of one author, or of all. */
export const listUndeleted = (
  trx: ReadDb,
  restreamIds: readonly number[],
  broadcastId: number,
  authorId: string | null,
) =>
  trx
    .selectFrom('chat_messages')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .where('restream_id', 'in', restreamIds)
    .where('date_delete', 'is', null)
    .$if(authorId !== null, (query) => query.where('author_id', '=', authorId ?? ''))
    .execute()

/** Returns the messages of an author on a platform in all broadcasts of a project. */
export const listOfAuthor = (trx: ReadDb, projectId: number, platform: MessageRow['platform'], authorId: string) =>
  trx
    .selectFrom('chat_messages')
    .innerJoin('broadcasts', 'broadcasts.id', 'chat_messages.broadcast_id')
    .selectAll('chat_messages')
    .where('broadcasts.project_id', '=', projectId)
    .where('chat_messages.platform', '=', platform)
    .where('author_id', '=', authorId)
    .execute()

/** Inserts messages. */
export async function insertMessages(
  trx: Trx,
  rows: readonly Insertable<ChatTables['chat_messages']>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsMax)
    await trx
      .insertInto('chat_messages')
      .values(rows.slice(at, at + rowsMax))
      .execute()
}

/** A message with the number of the change that is stored. */
export type Revised = Pick<MessageRow, 'event_id' | 'rev'>

/** Updates messages in the same way, apart from the numbers of the changes, and the bodies where they are given. */
export async function updateMessages(
  trx: Trx,
  rows: readonly (Revised & { readonly body?: string })[],
  change: Updateable<ChatTables['chat_messages']>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsMax) {
    const some = rows.slice(at, at + rowsMax)
    const revs = some.map(({ event_id, rev }) => sql`when ${event_id} then cast(${rev} as integer)`)
    const bodies = some.flatMap(({ event_id, body }) => (body === undefined ? [] : sql`when ${event_id} then ${body}`))
    await trx
      .updateTable('chat_messages')
      .set({ ...change, rev: sql<number>`case event_id ${sql.join(revs, sql` `)} end` })
      .$if(bodies.length > 0, (query) =>
        query.set({ body: sql<string>`case event_id ${sql.join(bodies, sql` `)} else body end` }),
      )
      .where(
        'event_id',
        'in',
        some.map(({ event_id }) => event_id),
      )
      .execute()
  }
}

/** Returns broadcasts whose oldest message was stored before a time, ISO 8601. */
export const listOld = (db: ReadDb, before: string) =>
  db
    .selectFrom('chat_heads')
    .innerJoin('broadcasts', 'broadcasts.id', 'chat_heads.broadcast_id')
    .leftJoin('chat_settings', 'chat_settings.project_id', 'broadcasts.project_id')
    .select(['chat_heads.broadcast_id', 'chat_settings.keep_days'])
    .where('date_oldest', '<', before)
    .orderBy('chat_heads.broadcast_id')
    .execute()

/**
 * Removes the oldest messages of a broadcast that were stored before a time, at most `max`.
 * @returns how many, how many of them `total` counts, and the time of the oldest one that remains
 */
export async function removeOldest(
  trx: Trx,
  broadcastId: number,
  { before, max }: { readonly before: string; readonly max: number },
): Promise<{ readonly removed: number; readonly counted: number; readonly oldest: string | null }> {
  const rows = await trx
    .selectFrom('chat_messages')
    .select(['seq', 'date_store', 'hidden'])
    .where('broadcast_id', '=', broadcastId)
    .orderBy('seq')
    .limit(max + 1)
    .execute()
  const at = rows.findIndex(({ date_store }, index) => date_store >= before || index === max)
  const rest = rows[at]
  await trx
    .deleteFrom('chat_messages')
    .where('broadcast_id', '=', broadcastId)
    .$if(rest !== undefined, (query) => query.where('seq', '<', rest?.seq ?? 0))
    .execute()
  const removed = rest === undefined ? rows : rows.slice(0, at)
  const counted = removed.filter(({ hidden }) => hidden !== 'own').length
  return { removed: removed.length, counted, oldest: rest?.date_store ?? null }
}
