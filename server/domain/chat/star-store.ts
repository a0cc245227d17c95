// SQL of the message that the overlays of a broadcast show until it is cleared.
import type { Db, Trx } from '#server/db/open.ts'

/** Returns the id of the starred message; undefined: none, or it was deleted or hidden since. */
export async function findStar(db: Db | Trx, broadcastId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('chat_heads')
    .innerJoin('chat_messages', 'chat_messages.event_id', 'chat_heads.star_event_id')
    .select('chat_messages.event_id')
    .where('chat_heads.broadcast_id', '=', broadcastId)
    .where('chat_messages.hidden', 'is', null)
    .where('chat_messages.date_delete', 'is', null)
    .executeTakeFirst()
  return row?.event_id
}

/** Removes the star of a message that is hidden, so that it has none when it is shown again. Lock the head first. */
export async function removeHiddenStar(trx: Trx, broadcastId: number): Promise<void> {
  await trx
    .updateTable('chat_heads')
    .set({ star_event_id: null })
    .where('broadcast_id', '=', broadcastId)
    .where('star_event_id', 'in', (eb) =>
      eb
        .selectFrom('chat_messages')
        .select('event_id')
        .where('broadcast_id', '=', broadcastId)
        .where('hidden', 'is not', null),
    )
    .execute()
}
