// Fields of Telegram's login widget, signed with the token of a test bot.
import { signatureOf, type TelegramFields } from '#server/domain/account/telegram-login.ts'

export const botToken = '4711:a-token-of-a-test'

/** Signs the fields of a user. */
export const signed = <F extends Omit<TelegramFields, 'hash'>>(fields: F): F & { readonly hash: string } => ({
  ...fields,
  hash: signatureOf(botToken, fields),
})
