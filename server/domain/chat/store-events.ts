// Stores what readers receive. One transaction per batch: the epoch of the reader is checked first, numbers are given under
// the lock of the broadcast, and each id of a platform is stored once.
import { randomUUIDv7 } from 'node:crypto'
import type { ChatEvent, PlatformMessage } from '#server/core/chat.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { listLimits } from '#server/domain/tariffs/plan-limits.ts'
import { chatOf } from './capabilities-table.ts'
import { type ChatWriter, lockChats, publishChat, storeChat } from './changes.ts'
import { clearMessages, deleteMessages } from './erase.ts'
import { type Filters, hiddenBy } from './filter.ts'
import { insertMessages, listByPlatformKey, type MessageRow, upsertCount } from './messages-store.ts'
import { matchOwn } from './own-messages.ts'
import { presentMessage } from './present.ts'
import { type Feed, insertGap, listFeeds, lockReader, type ReaderRow, updateReader } from './readers-store.ts'
import { listTargetsByKey } from './sends-store.ts'
import { filtersOf } from './settings.ts'
import { folded, plain, storable } from './texts.ts'

type EventServices = Pick<Services, 'db' | 'clock' | 'config' | 'realtime'>

/** Time after the end of a broadcast in which delayed events are still stored, milliseconds: a batch may be repeated. */
const afterEndMs = 60_000
const textMax = 2_000

/** Another holder has claimed the reader: the caller has to close its connection. */
export class ReaderFenced extends Error {
  constructor(source: string, epoch: number) {
    super(`The reader of ${source} has a newer epoch than ${epoch}`)
    this.name = 'ReaderFenced'
  }
}

/** Returns the key by which a message of a platform is unique in a broadcast. */
export const platformKey = (platform: string, source: string, id: string): string =>
  chatOf(platform)?.globalIds ? `${platform} ${id}` : `${source} ${id}`

/**
 * Stores events of a source, for all broadcasts that it feeds, and publishes them after the commit.
 * @param epoch of the caller's claim
 * @throws ReaderFenced when another holder has claimed the source since; nothing is stored
 */
export async function storeChatEvents(
  services: EventServices,
  source: string,
  epoch: number,
  events: readonly ChatEvent[],
): Promise<void> {
  const now = services.clock.now()
  const chats = await transaction(services.db, async (trx) => {
    const reader = await lockReader(trx, source)
    if (!reader || reader.epoch !== epoch) throw new ReaderFenced(source, epoch)
    const feeds = await withChatPlan(services, trx, await listFeeds(trx, source, iso(later(now, -afterEndMs))))
    const locked = await lockChats(
      trx,
      feeds.map(({ broadcast_id }) => broadcast_id),
    )
    for (const chat of locked) {
      const known = new Map<number, Filters>()
      for (const feed of feeds.filter(({ broadcast_id }) => broadcast_id === chat.id)) {
        const filters = known.get(feed.project_id) ?? (await filtersOf(services, trx, feed.project_id))
        known.set(feed.project_id, filters)
        await new FeedWriter(trx, { now, reader, feed, filters, chat }).store(events)
      }
      await storeChat(trx, chat)
    }
    const change = readerChange(reader, events, iso(now))
    if (change) await updateReader(trx, source, change)
    return locked
  })
  for (const chat of chats) publishChat(services, chat)
}

/** Returns the feeds of projects whose plan has chat: another project may keep the reader of a shared source. */
async function withChatPlan(services: EventServices, trx: Trx, feeds: readonly Feed[]): Promise<readonly Feed[]> {
  const limits = await listLimits(services, trx, [...new Set(feeds.map(({ project_id }) => project_id))])
  return feeds.filter(({ project_id }) => limits.get(project_id)?.chat)
}

/** Returns the change of the reader's row that the events make; null: none, as for most batches without a cursor. */
function readerChange(reader: ReaderRow, events: readonly ChatEvent[], now: string): Partial<ReaderRow> | null {
  let change: Partial<ReaderRow> & Pick<ReaderRow, 'cursor' | 'date_gap'> = {
    cursor: reader.cursor,
    date_gap: reader.date_gap,
  }
  for (const event of events) {
    if (event.is === 'message') change = { ...change, cursor: event.cursor ?? change.cursor }
    if (event.is === 'ended') change = { ...change, state: 'off', reason: 'no_chat', date_retry: null, date_gap: null }
    if (event.is !== 'state') continue
    change = {
      ...change,
      state: event.state,
      reason: event.reason ?? null,
      date_retry: event.until?.toISOString() ?? null,
      date_gap: event.state === 'reading' ? null : (change.date_gap ?? now),
    }
  }
  return Object.entries(change).some(([name, value]) => reader[name as keyof ReaderRow] !== value) ? change : null
}

interface WriterOptions {
  readonly now: Date
  readonly reader: Pick<ReaderRow, 'source' | 'platform'>
  readonly feed: Feed
  readonly filters: Filters
  /** Changed by the writer; the caller stores it. */
  readonly chat: ChatWriter
}

/** Writes events of a source into one broadcast, in their order. */
class FeedWriter {
  readonly #trx: Trx
  readonly #options: WriterOptions
  #received = 0
  #skipped = 0

  constructor(trx: Trx, options: WriterOptions) {
    this.#trx = trx
    this.#options = options
  }

  async store(events: readonly ChatEvent[]): Promise<void> {
    const { restream_id, broadcast_id } = this.#options.feed
    let run: PlatformMessage[] = []
    for (const event of events) {
      if (event.is === 'message') {
        run.push(event.message)
        continue
      }
      await this.#insert(run)
      run = []
      await this.#one(event)
    }
    await this.#insert(run)
    if (this.#received > 0 || this.#skipped > 0)
      await upsertCount(this.#trx, { restream_id, broadcast_id, received: this.#received, skipped: this.#skipped })
  }

  async #one(event: Exclude<ChatEvent, { is: 'message' }>): Promise<void> {
    const { feed, reader, now, chat } = this.#options
    const { restream_id, broadcast_id } = feed
    if (event.is === 'deleted') {
      const keys = [platformKey(reader.platform, reader.source, plain(event.id))]
      await deleteMessages(this.#trx, chat, keys, iso(now))
    } else if (event.is === 'cleared') {
      const sender_id = event.senderId === undefined ? null : plain(event.senderId)
      await clearMessages(this.#trx, chat, { restream_id, sender_id }, iso(now))
    } else if (event.is === 'gap') {
      const [date_from, date_to] = [event.since.toISOString(), iso(now)]
      await insertGap(this.#trx, { broadcast_id, restream_id, date_from, date_to, reason: event.reason ?? null })
      chat.changes.push({ action: 'gap', restream_id, since: date_from })
    } else if (event.is === 'skipped') {
      this.#skipped += event.count
      chat.changes.push({ action: 'skipped', restream_id, count: event.count })
    } else if (event.is === 'state') {
      const { state, reason = null } = event
      chat.changes.push({ action: 'state', restream_id, state, reason, until: event.until?.toISOString() ?? null })
    } else chat.changes.push({ action: 'state', restream_id, state: 'off', reason: 'no_chat', until: null })
  }

  /** Inserts the messages that are not stored yet. */
  async #insert(messages: readonly PlatformMessage[]): Promise<void> {
    if (messages.length === 0) return
    const { feed, reader, chat } = this.#options
    const keyOf = ({ id }: PlatformMessage) => platformKey(reader.platform, reader.source, plain(id))
    const byKey = new Map<string, PlatformMessage>()
    for (const message of messages) if (!byKey.has(keyOf(message))) byKey.set(keyOf(message), message)
    const keys = [...byKey.keys()]
    const stored = await listByPlatformKey(this.#trx, feed.broadcast_id, keys)
    const sent = await listTargetsByKey(this.#trx, feed.broadcast_id, keys)
    for (const { platform_key } of [...stored, ...sent]) byKey.delete(platform_key ?? '')
    await matchOwn(this.#trx, chat, { ...this.#options, messages: byKey })
    // The next broadcast may be on air in the same chat.
    for (const [key, { createdAt }] of byKey)
      if (feed.date_end !== null && createdAt.getTime() > Date.parse(feed.date_end)) byKey.delete(key)
    const replies = await this.#replies([...byKey.values()])
    const rows = [...byKey].map(([key, message]) => this.#row(key, message, replies))
    await insertMessages(this.#trx, rows)
    this.#received += rows.length
    for (const row of rows) if (row.hidden === null) chat.changes.push({ action: 'got', ...presentMessage(row, []) })
  }

  /** Returns the stored messages that these answer, by platform key. */
  async #replies(messages: readonly PlatformMessage[]): Promise<Map<string, string>> {
    const { feed, reader } = this.#options
    const ids = messages.flatMap(({ replyTo }) => (replyTo === undefined ? [] : [plain(replyTo)]))
    const keys = [...new Set(ids.map((id) => platformKey(reader.platform, reader.source, id)))]
    if (keys.length === 0) return new Map()
    const found = [
      ...(await listByPlatformKey(this.#trx, feed.broadcast_id, keys)),
      ...(await listTargetsByKey(this.#trx, feed.broadcast_id, keys)),
    ]
    return new Map(found.map(({ platform_key, event_id }) => [platform_key ?? '', event_id]))
  }

  #row(key: string, raw: PlatformMessage, replies: ReadonlyMap<string, string>): MessageRow {
    const { feed, reader, filters, chat, now } = this.#options
    const message = storable({ ...raw, createdAt: null })
    const text = message.text.slice(0, textMax).toWellFormed()
    const { sender, entities, replyTo } = message
    const at = iso(now)
    const seq = chat.next()
    chat.head.total++
    chat.head.date_oldest ??= at
    return {
      broadcast_id: feed.broadcast_id,
      seq,
      rev: seq,
      // Ordered by time: random ids would touch a page of the index each.
      event_id: randomUUIDv7(),
      restream_id: feed.restream_id,
      platform: reader.platform,
      platform_id: message.id,
      platform_key: key,
      author_id: sender.id,
      kind: message.kind,
      text,
      folded: folded(text, sender.name),
      body: JSON.stringify({ entities, sender, paid: message.paid ?? null }),
      reply_event_id:
        replyTo === undefined ? null : (replies.get(platformKey(reader.platform, reader.source, replyTo)) ?? null),
      reply_id: replyTo ?? null,
      is_outgoing: 0,
      is_late: message.late ? 1 : 0,
      hidden: hiddenBy(filters, { platform: reader.platform, text, sender }),
      date_create: Number.isNaN(raw.createdAt.getTime()) ? at : raw.createdAt.toISOString(),
      date_store: at,
      date_delete: null,
    }
  }
}
