// SQL of sent messages, and of their outcomes at restreams.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { ChatTables } from '#server/db/tables-chat.ts'

export type TargetRow = Selectable<ChatTables['chat_targets']>
type SendRow = Selectable<ChatTables['chat_sends']>

/** Returns the message that a client sent under an id. */
export const findSend = (trx: ReadDb, projectId: number, clientId: string): Promise<SendRow | undefined> =>
  trx
    .selectFrom('chat_sends')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()

/** Counts the messages of a sender since a time, ISO 8601. */
export async function countSends(trx: ReadDb, sender: string, since: string): Promise<number> {
  return await countRows(trx.selectFrom('chat_sends').where('sender', '=', sender).where('date_create', '>', since))
}

/** Inserts a sent message. */
export async function insertSend(trx: Trx, row: SendRow): Promise<void> {
  await trx.insertInto('chat_sends').values(row).execute()
}

/** Inserts the restreams that a message is sent to. */
export async function insertTargets(trx: Trx, rows: readonly Insertable<ChatTables['chat_targets']>[]): Promise<void> {
  if (rows.length > 0) await trx.insertInto('chat_targets').values(rows).execute()
}

/** Returns the outcomes of messages, in the order of restreams. */
export async function listTargets(db: ReadDb, eventIds: readonly string[]): Promise<TargetRow[]> {
  if (eventIds.length === 0) return []
  return db.selectFrom('chat_targets').selectAll().where('event_id', 'in', eventIds).orderBy('restream_id').execute()
}

/** Returns the outcome of a message at a restream. */
export const findTarget = (trx: ReadDb, eventId: string, restreamId: number): Promise<TargetRow | undefined> =>
  trx
    .selectFrom('chat_targets')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('restream_id', '=', restreamId)
    .executeTakeFirst()

/** Returns the messages sent to restreams of a broadcast with these platform keys. */
export async function listTargetsByKey(
  trx: ReadDb,
  broadcastId: number,
  keys: readonly string[],
): Promise<TargetRow[]> {
  const found: TargetRow[] = []
  for (let at = 0; at < keys.length; at += 500)
    found.push(
      ...(await trx
        .selectFrom('chat_targets')
        .selectAll()
        .where('broadcast_id', '=', broadcastId)
        .where('platform_key', 'in', keys.slice(at, at + 500))
        .execute()),
    )
  return found
}

/** Returns outcomes of a restream without an id of the platform, newer than `since`, with their texts; oldest first. */
export const listTargetsWithoutId = (trx: ReadDb, broadcastId: number, restreamId: number, since: string) =>
  trx
    .selectFrom('chat_targets')
    .innerJoin('chat_messages', 'chat_messages.event_id', 'chat_targets.event_id')
    .selectAll('chat_targets')
    .select('chat_messages.text')
    .where('chat_targets.broadcast_id', '=', broadcastId)
    .where('chat_targets.restream_id', '=', restreamId)
    .where('chat_targets.platform_key', 'is', null)
    .where('chat_targets.state', '!=', 'failed')
    .where('chat_targets.date_update', '>', since)
    .orderBy('chat_messages.seq')
    .execute()

/** Updates the outcome of a message at a restream. */
export async function updateTarget(
  trx: Trx,
  { event_id, restream_id }: Pick<TargetRow, 'event_id' | 'restream_id'>,
  change: Updateable<ChatTables['chat_targets']>,
): Promise<void> {
  await trx
    .updateTable('chat_targets')
    .set(change)
    .where('event_id', '=', event_id)
    .where('restream_id', '=', restream_id)
    .execute()
}

/** Updates outcomes that were not reported before a time, ISO 8601, to `unknown`. */
export async function updateLost(db: Db, before: string): Promise<void> {
  await db
    .updateTable('chat_targets')
    .set({ state: 'unknown', error: 'unknown' })
    .where('state', '=', 'sending')
    .where('date_update', '<', before)
    .execute()
}
