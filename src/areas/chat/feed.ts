// Publications of a chat as events of a message list.
import * as z from 'zod/mini'
import { ChatBatch, ChatChange } from '#contract/events/chat.ts'
import { isCleared } from '#contract/events/chat-cleared.ts'
import type { Deletions } from '#contract/events/deletions.ts'
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'
import { starAfter, type StarState } from '#src/lib/chat-star.ts'
import type { LogEvent } from '#src/components/message-list/rows.ts'

/** A change of the star without a number: replicas of an older version publish it during an update. */
const OldStar = z.object({ action: z.literal('starred'), event_id: z.nullable(z.string()) })
const Change = z.union([ChatChange, OldStar])
type Change = z.output<typeof Change>
const Batch = z.extend(ChatBatch, { payload: z.array(z.unknown()) })

/** A publication, split by its consumers. */
export interface Feed {
  readonly events: readonly LogEvent[]
  readonly states: readonly Extract<ChatChange, { action: 'state' }>[]
  /** Returns the star after the publication, from the one before it. */
  readonly starAfter: (star: StarState) => StarState
}

/**
 * Reads a publication of the broadcast's channel.
 * @param platformOf platform of a restream, for rows about it
 * @param deletions of the earlier publications
 * @returns null for other publications. Unreadable changes are left out: a newer service may add kinds
 */
export function readFeed(data: unknown, platformOf: (restreamId: number) => string, deletions: Deletions): Feed | null {
  if ((data as { event?: unknown } | null)?.event !== 'messages') return null
  const { data: batch } = Batch.safeParse(data)
  if (!batch) return null
  const changes = deletions.current(batch.payload.flatMap((change) => Change.safeParse(change).data ?? []))
  return {
    events: changes.flatMap((change) => eventOf(change, platformOf) ?? []),
    states: changes.filter((change) => change.action === 'state'),
    starAfter: (star) => starAfter(star, changes),
  }
}

function eventOf(change: Change, platformOf: (restreamId: number) => string): LogEvent | null {
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
        change: (known) => ({ ...known, restreams: known.restreams.map((one) => laterOf(one, change.restreams)) }),
      }
    case 'deleted':
      return { is: 'deleted', eventId: change.event_id }
    case 'cleared':
      return { is: 'cleared', fits: (message) => isCleared(message, change) }
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
export function withStates(rows: readonly ChatCapability[], states: Feed['states']): ChatCapability[] {
  return rows.map((row) => {
    const change = states.findLast(({ restream_id }) => restream_id === row.restream_id)
    return change ? { ...row, state: change.state, reason: change.reason, until: change.until } : row
  })
}
