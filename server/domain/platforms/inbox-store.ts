// SQL of messages that platforms deliver to one replica, until the reader of the chat has taken them.
import { type Selectable, sql } from 'kysely'
import { databaseNow } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** A delivered message. */
export type InboxRow = Selectable<Tables['chat_inbox']>

/** Opens the inbox of a chat for a time, or extends it. @param ms from now */
export async function upsertInbox(db: Db | Trx, source: string, ms: number): Promise<void> {
  const until = sql<number>`${databaseNow(db)} + cast(${ms} as integer)`
  await db
    .insertInto('chat_inboxes')
    .values({ source, until })
    .onConflict((conflict) => conflict.column('source').doUpdateSet((eb) => ({ until: eb.ref('excluded.until') })))
    .execute()
}

/** Returns the chats, of these, whose inbox is open. */
export async function listOpenInboxes(db: ReadDb, sources: readonly string[]): Promise<ReadonlySet<string>> {
  if (sources.length === 0) return new Set()
  const query = db.selectFrom('chat_inboxes').select('source').where('source', 'in', sources)
  const rows = await query.where('until', '>', databaseNow(db)).execute()
  return new Set(rows.map(({ source }) => source))
}

/** Inserts messages. Repeated ids change nothing. @returns the number of new messages */
export async function insertInbox(db: Db | Trx, rows: readonly Omit<InboxRow, 'id'>[]): Promise<number> {
  if (rows.length === 0) return 0
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('chat_inbox')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['source', 'external_id']).doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0)
}

/** Returns the oldest messages of a chat after an id. */
export const listInbox = (
  db: ReadDb,
  source: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<InboxRow[]> =>
  db
    .selectFrom('chat_inbox')
    .selectAll()
    .where('source', '=', source)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Removes messages. */
export async function removeInbox(db: Db | Trx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('chat_inbox').where('id', 'in', ids).execute()
}

/** Removes messages that were delivered before a time, and inboxes that ended. */
export async function removeOldInbox(db: Db | Trx, before: string): Promise<void> {
  await db.deleteFrom('chat_inbox').where('date_create', '<', before).execute()
  await db.deleteFrom('chat_inboxes').where('until', '<=', databaseNow(db)).execute()
}
