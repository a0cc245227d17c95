// Sends notifications to the linked private chats of the bot.
import type { Services } from '#server/core/context.ts'
import { BotRefusedError, callBot } from '#server/core/telegram-bot.ts'
import type { Message, Outcome } from '#server/domain/notifications/outbox.ts'
import { removeTelegramLink } from '#server/domain/notifications/addresses-store.ts'
import { compose } from './compose.ts'

/** The Bot API accepts 4,096 characters. */
const textMax = 3_500

/** Sends a message to a chat. A chat that blocked the bot is unlinked. */
export async function sendByTelegram(services: Services, message: Message): Promise<Outcome> {
  const { chatId } = message
  // Without a chat the user has ended the link since: no failure to report.
  if (services.config.telegramBotToken === null || chatId === null) return { is: 'off' }
  const { title, text, url } = compose(message, services.config.publicUrl)
  // Telegram refuses half of a pair of surrogates.
  const shown = `${title}\n${text}`.slice(0, textMax).replace(/[\uD800-\uDBFF]$/, '')
  const body = [shown, url].filter(Boolean).join('\n\n')
  try {
    await callBot(services, (api) => api.sendMessage(chatId, body, { link_preview_options: { is_disabled: true } }))
    return { is: 'sent' }
  } catch (error) {
    if (!(error instanceof BotRefusedError)) return { is: 'unknown' }
    if (error.code === 403) await removeTelegramLink(services.db, { chat_id: chatId })
    if (error.code === 403 || error.code === 400) return { is: 'gone' }
    return { is: 'refused', retryAfterMs: (error.retryAfter ?? 0) * 1_000 }
  }
}
