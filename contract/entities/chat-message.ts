// Chat: messages of all platforms in one shape, and the abilities of each chat. Texts are plain: clients must never insert
// them as markup.
import * as z from 'zod/mini'
import { DateTime, maybe } from '#contract/core/lenient.ts'

/** Part of a message, in reading order; the texts together are the text of the message. */
export const ChatEntity = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  // `image`: HTTPS URL on a host that the service allows for the platform.
  z.object({ type: z.literal('emoji'), id: z.string(), name: z.string(), image: z.nullable(z.string()) }),
  z.object({ type: z.literal('mention'), text: z.string(), id: z.optional(z.string()) }),
  z.object({ type: z.literal('link'), text: z.string(), url: z.string() }),
])
export type ChatEntity = z.output<typeof ChatEntity>

/** Kinds of messages: `paid` are donations and cheers, `member` subscriptions, `notice` announcements of the platform. */
export const chatKinds = ['message', 'paid', 'member', 'raid', 'notice'] as const
/** Roles of authors. */
export const chatRoles = ['owner', 'moderator', 'member', 'vip', 'bot'] as const
/** Reasons why a message is hidden: a moderator, a muted author, a filtered word, and filters of bots and `!commands`. */
export const hiddenBy = ['person', 'author', 'word', 'bot', 'command'] as const
/** Outcome of a message at one platform. `unknown`: no response; it is never sent again. */
export const chatTargetStates = ['sending', 'delivered', 'failed', 'unknown'] as const

/** Author of a message (published as an object without fields). */
export const ChatSender = z.object({
  id: z.string(),
  name: z.string(),
  login: z.optional(z.string()),
  color: z.optional(z.string()),
  avatar: z.optional(z.string()),
  badges: z.array(z.object({ id: z.string(), title: z.string(), image: z.optional(z.string()) })),
  roles: z.array(z.enum(chatRoles)),
})
export type ChatSender = z.output<typeof ChatSender>

/** A message at one restream: received there, or sent there. */
export const ChatMessageRestream = z.object({
  id: z.nullable(z.string()),
  event_id: z.optional(z.string()),
  restream_id: z.int(),
  platform: z.string(),
  created_at: DateTime,
  error: z.optional(z.string()),
  state: z.enum(chatTargetStates),
  retry_after: z.optional(z.int()),
})
export type ChatMessageRestream = z.output<typeof ChatMessageRestream>

/** Message (published `MessageResponseDto`). Decided: `seq` and the fields after `is_outgoing`. */
export const ChatMessage = z.object({
  event_id: z.string(),
  restreams: z.array(ChatMessageRestream),
  entities: z.array(ChatEntity),
  text: z.string(),
  sender: ChatSender,
  created_at: DateTime,
  broadcast_id: z.int(),
  is_outgoing: z.boolean(),
  seq: z.int(),
  rev: z.int(),
  kind: z.enum(chatKinds),
  paid: z.nullable(z.object({ amount: z.number(), currency: z.string(), text: z.string() })),
  reply_to: z.nullable(z.object({ event_id: z.nullable(z.string()), id: z.nullable(z.string()) })),
  hidden: z.nullable(z.enum(hiddenBy)),
  late: z.boolean(),
  deleted: z.boolean(),
})
export type ChatMessage = z.output<typeof ChatMessage>

/** A message that was deleted or hidden. */
export const ChatTombstone = z.object({ event_id: z.string(), rev: z.int(), gone: z.literal(true) })

/** Notes on `ChatMessage`. */
export const messageNotes = {
  event_id: 'UUID of the message',
  seq: 'decided: position in the broadcast; grows with each message, with gaps where messages are hidden',
  rev: 'decided: number of its last change in the broadcast; at first `seq`',
  text: 'plain text: insert it as text, never as HTML',
  created_at: 'time at the platform; the order is that of `seq`',
  paid: 'decided: shown, never booked; `amount` in minor units of `currency`, or in units of the platform (bits, elixir)',
  hidden: 'decided: why overlays do not get it; null: visible',
  late: 'decided: received after a gap, older than messages before it',
  deleted: 'decided: removed; the text is empty',
} as const

/** Why a chat cannot do something, and what ends that: docs/chat.md. */
export const chatReasons = [
  'reconnect',
  'scope',
  'account',
  'page',
  'setup',
  'quota',
  'no_chat',
  'forbidden',
  'lost',
  'unreachable',
  'plan',
  'unsupported',
] as const

/** Units that are left today, of how many. */
const QuotaPart = z.object({ left: z.int(), of: z.int() })

/** Abilities and state of the chat of one channel. */
export const ChatCapability = z.object({
  restream_id: z.nullable(z.int()),
  channel_id: z.int(),
  name: z.string(),
  platform: z.string(),
  state: z.enum(['off', 'connecting', 'reading', 'waiting', 'failed']),
  reason: z.nullable(z.enum(chatReasons)),
  until: z.nullable(DateTime),
  gap_since: z.nullable(DateTime),
  read: z.boolean(),
  send: z.boolean(),
  reply: z.boolean(),
  delete: z.boolean(),
  restricts: z.enum(['none', 'ban', 'timeout']),
  timeout_max: z.nullable(z.int()),
  text_max: z.int(),
  rate: z.object({ messages: z.int(), seconds: z.int() }),
  needs: z.nullable(z.enum(['reconnect', 'scope', 'account', 'plan', 'page', 'setup', 'quota'])),
  popout_url: z.nullable(z.string()),
  // Only where a platform gives the whole server a number of calls a day.
  quota: z.optional(z.object({ read: QuotaPart, write: QuotaPart, until: DateTime })),
})
export type ChatCapability = z.output<typeof ChatCapability>

/** Filters and times of a project's chat. They hide messages here and change nothing at the platforms. */
export const ChatSettings = z.object({
  words: z.array(z.string()),
  hide_bots: z.boolean(),
  hide_commands: z.boolean(),
  hold_back: z.int(),
  keep_days: z.int(),
  muted: z.array(
    z.object({ platform: z.string(), sender_id: z.string(), name: z.string(), date_create: maybe(DateTime) }),
  ),
})
export type ChatSettings = z.output<typeof ChatSettings>

/** Rights of chat keys. */
export const chatKeyRights = ['read', 'write'] as const
