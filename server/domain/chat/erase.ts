// Deletion of messages: texts are overwritten, so that no response, publication or row has them.
import type { ChatChange } from '#contract/events/chat.ts'
import type { Trx } from '#server/db/open.ts'
import {
  findMessage,
  type HeadRow,
  listByPlatformKey,
  listUndeleted,
  type MessageRow,
  updateErased,
} from './messages-store.ts'
import type { MessageBody } from './present.ts'
import { listTargetsByKey } from './sends-store.ts'
import { clearGoneStar } from './star.ts'

/** Overwrites the texts of messages; the authors stay. @param at ISO 8601 */
export const eraseMessages = (
  trx: Trx,
  rows: readonly Pick<MessageRow, 'event_id' | 'body'>[],
  at: string,
): Promise<void> =>
  updateErased(
    trx,
    rows.map(({ event_id, body }) => ({ event_id, body: withoutText(body) })),
    at,
  )

/** @returns the JSON of a `MessageBody` */
function withoutText(json: string): string {
  const { sender, paid } = JSON.parse(json) as MessageBody
  const body: MessageBody = { sender, entities: [], paid: paid && { ...paid, text: '' } }
  return JSON.stringify(body)
}

/** The locked head of a broadcast: changes are numbered by it. */
type Head = Pick<HeadRow, 'broadcast_id' | 'seq'>

/** Deletes the messages that a platform reports as deleted. @returns the changes to publish */
export async function deleteMessages(
  trx: Trx,
  { broadcast_id: broadcastId, seq }: Head,
  keys: readonly string[],
  at: string,
): Promise<ChatChange[]> {
  const sent = (await listTargetsByKey(trx, broadcastId, keys)).map(({ event_id }) =>
    findMessage(trx, broadcastId, event_id),
  )
  const rows = [...(await listByPlatformKey(trx, broadcastId, keys)), ...(await Promise.all(sent))]
  const erased = rows.flatMap((row) => (row?.date_delete === null ? [row] : []))
  if (erased.length === 0) return []
  await eraseMessages(trx, erased, at)
  const changes = erased.map(({ event_id }): ChatChange => ({ action: 'deleted', event_id, last_seq: seq }))
  return [...changes, ...(await clearGoneStar(trx, broadcastId))]
}

/**
 * Deletes all messages of an author at a restream; null: all messages there.
 * @returns the changes to publish: one for all messages, and one for the star
 */
export async function clearMessages(
  trx: Trx,
  { broadcast_id, seq }: Head,
  restream_id: number,
  authorId: string | null,
  at: string,
): Promise<ChatChange[]> {
  const rows = await listUndeleted(trx, [restream_id], broadcast_id, authorId)
  await eraseMessages(trx, rows, at)
  const cleared: ChatChange = { action: 'cleared', restream_id, sender_id: authorId, last_seq: seq }
  return [cleared, ...(await clearGoneStar(trx, broadcast_id))]
}
