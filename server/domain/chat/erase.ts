// Deletion of messages: texts are overwritten, so that no response, publication or row has them.
import type { Trx } from '#server/db/open.ts'
import type { ChatWriter } from './changes.ts'
import { findMessage, listByPlatformKey, listUndeleted, type MessageRow, updateMessages } from './messages-store.ts'
import type { MessageBody } from './present.ts'
import { listTargetsByKey } from './sends-store.ts'
import { clearGoneStar } from './star.ts'

/** Overwrites the texts of messages; the authors stay. @param at ISO 8601 @returns the numbers of the changes */
async function eraseTexts(
  trx: Trx,
  chat: ChatWriter,
  rows: readonly Pick<MessageRow, 'event_id' | 'body'>[],
  at: string,
): Promise<{ readonly event_id: string; readonly rev: number }[]> {
  const erased = rows.map(({ event_id, body }) => ({ event_id, rev: chat.next(), body: withoutText(body) }))
  await updateMessages(trx, erased, { text: '', folded: '', date_delete: at })
  return erased
}

/** Deletes messages, and clears the star when it was one of them. @param at ISO 8601 */
export async function eraseMessages(
  trx: Trx,
  chat: ChatWriter,
  rows: readonly Pick<MessageRow, 'event_id' | 'body'>[],
  at: string,
): Promise<void> {
  const erased = await eraseTexts(trx, chat, rows, at)
  chat.changes.push(...erased.map(({ event_id, rev }) => ({ action: 'deleted' as const, event_id, rev })))
  await clearGoneStar(trx, chat)
}

/** @returns the JSON of a `MessageBody` */
function withoutText(json: string): string {
  const { sender, paid } = JSON.parse(json) as MessageBody
  const body: MessageBody = { sender, entities: [], paid: paid && { ...paid, text: '' } }
  return JSON.stringify(body)
}

/** Deletes the messages that a platform reports as deleted. */
export async function deleteMessages(trx: Trx, chat: ChatWriter, keys: readonly string[], at: string): Promise<void> {
  const sent = (await listTargetsByKey(trx, chat.id, keys)).map(({ event_id }) => findMessage(trx, chat.id, event_id))
  const rows = [...(await listByPlatformKey(trx, chat.id, keys)), ...(await Promise.all(sent))]
  const erased = rows.flatMap((row) => (row?.date_delete === null ? [row] : []))
  if (erased.length > 0) await eraseMessages(trx, chat, erased, at)
}

/** Deletes all messages of an author at a restream; null: all messages there. One change is published for all of them. */
export async function clearMessages(
  trx: Trx,
  chat: ChatWriter,
  of: { readonly restream_id: number; readonly sender_id: string | null },
  at: string,
): Promise<void> {
  const rows = await listUndeleted(trx, [of.restream_id], chat.id, of.sender_id)
  if (rows.length === 0) return
  const erased = await eraseTexts(trx, chat, rows, at)
  chat.changes.push({ action: 'cleared', ...of, rev: erased.at(-1)?.rev ?? 0 })
  await clearGoneStar(trx, chat)
}
