// Publications of chats in `$broadcast:…`: batches of changes, at most one in 100 ms and 50 changes each.
import * as z from 'zod/mini'
import { ChatCapability, ChatMessage, ChatMessageRestream } from '#contract/entities/chat-message.ts'

/** Number of a change in the order of commits; replicas of an older version leave it out. */
const number = z.optional(z.int())

/**
 * One change of a chat. `got`, `create` and `delivered` are published names: a message was received, a message was sent from
 * here, and a platform took or refused it. The others are decided. A message that becomes visible again is a `got`.
 */
export const ChatChange = z.discriminatedUnion('action', [
  // `shown_seq`: number of the change that made it visible again; without it the number is `seq`.
  z.object({ action: z.literal('got'), ...ChatMessage.shape, shown_seq: number }),
  z.object({ action: z.literal('create'), ...ChatMessage.shape }),
  z.object({ action: z.literal('delivered'), event_id: z.string(), restreams: z.array(ChatMessageRestream) }),
  // Also for a message that was hidden. A `got` or `create` of it with a number up to `last_seq` is older.
  z.object({ action: z.literal('deleted'), event_id: z.string(), last_seq: number }),
  // All messages of an author that were received at a restream; `sender_id` null: all of them. See `isCleared`.
  z.object({ action: z.literal('cleared'), restream_id: z.int(), sender_id: z.nullable(z.string()), last_seq: number }),
  // The message that overlays show until it is cleared; null: none. A change with a smaller number than the last one is older.
  z.object({ action: z.literal('starred'), event_id: z.nullable(z.string()), star_seq: z.int() }),
  z.object({ action: z.literal('skipped'), restream_id: z.int(), count: z.int() }),
  z.object({ action: z.literal('gap'), restream_id: z.int(), since: z.string() }),
  z.object({
    action: z.literal('state'),
    restream_id: z.int(),
    state: ChatCapability.shape.state,
    reason: ChatCapability.shape.reason,
    until: ChatCapability.shape.until,
  }),
])
export type ChatChange = z.output<typeof ChatChange>

/** A batch. `event_id` is that of the batch; `restream_id` and `platform` are null, since a batch has several. */
export const ChatBatch = z.object({
  event: z.literal('messages'),
  broadcast_id: z.int(),
  event_id: z.string(),
  restream_id: z.null(),
  platform: z.null(),
  payload: z.array(ChatChange),
})
export type ChatBatch = z.output<typeof ChatBatch>
