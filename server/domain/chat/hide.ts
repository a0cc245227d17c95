// Hides messages and authors here; the platforms keep them.
import type { PlatformType } from '#contract/entities/channel.ts'
import type { ChatChange } from '#contract/events/chat.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { type BroadcastRow, listRestreams } from '#server/domain/broadcasts/store.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { publishChat } from './batches.ts'
import {
  findMessage,
  type HeadRow,
  listOfAuthor,
  listUndeleted,
  lockHeads,
  updateHead,
  updateMessages,
} from './messages-store.ts'
import { type MessageBody, presentMessage, presentMessages } from './present.ts'
import { removeMuted, updateActAuthors } from './settings-store.ts'
import { mute } from './settings.ts'
import { clearGoneStar } from './star.ts'

/**
 * Numbers a change that makes messages visible again: it is newer than their deletions, which have the last number before it.
 * @returns the number
 */
async function nextNumber(trx: Trx, { broadcast_id, seq }: HeadRow): Promise<number> {
  await updateHead(trx, broadcast_id, { seq: seq + 1 })
  return seq + 1
}

/** Hides or shows one message. */
export async function hideMessage(
  services: Services,
  { id }: Pick<BroadcastRow, 'id'>,
  event_id: string,
  isHidden: boolean,
): Promise<void> {
  const changes = await transaction(services.db, async (trx): Promise<ChatChange[]> => {
    const [head] = await lockHeads(trx, [id])
    // Read under the lock: a row read before may have the text of a message that is deleted since.
    const row = await findMessage(trx, id, event_id)
    if (!head || !row || (row.hidden !== null) === isHidden) return []
    const hidden = isHidden ? 'person' : null
    await updateMessages(trx, [row], { hidden })
    if (isHidden) return [{ action: 'deleted', event_id, last_seq: head.seq }, ...(await clearGoneStar(trx, id))]
    if (row.date_delete !== null) return []
    const messages = await presentMessages(services, trx, [{ ...row, hidden }])
    const shown_seq = await nextNumber(trx, head)
    return messages.map((message) => ({ action: 'got', ...message, shown_seq }))
  })
  publishChat(services, id, changes)
}

/**
 * Mutes an author of a restream's platform, or ends that: hides or shows their messages of this broadcast, and later ones.
 * @throws RuleError `SenderMissing`
 */
export async function hideAuthor(
  services: Services,
  { id, project_id }: Pick<BroadcastRow, 'id' | 'project_id'>,
  of: { readonly restreamId: number | null; readonly senderId: string | null; readonly isHidden: boolean },
): Promise<void> {
  const { restreamId, senderId, isHidden } = of
  // Of the restream: its channel may be removed, or no longer shared.
  const restreams = await listRestreams(services.db, [id])
  const platform = restreams.find((restream) => restream.id === restreamId)?.type as PlatformType | undefined
  if (restreamId === null || senderId === null || platform === undefined)
    throw new RuleError('SenderMissing', 'Name a message, or a restream of the broadcast and an author')
  // A project mutes an author at a platform: it may have several chats there.
  const there = restreams.filter(({ type }) => type === platform).map((restream) => restream.id)
  const changes = await projectTransaction(services.db, project_id, async (trx) => {
    await lockProject(trx, project_id)
    const [head] = await lockHeads(trx, [id])
    if (!head) return []
    const rows = await listUndeleted(trx, there, id, senderId)
    const body = rows.at(-1)?.body
    const name = body === undefined ? '' : (JSON.parse(body) as MessageBody).sender.name
    if (isHidden) await mute(services, trx, project_id, { platform, sender_id: senderId, name })
    else await removeMuted(trx, project_id, platform, senderId)
    const changed = rows.filter(({ hidden }) => (isHidden ? hidden === null : hidden === 'author'))
    const hidden = isHidden ? 'author' : null
    await updateMessages(trx, changed, { hidden })
    const shown_seq = isHidden || changed.length === 0 ? undefined : await nextNumber(trx, head)
    const published = changed.map((row): ChatChange =>
      isHidden
        ? { action: 'deleted', event_id: row.event_id, last_seq: head.seq }
        : { action: 'got', ...presentMessage({ ...row, hidden }, []), shown_seq },
    )
    return [...published, ...(await clearGoneStar(trx, id))]
  })
  publishChat(services, id, changes)
}

/** Overwrites the texts and the author of all messages that an author sent to a project. @returns how many */
export async function forgetAuthor(
  services: Services,
  projectId: number,
  author: { readonly platform: PlatformType; readonly senderId: string },
): Promise<number> {
  const at = iso(services.clock.now())
  const { count, changes } = await transaction(services.db, async (trx) => {
    const found = await listOfAuthor(trx, projectId, author.platform, author.senderId)
    const heads = await lockHeads(
      trx,
      found.map(({ broadcast_id }) => broadcast_id),
    )
    const body: MessageBody = { entities: [], sender: { id: '', name: '', badges: [], roles: [] }, paid: null }
    const change = { text: '', folded: '', author_id: '', body: JSON.stringify(body), date_delete: at }
    await updateMessages(trx, found, change)
    await removeMuted(trx, projectId, author.platform, author.senderId)
    await updateActAuthors(trx, projectId, author.platform, author.senderId)
    const all: [broadcastId: number, ChatChange[]][] = []
    for (const [broadcastId, of] of Map.groupBy(found, ({ broadcast_id }) => broadcast_id)) {
      const last_seq = heads.find((head) => head.broadcast_id === broadcastId)?.seq
      const deleted = of.map(({ event_id }): ChatChange => ({ action: 'deleted', event_id, last_seq }))
      all.push([broadcastId, [...deleted, ...(await clearGoneStar(trx, broadcastId))]])
    }
    return { count: found.length, changes: all }
  })
  for (const [broadcastId, list] of changes) publishChat(services, broadcastId, list)
  return count
}
