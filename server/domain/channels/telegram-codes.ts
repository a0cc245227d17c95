// Codes that connect a chat of Telegram to a channel: an administrator posts one in the chat, and each works once.
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { isOverLimit } from '#server/core/limits.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'
import { BotRefusedError, callBot } from '#server/core/telegram-bot.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { isGroup, postOf, type TelegramMessage, type TelegramUpdate, textOf } from './telegram.ts'
import { findByCode, updateChat } from './telegram-store.ts'

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
