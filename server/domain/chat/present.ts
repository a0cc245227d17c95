// Messages as the wire has them.
import type { ChatMessage, ChatMessageRestream, ChatSender } from '#contract/entities/chat-message.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { ReadDb } from '#server/db/open.ts'
import type { MessageRow } from './messages-store.ts'
import { listTargets, type TargetRow } from './sends-store.ts'

/** Parts of a message that no query filters by. */
export interface MessageBody {
  readonly entities: ChatMessage['entities']
  readonly sender: ChatSender
  readonly paid: ChatMessage['paid']
}

/** Time after which a send without an outcome counts as unknown, milliseconds. */
export const lostMs = 60_000

/** Converts messages with their outcomes. */
export async function presentMessages(
  { clock }: Pick<Services, 'clock'>,
  db: ReadDb,
  rows: readonly MessageRow[],
): Promise<ChatMessage[]> {
  const sent = rows.filter(({ is_outgoing }) => is_outgoing === 1).map(({ event_id }) => event_id)
  const targets = Map.groupBy(await listTargets(db, sent), ({ event_id }) => event_id)
  const lost = iso(later(clock.now(), -lostMs))
  return rows.map((row) => presentMessage(row, targets.get(row.event_id) ?? [], lost))
}

/** @param lost time before which a send without an outcome counts as unknown, ISO 8601 */
export function presentMessage(row: MessageRow, targets: readonly TargetRow[], lost = ''): ChatMessage {
  const { entities, sender, paid } = JSON.parse(row.body) as MessageBody
  return {
    event_id: row.event_id,
    restreams: row.is_outgoing === 1 ? targets.map((target) => presentTarget(target, lost)) : [receivedAt(row)],
    entities,
    text: row.text,
    sender,
    created_at: row.date_create,
    broadcast_id: row.broadcast_id,
    is_outgoing: row.is_outgoing === 1,
    seq: row.seq,
    rev: row.rev,
    kind: row.kind,
    paid,
    reply_to:
      row.reply_event_id === null && row.reply_id === null ? null : { event_id: row.reply_event_id, id: row.reply_id },
    hidden: row.hidden === 'own' ? 'person' : row.hidden,
    late: row.is_late === 1,
    deleted: row.date_delete !== null,
  }
}

const receivedAt = (row: MessageRow): ChatMessageRestream => ({
  id: row.platform_id,
  event_id: row.event_id,
  restream_id: row.restream_id ?? 0,
  platform: row.platform,
  created_at: row.date_create,
  state: 'delivered',
})

/** Converts the outcome at one restream. */
export function presentTarget(target: TargetRow, lost = ''): ChatMessageRestream {
  const isLost = target.state === 'sending' && target.date_update < lost
  const error = isLost ? 'unknown' : target.error
  return {
    id: target.platform_id,
    event_id: target.event_id,
    restream_id: target.restream_id,
    platform: target.platform,
    created_at: target.date_update,
    ...(error === null ? {} : { error }),
    state: isLost ? 'unknown' : target.state,
    ...(target.retry_after === null ? {} : { retry_after: target.retry_after }),
  }
}
