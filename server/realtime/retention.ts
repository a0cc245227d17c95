// Decides how a publication is kept in the history of its channel.
import type { ChatBatch, ChatChange } from '#contract/events/chat.ts'
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
    const deleted = new Set(data.payload.flatMap(deletedBy))
    return deleted.size === 0 ? batch : { ...batch, erases: (kept) => hasText(kept, deleted) }
  }
  return replacing.includes(data.event) ? { lane: 'events', replaces: data.event } : event
}

/** Returns the ids of the messages that a change deletes. */
function deletedBy(change: ChatChange): readonly string[] {
  if (change.action === 'deleted') return [change.event_id]
  return change.action === 'cleared' ? change.event_ids : []
}

const hasText = (kept: unknown, deleted: ReadonlySet<string>): boolean =>
  (kept as ChatBatch).payload.some(
    (change) => (change.action === 'got' || change.action === 'create') && deleted.has(change.event_id),
  )
