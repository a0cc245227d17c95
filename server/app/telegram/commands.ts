// Commands in private chats with the bot: `/start <token>` and `/stop`.
import type { BotCommandHandler } from '#server/core/telegram-bot.ts'

/** Handles a command. The bot has no commands yet and does not reply. */
export const telegramCommand: BotCommandHandler = async () => null
