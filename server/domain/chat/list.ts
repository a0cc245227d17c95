// Reads messages of a broadcast.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { ChatCaller } from './callers.ts'
import { countMessages, findMessage, listMessages, type MessageRow, type MessageSearch } from './messages-store.ts'
import { presentMessages } from './present.ts'
import { folded } from './texts.ts'

/** Returns messages, oldest first, and the number of all. Only members see hidden ones. */
export async function readMessages(
  services: Pick<Services, 'db' | 'clock'>,
  caller: Pick<ChatCaller, 'isMember'>,
  broadcastId: number,
  { q, hidden, ...page }: Omit<MessageSearch, 'folded'> & { readonly q?: string | undefined },
): Promise<{ readonly total: number; readonly items: ChatMessage[] }> {
  const search = { ...page, hidden: hidden && caller.isMember, folded: q === undefined ? undefined : folded(q) }
  const rows = await listMessages(services.db, broadcastId, search)
  return {
    total: await countMessages(services.db, broadcastId),
    items: await presentMessages(services, services.db, rows),
  }
}

/** Returns a message. Only members see hidden ones. @throws RuleError `MessageNotFound` */
export async function getMessage(
  services: { readonly db: Db | Trx },
  caller: Pick<ChatCaller, 'isMember'>,
  broadcastId: number,
  eventId: string,
): Promise<MessageRow> {
  const row = await findMessage(services.db, broadcastId, eventId)
  if (!row || (row.hidden !== null && !caller.isMember))
    throw new RuleError('MessageNotFound', 'The broadcast has no such message')
  return row
}
