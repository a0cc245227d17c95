// Publications of chats in `$broadcast:…`: batches of changes, at most one in 100 ms and 50 changes each.
import * as z from 'zod/mini'
import { ChatCapability, ChatMessage, ChatMessageRestream } from '#contract/entities/chat-message.ts'

/** Number of a change in the broadcast, in the order of commits: see `ChatOrder`. */
const rev = z.int()

/**
 * One change of a chat. `got`, `create` and `delivered` are published names: a message was received, a message was sent from
 * here, and a platform took or refused it. The others are decided. A message that becomes visible again is a `got`. Samples have the
 * number 0, `skipped`, `gap` and `state` have none: they are not stored with the messages.
 */
export const ChatChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('got'), ...ChatMessage.shape }),
  z.object({ action: z.literal('create'), ...ChatMessage.shape }),
  z.object({ action: z.literal('delivered'), event_id: z.string(), restreams: z.array(ChatMessageRestream), rev }),
  // Also for a message that was hidden.
  z.object({ action: z.literal('deleted'), event_id: z.string(), rev }),
  // All messages of an author that were received at a restream; `sender_id` null: all of them. See `isCleared`.
  z.object({ action: z.literal('cleared'), restream_id: z.int(), sender_id: z.nullable(z.string()), rev }),
  // The message that overlays show until it is cleared; null: none.
  z.object({ action: z.literal('starred'), event_id: z.nullable(z.string()), rev }),
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

/**
 * A batch. It has all changes after the number `after`, up to `upto`; both are left out where no change has a number. `event_id` is that
 * of the batch; `restream_id` and `platform` are null, since a batch has several.
 */
export const ChatBatch = z.object({
  event: z.literal('messages'),
  broadcast_id: z.int(),
  event_id: z.string(),
  restream_id: z.null(),
  platform: z.null(),
  after: z.optional(z.int()),
  upto: z.optional(z.int()),
  payload: z.array(ChatChange),
})
export type ChatBatch = z.output<typeof ChatBatch>
