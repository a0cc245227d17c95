// Reads messages of a broadcast.
import { setImmediate } from 'node:timers/promises'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import type { ChatCaller } from './callers.ts'
import {
  findMessage,
  getCounters,
  listBySeq,
  listSizes,
  type MessageRow,
  type MessageSearch,
  type MessageSize,
} from './messages-store.ts'
import { presentMessages } from './present.ts'
import { folded } from './texts.ts'

/** Bytes of the bodies of a page: a message with 166 emotes has 20 KB, and 500 of them hold up other calls. */
const pageBytes = 1_000_000
/** Numbers of messages that one statement of a search compares. Other calls run between statements. */
const sliceSize = 500

type Page = Omit<MessageSearch, 'order'>

/** Returns messages, oldest first, and the number of all. Only members see hidden ones. @param gone ends a search */
export async function readMessages(
  services: Reading<Pick<Services, 'db' | 'clock'>>,
  caller: Pick<ChatCaller, 'isMember'>,
  broadcastId: number,
  { q, hidden, ...page }: Omit<Page, 'folded'> & { readonly q?: string | undefined },
  gone: () => AbortSignal,
): Promise<{ readonly total: number; readonly more: boolean; readonly items: ChatMessage[] }> {
  const search = { ...page, hidden: hidden && caller.isMember, folded: q === undefined ? undefined : folded(q) }
  const { rows, more } = await listPage(services.db, broadcastId, search, gone)
  const { total } = await getCounters(services.db, broadcastId)
  return { total, more, items: await presentMessages(services, services.db, rows) }
}

/**
 * Returns a page of messages, oldest first: those after a number, else the newest. A page has at most 1 MB of bodies, and at least one
 * message.
 * @returns `more`: messages follow in the same direction
 */
export async function listPage(
  db: ReadDb,
  broadcastId: number,
  page: Page,
  gone?: () => AbortSignal,
): Promise<{ readonly rows: MessageRow[]; readonly more: boolean }> {
  const order = page.after === undefined ? 'newest' : 'oldest'
  const search = { ...page, order, limit: page.limit + 1 } as const
  const sizes = await (page.folded === undefined
    ? listSizes(db, broadcastId, search)
    : searchInSlices(db, broadcastId, search, gone?.()))
  let bytes = 0
  const fitting = sizes.slice(0, page.limit).filter((size, at) => (bytes += size.bytes) <= pageBytes || at === 0)
  const rows = await listBySeq(
    db,
    broadcastId,
    fitting.map(({ seq }) => seq),
  )
  // A moderator may have hidden some meanwhile.
  return { rows: rows.filter(({ hidden }) => page.hidden || hidden === null), more: fitting.length < sizes.length }
}

/** As `listSizes`, by many short statements. */
async function searchInSlices(
  db: ReadDb,
  broadcastId: number,
  search: MessageSearch,
  gone: AbortSignal | undefined,
): Promise<MessageSize[]> {
  const { order, limit } = search
  const last = (await getCounters(db, broadcastId)).seq
  // Both are outside of the numbers that remain.
  let after = search.after ?? 0
  let before = Math.min(search.before ?? Infinity, last + 1)
  const found: MessageSize[] = []
  while (before - after > 1 && found.length < limit && !gone?.aborted) {
    const slice =
      order === 'oldest'
        ? { after, before: Math.min(before, after + sliceSize + 1) }
        : { after: Math.max(after, before - sliceSize - 1), before }
    found.push(...(await listSizes(db, broadcastId, { ...search, ...slice, limit: limit - found.length })))
    if (order === 'oldest') after = slice.before - 1
    else before = slice.after + 1
    await setImmediate()
  }
  return found
}

/** Returns a message. Only members see hidden ones. @throws RuleError `MessageNotFound` */
export async function getMessage(
  services: { readonly db: ReadDb },
  caller: Pick<ChatCaller, 'isMember'>,
  broadcastId: number,
  eventId: string,
): Promise<MessageRow> {
  const row = await findMessage(services.db, broadcastId, eventId)
  if (!row || (row.hidden !== null && !caller.isMember))
    throw new RuleError('MessageNotFound', 'The broadcast has no such message')
  return row
}
