// Changes of a chat as events of a message list.
import * as z from 'zod/mini'
import { ChatBatch, ChatChange } from '#contract/events/chat.ts'
import { isDeletedBy } from '#contract/events/chat-order.ts'
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'
import type { LogEvent } from '#src/components/message-list/rows.ts'

const Batch = z.extend(ChatBatch, { payload: z.array(z.unknown()) })

/** Reads a publication of the broadcast's channel. @returns null for other ones; without the changes that a newer service may add */
export function readBatch(data: unknown): ChatBatch | null {
  if ((data as { event?: unknown } | null)?.event !== 'messages') return null
  const { data: batch } = Batch.safeParse(data)
  return batch
    ? { ...batch, payload: batch.payload.flatMap((change) => ChatChange.safeParse(change).data ?? []) }
    : null
}

/** Returns the changes that a list shows. @param platformOf platform of a restream, for rows about it */
export const eventsOf = (
  changes: readonly ChatChange[],
  platformOf: (restreamId: number) => string,
): readonly LogEvent[] => changes.flatMap((change) => eventOf(change, platformOf) ?? [])

function eventOf(change: ChatChange, platformOf: (restreamId: number) => string): LogEvent | null {
  switch (change.action) {
    case 'got':
    case 'create': {
      const { action: _action, ...message } = change
      return { is: 'message', message }
    }
    case 'delivered':
      return {
        is: 'changed',
        eventId: change.event_id,
        rev: change.rev,
        change: (known) => ({ ...known, restreams: known.restreams.map((one) => laterOf(one, change.restreams)) }),
      }
    case 'deleted':
      return { is: 'deleted', eventId: change.event_id, rev: change.rev }
    case 'cleared':
      return { is: 'cleared', rev: change.rev, fits: (message) => isDeletedBy(change, message) }
    case 'skipped':
    case 'gap': {
      const { action, restream_id } = change
      const count = change.action === 'skipped' ? change.count : 0
      const note = { kind: action, platform: platformOf(restream_id), count }
      return { is: 'note', note }
    }
    case 'starred':
    case 'state':
      return null
  }
}

type Restream = ChatMessage['restreams'][number]

const laterOf = (known: Restream, later: readonly Restream[]): Restream =>
  later.find(({ restream_id }) => restream_id === known.restream_id) ?? known

/** Rows with the changed states of chats. */
export function withStates(rows: readonly ChatCapability[], changes: readonly ChatChange[]): ChatCapability[] {
  const states = changes.filter((change) => change.action === 'state')
  return rows.map((row) => {
    const change = states.findLast(({ restream_id }) => restream_id === row.restream_id)
    return change ? { ...row, state: change.state, reason: change.reason, until: change.until } : row
  })
}
