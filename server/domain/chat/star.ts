// Stars a message: overlays show it until it is cleared. A broadcast has one at most.
import type { ChatChange } from '#contract/events/chat.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { publishChat } from './batches.ts'
import { findMessage, lockHeads } from './messages-store.ts'
import { updateGoneStar, updateStar } from './star-store.ts'

/**
 * Stars a message in place of the earlier one, and publishes that. Idempotent.
 * @param eventId null: clears the star
 * @returns the number of the change: replicas may publish two changes in the opposite order
 * @throws RuleError `MessageNotFound`, `MessageGone` for a message that is deleted or hidden
 */
export async function starMessage(
  services: Pick<Services, 'db' | 'realtime'>,
  broadcastId: number,
  eventId: string | null,
): Promise<number> {
  const star_seq = await transaction(services.db, async (trx) => {
    await lockHeads(trx, [broadcastId])
    if (eventId !== null) {
      const row = await findMessage(trx, broadcastId, eventId)
      if (!row) throw new RuleError('MessageNotFound', 'The broadcast has no such message')
      if (row.date_delete !== null || row.hidden !== null)
        throw new RuleError('MessageGone', 'A message that is deleted or hidden cannot be starred')
    }
    return updateStar(trx, broadcastId, eventId)
  })
  publishChat(services, broadcastId, [{ action: 'starred', event_id: eventId, star_seq }])
  return star_seq
}

/**
 * Clears the star when its message is deleted or hidden. Call it after each such change, with the head locked.
 * @returns the change to publish, if any: its number makes clients ignore an older answer with the star
 */
export async function clearGoneStar(trx: Trx, broadcastId: number): Promise<ChatChange[]> {
  const star_seq = await updateGoneStar(trx, broadcastId)
  return star_seq === undefined ? [] : [{ action: 'starred', event_id: null, star_seq }]
}
