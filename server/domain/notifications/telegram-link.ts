// Linking of a private chat with the bot to a user: a token of 128 bits that works once, within 15 minutes.
import type { Language } from '#contract/core/wire.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { fill } from '#server/core/locale.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { BotCommand } from '#server/core/telegram-bot.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { getUser } from '#server/domain/account/store.ts'
import { findChatLink, removeLinkToken, removeTelegramLink, upsertTelegramLink } from './addresses-store.ts'
import { plain, textsIn } from './texts.ts'

/** Handles a command in a private chat with the bot. Idempotent: commands may be repeated. @returns the reply of the bot */
export const answerBotCommand = (services: Pick<Services, 'db' | 'clock'>, command: BotCommand): Promise<string> =>
  transaction(services.db, (trx) => (command.command === 'start' ? link : unlink)(services, trx, command))

async function link({ clock }: Pick<Services, 'clock'>, trx: Trx, command: BotCommand): Promise<string> {
  const { chatId, argument, name, login } = command
  const now = iso(clock.now())
  const token = argument === '' ? undefined : await removeLinkToken(trx, hashOf(argument))
  if (!token || token.date_expire <= now) {
    const known = await findChatLink(trx, chatId)
    if (known) return linked(trx, known.user_id)
    return textsIn(languageOf(command)).telegram[argument === '' ? 'unknown' : 'expired']
  }
  const shown = login === '' ? name : `@${login}`
  await upsertTelegramLink(trx, { user_id: token.user_id, chat_id: chatId, name: shown, date_create: now })
  return linked(trx, token.user_id)
}

async function linked(trx: Trx, userId: number): Promise<string> {
  const { first_name, last_name, language } = await getUser(trx, userId)
  const name = plain([first_name, last_name].filter(Boolean).join(' '))
  return fill(textsIn(language).telegram.linked, { name })
}

async function unlink(_: object, trx: Trx, command: BotCommand): Promise<string> {
  const users = await removeTelegramLink(trx, { chat_id: command.chatId })
  return textsIn(languageOf(command)).telegram[users.length > 0 ? 'stopped' : 'unknown']
}

/** Returns the language of a chat without a user. */
function languageOf({ language }: BotCommand): Language {
  if (language.startsWith('ru')) return 'ru'
  return language.startsWith('zh') ? 'cn' : 'en'
}
