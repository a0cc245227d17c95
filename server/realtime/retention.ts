// Decides how a publication is kept in the history of its channel.
import type { ChatBatch } from '#contract/events/chat.ts'
import { type Cleared, isCleared } from '#contract/events/chat-cleared.ts'
import type { Publication } from '#contract/events/publications.ts'
import type { Retention } from './channel.ts'

/** Events whose newest publication replaces the earlier ones in the history. */
const replacing: readonly string[] = ['live-status', 'project-update', 'notification']

const event: Retention = { lane: 'events', replaces: null }
const batch: Retention = { lane: 'chat', replaces: null }

/** Returns how a publication is kept. A deletion in a chat removes the kept batches that have the deleted messages. */
export function retentionOf(data: Publication): Retention {
  if (!('event' in data)) return event
  if (data.event === 'messages') {
    const deleted = new Set(data.payload.flatMap((change) => (change.action === 'deleted' ? [change.event_id] : [])))
    const cleared = data.payload.filter((change) => change.action === 'cleared')
    if (deleted.size === 0 && cleared.length === 0) return batch
    return { ...batch, erases: (kept) => hasText(kept, deleted, cleared) }
  }
  return replacing.includes(data.event) ? { lane: 'events', replaces: data.event } : event
}

/** Returns whether a batch has a message that was deleted, by id or with others. */
const hasText = (kept: unknown, deleted: ReadonlySet<string>, cleared: readonly Cleared[]): boolean =>
  (kept as ChatBatch).payload.some(
    (change) =>
      (change.action === 'got' || change.action === 'create') &&
      (deleted.has(change.event_id) || cleared.some((one) => isCleared(change, one))),
  )
