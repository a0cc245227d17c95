// Publishes changes of chats in batches: the first one immediately, later ones each 100 ms, at most 50 changes each.
import { randomUUID } from 'node:crypto'
import type { ChatChange } from '#contract/events/chat.ts'
import { type Cleared, isCleared } from '#contract/events/chat-cleared.ts'
import { collector } from '#server/core/collect.ts'
import type { RealtimeControl, Services } from '#server/core/context.ts'

const everyMs = 100
const changesMax = 50

type Collect = ReturnType<typeof collector<ChatChange>>
const byRealtime = new WeakMap<RealtimeControl, Map<number, Collect>>()

/** Publishes changes of a broadcast's chat. Call it after the transaction. Never throws. */
export function publishChat(
  { realtime }: Pick<Services, 'realtime'>,
  broadcastId: number,
  changes: readonly ChatChange[],
): void {
  if (changes.length === 0) return
  const all = byRealtime.get(realtime) ?? new Map<number, Collect>()
  byRealtime.set(realtime, all)
  const collect = all.get(broadcastId) ?? collectorOf(() => all.delete(broadcastId))
  all.set(broadcastId, collect)
  collect(changes)

  function collectorOf(onSilence: () => void): Collect {
    const pass = (waiting: ChatChange[]) => {
      const due = withoutDeleted(waiting)
      for (let at = 0; at < due.length; at += changesMax) publish(realtime, broadcastId, due.slice(at, at + changesMax))
    }
    return collector(everyMs, pass, onSilence)
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
