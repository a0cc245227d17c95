// The service's Telegram bot (core.telegram.org/bots/api): its updates, and the posts of chats that a code has connected to a channel.
import * as z from 'zod/mini'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { callBot } from '#server/core/telegram-bot.ts'
import type { Trx } from '#server/db/open.ts'
import { hasChat, updateDiscussion, updatePinnedPost, updatePostThread, upsertPost } from './telegram-store.ts'

/** PostgreSQL stores no zero byte. */
const Text = z.pipe(
  z.string(),
  z.transform((text) => text.replaceAll('\0', '')),
)
const MessageId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
const ChatRef = z.object({
  id: z.int(),
  type: z._default(z.string(), ''),
  title: z._default(Text, ''),
  username: z._default(Text, ''),
})
/** A user; `language_code` is an IETF tag. */
const From = z.object({
  id: z.int(),
  is_bot: z._default(z.boolean(), false),
  first_name: z._default(Text, ''),
  last_name: z._default(Text, ''),
  username: z._default(Text, ''),
  language_code: z._default(Text, ''),
})
/** Schema of a message of a chat, with the fields that the service uses. */
export const Message = z.object({
  message_id: MessageId,
  date: z._default(z.int(), 0),
  chat: ChatRef,
  from: z.optional(From),
  sender_chat: z.optional(ChatRef),
  message_thread_id: z.optional(MessageId),
  is_automatic_forward: z._default(z.boolean(), false),
  forward_origin: z.optional(
    z.object({ type: z.string(), chat: z.optional(ChatRef), message_id: z.optional(MessageId) }),
  ),
  reply_to_message: z.optional(z.object({ message_id: MessageId })),
  text: z.optional(Text),
  caption: z.optional(Text),
  sticker: z.optional(z.object({ emoji: z._default(z.string(), '') })),
  photo: z.optional(z.array(z.unknown())),
  video: z.optional(z.unknown()),
  document: z.optional(z.unknown()),
  pinned_message: z.optional(z.object({ message_id: MessageId })),
})
export type TelegramMessage = z.output<typeof Message>
/** Ids of updates; a larger one would move the offset past all later updates. */
const UpdateId = z.int().check(z.minimum(0), z.maximum(2_147_483_646))
const Identified = z.object({ update_id: UpdateId })
const Update = z.object({
  update_id: UpdateId,
  message: z.optional(Message),
  channel_post: z.optional(Message),
  edited_channel_post: z.optional(Message),
  my_chat_member: z.optional(
    z.object({ chat: ChatRef, from: From, new_chat_member: z.object({ status: z.string() }) }),
  ),
})
export type TelegramUpdate = z.output<typeof Update>

/** Kinds of updates that the loop requests. */
export const wantedUpdates = ['message', 'channel_post', 'edited_channel_post', 'my_chat_member'] as const

/** Returns the id of an update of any form; null: it has none. */
export const updateIdOf = (update: unknown): number | null => Identified.safeParse(update).data?.update_id ?? null

/** Reads an update. @returns null for an update of an unknown form */
export const readUpdate = (update: unknown): TelegramUpdate | null => Update.safeParse(update).data ?? null

/** Returns the name of the bot. @throws RuleError `ProviderNotConfigured`, BotRefusedError, ProviderUnavailableError */
export async function botName(services: Pick<Services, 'config'>): Promise<string> {
  return (await callBot(services, (api) => api.getMe())).username
}

/** Returns the message or post of an update in a channel or group. */
export function postOf({ channel_post, edited_channel_post, message }: TelegramUpdate): TelegramMessage | null {
  const post = channel_post ?? edited_channel_post ?? message
  return post && post.chat.type !== 'private' ? post : null
}

/** Returns the text of a message, or of its media. */
export const textOf = ({ text, caption }: TelegramMessage): string => (text ?? caption ?? '').trim()

/** Returns whether members write in a chat: groups and supergroups. */
export const isGroup = ({ type }: TelegramMessage['chat']): boolean => type.endsWith('group')

/** Stores the posts of an update, and the discussion group of a channel. Repeated updates change nothing. */
export async function takeUpdate({ clock }: Pick<Services, 'clock'>, trx: Trx, update: TelegramUpdate): Promise<void> {
  const post = postOf(update)
  if (!post) return
  const origin = post.forward_origin
  if (post.is_automatic_forward && origin?.chat && origin.message_id !== undefined) {
    const chatId = String(origin.chat.id)
    await updateDiscussion(trx, chatId, String(post.chat.id))
    return await updatePostThread(trx, { chatId, messageId: origin.message_id, threadId: post.message_id })
  }
  // Messages of a group are its chat, not posts.
  const chatId = String(post.chat.id)
  if (isGroup(post.chat) || !(await hasChat(trx, chatId))) return
  if (post.pinned_message) return await updatePinnedPost(trx, chatId, post.pinned_message.message_id)
  const attachments = JSON.stringify({
    photo: post.photo !== undefined,
    video: post.video !== undefined,
    document: post.document !== undefined,
  })
  const { message_id } = post
  await upsertPost(trx, { chat_id: chatId, message_id, text: textOf(post), attachments, date_create: iso(clock.now()) })
}
