// SQL of the message that the overlays of a broadcast show until it is cleared.
import type { ReadDb, Trx } from '#server/db/open.ts'

/** The starred message. */
export interface StarRow {
  /** Its id; null: none, or it was deleted or hidden since. */
  readonly starred: string | null
  /** Number of the last change of the star. */
  readonly star_seq: number
}

/** Returns the starred message of a broadcast. */
export async function findStar(db: ReadDb, broadcastId: number): Promise<StarRow> {
  const row = await db
    .selectFrom('chat_heads')
    .leftJoin('chat_messages', (join) =>
      join
        .onRef('chat_messages.event_id', '=', 'chat_heads.star_event_id')
        .on('chat_messages.hidden', 'is', null)
        .on('chat_messages.date_delete', 'is', null),
    )
    .select(['chat_messages.event_id as starred', 'chat_heads.star_seq'])
    .where('chat_heads.broadcast_id', '=', broadcastId)
    .executeTakeFirst()
  return row ?? { starred: null, star_seq: 0 }
}

/** Stars a message, or none, and numbers the change. Lock the head first. @returns the number */
export async function updateStar(trx: Trx, broadcastId: number, eventId: string | null): Promise<number> {
  const { star_seq } = await trx
    .updateTable('chat_heads')
    .set((eb) => ({ star_event_id: eventId, star_seq: eb('star_seq', '+', 1) }))
    .where('broadcast_id', '=', broadcastId)
    .returning('star_seq')
    .executeTakeFirstOrThrow()
  return star_seq
}

/**
 * Clears the star when its message is deleted, hidden or removed, and numbers the change. Lock the head first.
 * @returns the number; undefined: no star was cleared
 */
export async function updateGoneStar(trx: Trx, broadcastId: number): Promise<number | undefined> {
  const row = await trx
    .updateTable('chat_heads')
    .set((eb) => ({ star_event_id: null, star_seq: eb('star_seq', '+', 1) }))
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
    .returning('star_seq')
    .executeTakeFirst()
  return row?.star_seq
}
