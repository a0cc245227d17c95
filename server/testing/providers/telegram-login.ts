// What Telegram's login widget says, signed by a bot of a test.
import { signatureOf, type TelegramFields } from '#server/domain/account/telegram-login.ts'

export const botToken = '4711:a-token-of-a-test'

/** Signs what is said about a person. */
export const signed = <F extends Omit<TelegramFields, 'hash'>>(fields: F): F & { readonly hash: string } => ({
  ...fields,
  hash: signatureOf(botToken, fields),
})
