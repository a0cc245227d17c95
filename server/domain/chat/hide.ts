// Hides messages and authors here; the platforms keep them.
import type { PlatformType } from '#contract/entities/channel.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { type BroadcastRow, listRestreams } from '#server/domain/broadcasts/store.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { lockChat, lockChats, publishChat, storeChat } from './changes.ts'
import { findMessage, listOfAuthor, listUndeleted, updateMessages } from './messages-store.ts'
import { type MessageBody, presentMessage, presentMessages } from './present.ts'
import { removeMuted, updateActAuthors } from './settings-store.ts'
import { mute } from './settings.ts'
import { clearGoneStar } from './star.ts'

/** Hides or shows one message. */
export async function hideMessage(
  services: Services,
  { id }: Pick<BroadcastRow, 'id'>,
  event_id: string,
  isHidden: boolean,
): Promise<void> {
  const chat = await transaction(services.db, async (trx) => {
    const locked = await lockChat(trx, id)
    // Read under the lock: a row read before may have the text of a message that is deleted since.
    const row = await findMessage(trx, id, event_id)
    if (!row || (row.hidden !== null) === isHidden) return null
    const shown = { ...row, hidden: isHidden ? ('person' as const) : null, rev: locked.next() }
    await updateMessages(trx, [{ event_id, rev: shown.rev }], { hidden: shown.hidden })
    const [message] = await presentMessages(services, trx, [shown])
    if (isHidden || !message || message.deleted) locked.changes.push({ action: 'deleted', event_id, rev: shown.rev })
    else locked.changes.push({ action: 'got', ...message })
    await clearGoneStar(trx, locked)
    await storeChat(trx, locked)
    return locked
  })
  if (chat) publishChat(services, chat)
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
  if (restreamId === null || senderId === null || platform === undefined) throw new RuleError('SenderMissing')
  // A project mutes an author at a platform: it may have several chats there.
  const there = restreams.filter(({ type }) => type === platform).map((restream) => restream.id)
  const chat = await projectTransaction(services.db, project_id, async (trx) => {
    await lockProject(trx, project_id)
    const locked = await lockChat(trx, id)
    const rows = await listUndeleted(trx, there, id, senderId)
    const body = rows.at(-1)?.body
    const name = body === undefined ? '' : (JSON.parse(body) as MessageBody).sender.name
    if (isHidden) await mute(services, trx, project_id, { platform, sender_id: senderId, name })
    else await removeMuted(trx, project_id, platform, senderId)
    const hidden = isHidden ? 'author' : null
    const changed = rows
      .filter((row) => (isHidden ? row.hidden === null : row.hidden === 'author'))
      .map((row) => ({ ...row, hidden, rev: locked.next() }) as const)
    await updateMessages(
      trx,
      changed.map(({ event_id, rev }) => ({ event_id, rev })),
      { hidden },
    )
    for (const row of changed)
      locked.changes.push(
        isHidden
          ? { action: 'deleted', event_id: row.event_id, rev: row.rev }
          : { action: 'got', ...presentMessage(row, []) },
      )
    await clearGoneStar(trx, locked)
    await storeChat(trx, locked)
    return locked
  })
  publishChat(services, chat)
}

/** Overwrites the texts and the author of all messages that an author sent to a project. @returns how many */
export async function forgetAuthor(
  services: Services,
  projectId: number,
  author: { readonly platform: PlatformType; readonly senderId: string },
): Promise<number> {
  const at = iso(services.clock.now())
  const { count, chats } = await transaction(services.db, async (trx) => {
    const found = await listOfAuthor(trx, projectId, author.platform, author.senderId)
    const locked = await lockChats(
      trx,
      found.map(({ broadcast_id }) => broadcast_id),
    )
    const body: MessageBody = { entities: [], sender: { id: '', name: '', badges: [], roles: [] }, paid: null }
    const change = { text: '', folded: '', author_id: '', body: JSON.stringify(body), date_delete: at }
    for (const chat of locked) {
      const rows = found.filter(({ broadcast_id }) => broadcast_id === chat.id)
      const erased = rows.map(({ event_id }) => ({ event_id, rev: chat.next() }))
      await updateMessages(trx, erased, change)
      chat.changes.push(...erased.map((row) => ({ action: 'deleted' as const, ...row })))
      await clearGoneStar(trx, chat)
      await storeChat(trx, chat)
    }
    await removeMuted(trx, projectId, author.platform, author.senderId)
    await updateActAuthors(trx, projectId, author.platform, author.senderId)
    return { count: found.length, chats: locked }
  })
  for (const chat of chats) publishChat(services, chat)
  return count
}
