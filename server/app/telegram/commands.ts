// Commands in private chats with the bot: `/start <token>` links the chat to a user, `/stop` ends that.
import type { BotCommandHandler } from '#server/core/telegram-bot.ts'
import { answerBotCommand } from '#server/domain/notifications/telegram-link.ts'

/** Handles a command. */
export const telegramCommand: BotCommandHandler = (services, command) => answerBotCommand(services, command)
