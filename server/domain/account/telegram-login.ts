// Verification of Telegram's login widget: signed with the token of the bot, valid for a day, accepted once.
// https://core.telegram.org/widgets/login#checking-authorization
import { createHmac, hash } from 'node:crypto'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { sameText } from '#server/core/secrets.ts'
import { redeemOnce } from './codes.ts'
import { hasTelegram, type SocialProfile } from './sign-in-providers.ts'

const lifeMs = 86_400_000
/** Accepted clock skew, milliseconds. */
const aheadMs = 5 * 60_000

/** Fields of the widget, as received. */
export interface TelegramFields {
  readonly auth_date: number
  readonly id: number
  readonly first_name: string
  readonly hash: string
  readonly last_name?: string | undefined
  readonly username?: string | undefined
  readonly photo_url?: string | undefined
  readonly language_code?: string | undefined
  readonly is_premium?: boolean | undefined
  readonly added_to_attachment_menu?: boolean | undefined
}

const signed = [
  'added_to_attachment_menu',
  'auth_date',
  'first_name',
  'id',
  'is_premium',
  'language_code',
  'last_name',
  'photo_url',
  'username',
] as const

/**
 * Verifies the fields of the widget, and uses up their signature.
 * @throws RuleError `ProviderNotConfigured`, `TelegramRejected`, `TelegramExpired`; the latter also for a second use
 */
export async function telegramProfile(services: Services, fields: TelegramFields): Promise<SocialProfile> {
  const { clock, config, db } = services
  if (!hasTelegram(config) || config.telegramBotToken === null) throw telegramMissing()
  if (!isUnambiguous(fields) || !sameText(fields.hash.toLowerCase(), signatureOf(config.telegramBotToken, fields))) {
    throw new RuleError('TelegramRejected')
  }
  const age = clock.now().getTime() - fields.auth_date * 1000
  const isFresh = age <= lifeMs && age >= -aheadMs
  if (!isFresh || !(await redeemOnce(services, db, 'telegram', fields.hash.toLowerCase()))) {
    throw new RuleError('TelegramExpired')
  }
  const photo = URL.parse(fields.photo_url ?? '')
  return {
    provider: 'telegram',
    subject: String(fields.id),
    firstName: fields.first_name.trim(),
    lastName: fields.last_name?.trim() ?? '',
    photo: photo?.protocol === 'https:' ? photo.href : null,
    email: null,
  }
}

/** Returns the error for a missing bot, or a bot without a name. */
export const telegramMissing = () => new RuleError('ProviderNotConfigured', { provider: 'telegram' })

/** Returns false for a line break in a value: the signed text has a line per field, so the signature would fit other fields. */
const isUnambiguous = (fields: TelegramFields): boolean => !signed.some((name) => /\p{Cc}/u.test(String(fields[name])))

/** Returns the signature of the fields by the bot, in hex. */
export function signatureOf(botToken: string, fields: Omit<TelegramFields, 'hash'>): string {
  const lines = signed.flatMap((name) => (fields[name] === undefined ? [] : [`${name}=${String(fields[name])}`]))
  return createHmac('sha256', hash('sha256', botToken, 'buffer'))
    .update(lines.join('\n'))
    .digest('hex')
}
