// The service's Telegram bot (core.telegram.org/bots/api): its updates, and the posts of chats that a code has connected to a channel.
import * as z from 'zod/mini'
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { BotRefusedError, callBot } from '#server/core/telegram-bot.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import {
  type ChatRow,
  findByCode,
  hasChat,
  listPosts,
  type PostRow,
  updateChat,
  updateDiscussion,
  updatePinnedPost,
  updatePostThread,
  upsertPost,
} from './telegram-store.ts'
import { isOverLimit } from '#server/core/limits.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'

// The post of a Telegram channel whose comments belong to a broadcast.

/** Choice of a post: the newest, the pinned one, one by its id, or one by its link. */
export interface PostChoice {
  /** 0 newest, 1 pinned, 2 `messageId`, 3 `link`. */
  readonly mode: 0 | 1 | 2 | 3
  readonly messageId?: number | undefined
  readonly link?: string | undefined
}

/** Posts that a user can choose from. */
export const postsMax = 50

/** Returns the choice of a chat. */
export const choiceOf = ({ filter_mode, message_id, link }: ChatRow): PostChoice => ({
  mode: filter_mode as PostChoice['mode'],
  messageId: message_id ?? undefined,
  link,
})

/** Returns the chosen post. @param posts newest first */
export function postBy(posts: readonly PostRow[], { mode, messageId, link }: PostChoice): PostRow | undefined {
  if (mode === 0) return posts[0]
  if (mode === 1) return posts.find(({ pinned }) => pinned === 1)
  const wanted = mode === 2 ? messageId : messageIn(link)
  return posts.find(({ message_id }) => message_id === wanted)
}

/** Returns the number at the end of `https://t.me/name/12`; null without one. */
export function messageIn(link: string | undefined): number | null {
  const number = /\/(\d{1,9})(?:\?.*)?$/.exec(link ?? '')?.[1]
  return number === undefined ? null : Number(number)
}

/** Returns the message of the discussion group under which the comments of the chosen post are; null when unknown. */
export async function findThread(db: ReadDb, row: ChatRow): Promise<number | null> {
  if (row.chat_id === null || row.chat_id === row.discussion_id) return null
  return postBy(await listPosts(db, row.chat_id, postsMax), choiceOf(row))?.thread_id ?? null
}

// Codes that connect a chat of Telegram to a channel: an administrator posts one in the chat, and each works once.

/** Lifetime of a code. */
const codeLifeMs = 3_600_000
const codePrefix = 'relaydeck-'
/** Requests for the rights of one user in one group, a minute. */
const checksPerMinute = 10

/** Returns a new code that connects a chat to a channel. */
export const newChatCode = (): string => codePrefix + randomToken().slice(0, 24)

/** A message with a pending code. */
export interface PostedCode {
  readonly message: TelegramMessage
  /** The sender may connect the chat. */
  readonly isByAdmin: boolean
}

/**
 * Returns the pending code of an update; null: it has none. Requests the rights of the sender, so call it outside of transactions.
 * @throws BotRefusedError when Telegram limits the rate, ProviderUnavailableError
 */
export async function findPostedCode(services: Reading<Services>, update: TelegramUpdate): Promise<PostedCode | null> {
  const message = postOf(update)
  // The copy of a channel's post in the discussion group.
  if (!message || message.is_automatic_forward) return null
  if (!(await findPending(services, services.db, message))) return null
  return { message, isByAdmin: await isByAdmin(services, message) }
}

/** Connects the chat in which an administrator posted a code. A repeated code changes nothing. */
export async function connectByCode(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  { message, isByAdmin: mayConnect }: PostedCode,
): Promise<void> {
  const pending = mayConnect ? await findPending(services, trx, message) : undefined
  if (!pending) return
  const { id, title, username } = message.chat
  await updateChat(trx, pending.channel_id, {
    chat_id: String(id),
    discussion_id: isGroup(message.chat) ? String(id) : null,
    name: title,
    domain: username,
    code_hash: null,
    date_update: iso(services.clock.now()),
  })
}

/** Deletes the message of a code in a group, if the bot has the right to: refused codes are still valid. */
export async function deleteCode(services: Services, { message }: PostedCode): Promise<void> {
  if (!isGroup(message.chat)) return
  try {
    await callBot(services, (api) => api.deleteMessage(message.chat.id, message.message_id))
  } catch (error) {
    services.log.info({ err: error }, 'The message of a code was not deleted')
  }
}

function findPending({ clock }: Pick<Services, 'clock'>, db: ReadDb, message: TelegramMessage) {
  const text = textOf(message)
  if (!text.startsWith(codePrefix)) return undefined
  return findByCode(db, hashOf(text), iso(later(clock.now(), -codeLifeMs)))
}

/** Posts of a channel are by its administrators; in a group everyone writes. */
async function isByAdmin(services: Reading<Services>, message: TelegramMessage): Promise<boolean> {
  const { chat, from, sender_chat: sender, forward_origin: origin } = message
  if (!isGroup(chat)) return chat.type === 'channel'
  if (origin) return false
  // Anonymous administrators write as the group; other chats as sender are channels of members.
  if (sender) return sender.id === chat.id
  if (!from || from.is_bot) return false
  if (isOverLimit(services.limits, `telegram code ${chat.id} ${from.id}`, checksPerMinute)) return false
  try {
    const { status } = await callBot(services, (api) => api.getChatMember(chat.id, from.id))
    return status === 'creator' || status === 'administrator'
  } catch (error) {
    if (error instanceof BotRefusedError && [400, 403].includes(error.code)) return false
    throw error
  }
}

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
