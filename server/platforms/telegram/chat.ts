// Chat of Telegram: the discussion group of a connected channel, or a connected group, by the service's bot. The loop that reads
// the bot's updates delivers the messages into the inbox of the group (server/app/telegram/updates.ts).
import { setTimeout as wait } from 'node:timers/promises'
import { ChatSendError, type ChatSendReason } from '#server/core/chat-errors.ts'
import {
  type ChatEntity,
  type ChatEvent,
  type ChatRole,
  type ChatSender,
  type PlatformMessage,
  textOfEntities,
} from '#server/core/chat.ts'
import type { ProviderRefusedError } from '#server/core/provider-http.ts'
import { BotRefusedError, callBot } from '#server/core/telegram-bot.ts'
import { findThread, Message, type TelegramMessage } from '#server/domain/channels/telegram.ts'
import { type ChatRow, findConnectedChat, updateDiscussion } from '#server/domain/channels/telegram-store.ts'
import { readInbox } from '#server/domain/platforms/inbox.ts'
import {
  type ChatContext,
  ChatRefused,
  type ChatServices,
  type ChatSource,
  type ReaderContext,
} from '#server/chat/port.ts'
import { asCommand, asReader } from '#server/chat/account-api.ts'
import { createPace } from '#server/chat/pace.ts'

/** Shortest and longest restriction in seconds; Telegram takes others as for ever. */
const restriction = { min: 35, max: 366 * 86_400 - 60 } as const
/** Longest wait of a send for its turn in the group. */
const waitMaxMs = 5000
/** Limits of a bot: one message a second and chat, 20 a minute and group. */
const pace = createPace({ everyMs: 1000, windowMs: 60_000, max: 20 })

/** A group whose messages are the chat. */
interface Group {
  readonly id: string
  readonly row: ChatRow
}

/** @throws ChatRefused, BotRefusedError, ProviderUnavailableError */
async function groupOf({
  services,
  place,
}: {
  readonly services: ChatServices
  readonly place: ReaderContext['place']
}): Promise<Group> {
  const row = place.externalId === '' ? undefined : await findConnectedChat(services.db, place.externalId)
  if (!row) throw new ChatRefused('account', 'No chat is connected to the bot')
  if (row.discussion_id !== null) return { id: row.discussion_id, row }
  const chat = await callBot(services, (api) => api.getChat(place.externalId))
  const id = chat.type === 'channel' ? chat.linked_chat_id : chat.id
  if (id === undefined) throw new ChatRefused('no_chat', 'The channel has no discussion group')
  await updateDiscussion(services.db, place.externalId, String(id))
  return { id: String(id), row }
}

async function* open(ctx: ReaderContext): AsyncIterable<ChatEvent> {
  const { services, signal } = ctx
  const group = await asReader(() => groupOf(ctx), reasonOf)
  await asReader(() => needAccess(services, group.id), reasonOf)
  let thread = await asReader(() => findThread(services.db, group.row))
  yield { is: 'state', state: 'reading' }
  for await (const body of readInbox(services.db, `telegram:${group.id}`, signal)) {
    const { data } = Message.safeParse(body)
    if (!data) {
      ctx.malformed()
      continue
    }
    // A new post may be the chosen one.
    if (data.is_automatic_forward) thread = await asReader(() => findThread(services.db, group.row))
    const message = isComment(data, thread) ? messageOf(data, group, thread) : null
    if (message) yield { is: 'message', message }
  }
}

/** @throws ChatRefused when the bot receives no messages of the group: not a member, or in privacy mode without rights */
async function needAccess(services: ChatServices, groupId: string): Promise<void> {
  const bot = await callBot(services, (api) => api.getMe())
  const { status } = await callBot(services, (api) => api.getChatMember(groupId, bot.id))
  const isIn = status === 'administrator' || (status === 'member' && bot.can_read_all_group_messages)
  if (!isIn) throw new ChatRefused('forbidden', 'The bot is no administrator of the discussion group')
}

/** Comments of the chosen post, and all messages of a group without posts. */
function isComment(message: TelegramMessage, thread: number | null): boolean {
  if (message.is_automatic_forward) return false
  if (thread === null) return true
  return message.message_thread_id === thread || message.reply_to_message?.message_id === thread
}

function messageOf(
  message: TelegramMessage,
  { id: groupId, row }: Group,
  thread: number | null,
): PlatformMessage | null {
  const entities = entitiesOf(message)
  const sender = senderOf(message, groupId, row.chat_id)
  if (entities.length === 0 || !sender) return null
  const reply = message.reply_to_message?.message_id
  return {
    id: String(message.message_id),
    kind: 'message',
    text: textOfEntities(entities),
    entities,
    sender,
    createdAt: new Date(message.date * 1000),
    ...(reply === undefined || reply === thread ? {} : { replyTo: String(reply) }),
  }
}

/** Users, and chats that write as themselves: the channel, and anonymous administrators as the group. */
function senderOf(
  { from, sender_chat: chat }: TelegramMessage,
  groupId: string,
  channelId: string | null,
): ChatSender | null {
  if (chat) {
    const id = String(chat.id)
    const roles: ChatRole[] = id === channelId ? ['owner'] : id === groupId ? ['moderator'] : []
    return { id, name: chat.title, ...(chat.username && { login: chat.username }), badges: [], roles }
  }
  if (!from) return null
  const name = `${from.first_name} ${from.last_name}`.trim()
  const login = from.username === '' ? {} : { login: from.username }
  return { id: String(from.id), name, ...login, badges: [], roles: from.is_bot ? ['bot'] : [] }
}

function entitiesOf({ text, caption, sticker, photo, video, document }: TelegramMessage): ChatEntity[] {
  const written = text ?? caption ?? sticker?.emoji ?? ''
  const media = [photo && '[photo]', video !== undefined && '[video]', document !== undefined && '[file]'].filter(
    (word) => typeof word === 'string',
  )
  const all = [...media, ...(written === '' ? [] : [written])].join(' ')
  return all === '' ? [] : [{ type: 'text', text: all }]
}

/** 400 stands for many refusals; the description distinguishes them. */
function reasonOf(refusal: ProviderRefusedError): 'setup' | 'forbidden' | undefined {
  if (!(refusal instanceof BotRefusedError)) return undefined
  if (refusal.code === 401 || refusal.code === 404) return 'setup'
  return refusal.code === 403 || refusal.code === 400 ? 'forbidden' : undefined
}

function commandReasonOf(refusal: ProviderRefusedError): ChatSendReason | undefined {
  if (!(refusal instanceof BotRefusedError)) return undefined
  if (refusal.code === 429) throw new ChatSendError('too_fast', 'Telegram limits the rate.', refusal.retryAfter)
  if (/not found/i.test(refusal.description)) return 'gone'
  if (/too long/i.test(refusal.description)) return 'too_long'
  return reasonOf(refusal)
}

const command = <T>(ctx: ChatContext, run: (group: Group, services: ChatServices) => Promise<T>): Promise<T> =>
  asCommand(async () => {
    try {
      return await run(await groupOf(ctx), ctx.services)
    } catch (error) {
      throw error instanceof ChatRefused ? new ChatSendError(error.reason, error.message) : error
    }
  }, commandReasonOf)

/** Telegram: the bot reads and writes; no account is needed. */
export const chat: ChatSource = {
  open,

  send: (ctx, { text, replyTo }) =>
    command(ctx, async ({ id, row }, services) => {
      const turn = pace.take(id, performance.now())
      if (turn > waitMaxMs) throw new ChatSendError('too_fast', 'Telegram limits the rate.', Math.ceil(turn / 1000))
      await wait(turn)
      const answered = replyTo === undefined ? await findThread(services.db, row) : Number(replyTo)
      const reply_parameters =
        answered === null ? undefined : { message_id: answered, allow_sending_without_reply: replyTo === undefined }
      const options = { link_preview_options: { is_disabled: true }, ...(reply_parameters && { reply_parameters }) }
      const { message_id } = await callBot(services, (api) => api.sendMessage(id, text, options))
      return { id: String(message_id) }
    }),

  remove: (ctx, messageId) =>
    command(ctx, async ({ id }, services) => {
      await callBot(services, (api) => api.deleteMessage(id, Number(messageId)))
    }),

  restrict: (ctx, senderId, seconds) =>
    command(ctx, async ({ id }, services) => {
      const sender = Number(senderId)
      if (sender < 0) await callBot(services, (api) => api.banChatSenderChat(id, sender))
      else if (seconds === null) await callBot(services, (api) => api.banChatMember(id, sender))
      else {
        const life = Math.min(restriction.max, Math.max(restriction.min, seconds))
        const until_date = Math.floor(services.clock.now().getTime() / 1000) + life
        await callBot(services, (api) => api.restrictChatMember(id, sender, allOf(false), { until_date }))
        return { liftId: 'restricted' }
      }
      return { liftId: 'banned' }
    }),

  lift: (ctx, senderId, liftId) =>
    command(ctx, async ({ id }, services) => {
      const sender = Number(senderId)
      if (sender < 0) await callBot(services, (api) => api.unbanChatSenderChat(id, sender))
      else if (liftId === 'restricted')
        await callBot(services, (api) => api.restrictChatMember(id, sender, allOf(true)))
      else await callBot(services, (api) => api.unbanChatMember(id, sender, { only_if_banned: true }))
    }),
}

/** Permissions to write. */
const allOf = (isAllowed: boolean) => ({
  can_send_messages: isAllowed,
  can_send_audios: isAllowed,
  can_send_documents: isAllowed,
  can_send_photos: isAllowed,
  can_send_videos: isAllowed,
  can_send_video_notes: isAllowed,
  can_send_voice_notes: isAllowed,
  can_send_polls: isAllowed,
  can_send_other_messages: isAllowed,
})
