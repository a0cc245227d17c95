// Stars a message: overlays show it until it is cleared. A broadcast has one at most.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { type ChatWriter, lockChat, publishChat, storeChat } from './changes.ts'
import { findMessage, updateGoneStar, updateStar } from './messages-store.ts'

/**
 * Stars a message in place of the earlier one, and publishes that. Idempotent.
 * @param eventId null: clears the star
 * @returns the number of the change
 * @throws RuleError `MessageNotFound`, `MessageGone` for a message that is deleted or hidden
 */
export async function starMessage(
  services: Pick<Services, 'db' | 'realtime'>,
  broadcastId: number,
  eventId: string | null,
): Promise<number> {
  const chat = await transaction(services.db, async (trx) => {
    const locked = await lockChat(trx, broadcastId)
    if (eventId !== null) {
      const row = await findMessage(trx, broadcastId, eventId)
      if (!row) throw new RuleError('MessageNotFound')
      if (row.date_delete !== null || row.hidden !== null) throw new RuleError('MessageGone')
    }
    const rev = locked.next()
    await updateStar(trx, broadcastId, eventId, rev)
    locked.changes.push({ action: 'starred', event_id: eventId, rev })
    await storeChat(trx, locked)
    return locked
  })
  publishChat(services, chat)
  return chat.head.seq
}

/** Clears the star when its message is deleted or hidden. Call it after each such change. */
export async function clearGoneStar(trx: Trx, chat: ChatWriter): Promise<void> {
  if (!(await updateGoneStar(trx, chat.id, chat.head.seq + 1))) return
  chat.changes.push({ action: 'starred', event_id: null, rev: chat.next() })
}
