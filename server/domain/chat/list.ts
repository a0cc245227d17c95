// Reads messages of a broadcast.
import { setImmediate } from 'node:timers/promises'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { ChangesPage } from '#contract/events/chat-order.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import type { ChatCaller } from './callers.ts'
import {
  findMessage,
  getCounters,
  listBySeq,
  listChangeSizes,
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
): Promise<{ readonly total: number; readonly more: boolean; readonly rev: number; readonly items: ChatMessage[] }> {
  const search = { ...page, hidden: hidden && caller.isMember, folded: q === undefined ? undefined : folded(q) }
  const { total, seq: rev } = await getCounters(services.db, broadcastId)
  const { rows, more } = await listPage(services.db, broadcastId, search, gone)
  return { total, more, rev, items: await presentMessages(services, services.db, rows) }
}

/** Returns the messages that changed after a number, as they are now, in the order of their changes; and the star. */
export async function readChanges(
  services: Reading<Pick<Services, 'db' | 'clock'>>,
  broadcastId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ChangesPage & { readonly items: ChangesPage['items'][number][] }> {
  const { db } = services
  const { seq: last, starred, star_rev } = await getCounters(db, broadcastId)
  const sizes = await listChangeSizes(db, broadcastId, after, limit + 1)
  const fitting = fittingOf(sizes, limit)
  const rows = await listBySeq(
    db,
    broadcastId,
    fitting.map(({ seq }) => seq),
  )
  const isGone = (row: MessageRow) => row.hidden !== null || row.date_delete !== null
  const visible = await presentMessages(
    services,
    db,
    rows.filter((row) => !isGone(row)),
  )
  const gone = rows.filter(isGone).map(({ event_id, rev }) => ({ event_id, rev, gone: true as const }))
  const reached = fitting.at(-1)?.rev ?? after
  return {
    items: [...visible, ...gone].toSorted((a, b) => a.rev - b.rev),
    starred,
    star_rev,
    upto: fitting.length < sizes.length ? reached : Math.max(reached, last),
    last,
  }
}

/** Returns the first rows of a page: at most 1 MB of bodies, and at least one row. */
function fittingOf<T extends MessageSize>(sizes: readonly T[], limit: number): T[] {
  let bytes = 0
  return sizes.slice(0, limit).filter((size, at) => (bytes += size.bytes) <= pageBytes || at === 0)
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
  const fitting = fittingOf(sizes, page.limit)
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
  if (!row || row.hidden === 'own' || (row.hidden !== null && !caller.isMember)) throw new RuleError('MessageNotFound')
  return row
}
