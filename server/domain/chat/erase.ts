// Deletion of messages: texts are overwritten, so that no response, publication or row has them.
import type { ChatChange } from '#contract/events/chat.ts'
import type { Trx } from '#server/db/open.ts'
import {
  findMessage,
  listByPlatformKey,
  listUndeleted,
  type MessageRow,
  updateErased,
  updateMessage,
} from './messages-store.ts'
import type { MessageBody } from './present.ts'
import { listTargetsByKey } from './sends-store.ts'
import { clearGoneStar } from './star.ts'

/** Overwrites the text of a message; the author stays. @param at ISO 8601 */
export async function eraseMessage(trx: Trx, row: Pick<MessageRow, 'event_id' | 'body'>, at: string): Promise<void> {
  await updateMessage(trx, row.event_id, { text: '', folded: '', body: withoutText(row.body), date_delete: at })
}

/** @returns the JSON of a `MessageBody` */
function withoutText(json: string): string {
  const { sender, paid } = JSON.parse(json) as MessageBody
  const body: MessageBody = { sender, entities: [], paid: paid && { ...paid, text: '' } }
  return JSON.stringify(body)
}

/** Deletes the messages that a platform reports as deleted. Lock the head first. @returns the changes to publish */
export async function deleteMessages(
  trx: Trx,
  broadcastId: number,
  keys: readonly string[],
  at: string,
): Promise<ChatChange[]> {
  const changes: ChatChange[] = []
  const sent = (await listTargetsByKey(trx, broadcastId, keys)).map(({ event_id }) =>
    findMessage(trx, broadcastId, event_id),
  )
  const rows = [...(await listByPlatformKey(trx, broadcastId, keys)), ...(await Promise.all(sent))]
  for (const row of rows) {
    if (!row || row.date_delete !== null) continue
    await eraseMessage(trx, row, at)
    changes.push({ action: 'deleted', event_id: row.event_id })
  }
  return changes.length === 0 ? [] : [...changes, ...(await clearGoneStar(trx, broadcastId))]
}

/**
 * Deletes all messages of an author at a restream; null: all messages there. Lock the head first.
 * @returns the changes to publish: one for all messages, and one for the star
 */
export async function clearMessages(
  trx: Trx,
  { restream_id, broadcast_id }: { readonly restream_id: number; readonly broadcast_id: number },
  authorId: string | null,
  at: string,
): Promise<ChatChange[]> {
  const rows = await listUndeleted(trx, restream_id, broadcast_id, authorId)
  const erased = rows.map(({ event_id, body }) => ({ event_id, body: withoutText(body) }))
  await updateErased(trx, erased, at)
  const cleared: ChatChange = { action: 'cleared', restream_id, sender_id: authorId }
  return [cleared, ...(await clearGoneStar(trx, broadcast_id))]
}
