// Publishes changes of chats in batches: the first one immediately, later ones each 100 ms, at most 50 changes each.
import { randomUUID } from 'node:crypto'
import type { ChatChange } from '#contract/events/chat.ts'
import { type Cleared, isCleared } from '#contract/events/chat-cleared.ts'
import type { RealtimeControl, Services } from '#server/core/context.ts'

const everyMs = 100
const changesMax = 50

interface Waiting {
  readonly changes: ChatChange[]
  timer: NodeJS.Timeout | undefined
}
const byRealtime = new WeakMap<RealtimeControl, Map<number, Waiting>>()

/** Publishes changes of a broadcast's chat. Call it after the transaction. Never throws. */
export function publishChat(
  { realtime }: Pick<Services, 'realtime'>,
  broadcastId: number,
  changes: readonly ChatChange[],
): void {
  if (changes.length === 0) return
  const all = byRealtime.get(realtime) ?? new Map<number, Waiting>()
  byRealtime.set(realtime, all)
  const known = all.get(broadcastId)
  if (known) return void known.changes.push(...changes)
  const waiting: Waiting = { changes: [...changes], timer: undefined }
  all.set(broadcastId, waiting)
  flush()

  function flush(): void {
    // Nothing came in the last interval: the next change is published immediately again.
    if (waiting.changes.length === 0) return void all.delete(broadcastId)
    const due = withoutDeleted(waiting.changes.splice(0))
    for (let at = 0; at < due.length; at += changesMax) publish(realtime, broadcastId, due.slice(at, at + changesMax))
    waiting.timer = setTimeout(flush, everyMs).unref()
  }
}

const publish = (realtime: RealtimeControl, broadcast_id: number, payload: ChatChange[]): void =>
  realtime.publish(
    { type: 'broadcast', id: broadcast_id },
    { event: 'messages', broadcast_id, event_id: randomUUID(), restream_id: null, platform: null, payload },
  )

/** Removes messages that a later change deletes, so that no publication has their text. */
function withoutDeleted(changes: readonly ChatChange[]): ChatChange[] {
  const deleted = new Set<string>()
  const cleared: Cleared[] = []
  return changes
    .toReversed()
    .filter((change) => {
      if (change.action === 'deleted') deleted.add(change.event_id)
      if (change.action === 'cleared') cleared.push(change)
      if (change.action !== 'got' && change.action !== 'create') return true
      return !deleted.has(change.event_id) && !cleared.some((one) => isCleared(change, one))
    })
    .toReversed()
}
