// Social login by OAuth at Google and VK; Telegram's signed widget is in telegram-login.ts. Only the profile of a
// provider's response is stored.
import type { SocialProvider } from '#contract/entities/account.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Settings } from '#server/core/settings.ts'
import { callProvider } from '#server/core/provider-http.ts'
import type { OAuthTokens } from './oauth.ts'

/** Providers of social login by OAuth, by their API names. */
export type OAuthSignIn = 'google' | 'vk' | 'vk-id'
type ProviderSettings = Pick<Settings, 'providers' | 'telegramBotToken' | 'telegramBotName'>

/** Parameters of an authorization besides the redirect URI. */
export const authorizationOf: Readonly<
  Record<OAuthSignIn, { readonly scopes: readonly string[]; readonly parameters?: Readonly<Record<string, string>> }>
> = {
  // No offline access is requested, and a user with several accounts chooses one.
  google: { scopes: ['openid', 'email', 'profile'], parameters: { access_type: 'online', prompt: 'select_account' } },
  vk: { scopes: [] },
  'vk-id': { scopes: ['vkid.personal_info'] },
}

/** Returns whether Telegram's login widget is configured. */
export const hasTelegram = ({ telegramBotToken, telegramBotName }: ProviderSettings): boolean =>
  telegramBotToken !== null && telegramBotName !== ''

/** Returns the social logins that are offered. One of the two ways to sign in with VK is sufficient. */
export const offeredProviders = (config: ProviderSettings): (OAuthSignIn | 'telegram')[] => [
  ...(config.providers.google ? ['google' as const] : []),
  ...(config.providers['vk-id'] ? ['vk-id' as const] : config.providers.vk ? ['vk' as const] : []),
  ...(hasTelegram(config) ? ['telegram' as const] : []),
]

/** Returns whether an account at this provider can sign in. */
export const canSignInBy = (config: ProviderSettings, provider: SocialProvider): boolean =>
  offeredProviders(config).some((name) => name === provider || (name === 'vk-id' && provider === 'vk'))

/** Returns the profile of the consenting user. @throws RuleError `ProviderRefused` when the provider does not report it */
export async function socialProfileOf(
  services: Pick<Services, 'config'>,
  name: OAuthSignIn,
  tokens: OAuthTokens,
): Promise<SocialProfile> {
  if (name === 'google') return googleProfile(tokens.claims ?? {})
  const fields = name === 'vk' ? await askVk(services, tokens) : await askVkId(services, tokens)
  const subject = idOf(fields['id'] ?? fields['user_id'])
  // The token endpoint reports the user as well: the profile of another user must not replace it.
  const granted = tokens.extra['user_id']
  if (subject === '' || (granted !== undefined && idOf(granted) !== subject)) throw missingProfile(name)
  return {
    provider: 'vk',
    subject,
    firstName: textOf(fields['first_name']),
    lastName: textOf(fields['last_name']),
    photo: photoOf(fields['photo_100'] ?? fields['avatar']),
    // VK does not report whether it has verified the e-mail.
    email: null,
  }
}

type Fields = Readonly<Record<string, unknown>>

function googleProfile(claims: Fields): SocialProfile {
  const subject = textOf(claims['sub'])
  if (subject === '') throw missingProfile('google')
  return {
    provider: 'google',
    subject,
    firstName: textOf(claims['given_name'] ?? claims['name']),
    lastName: textOf(claims['family_name']),
    photo: photoOf(claims['picture']),
    email: claims['email_verified'] === true && typeof claims['email'] === 'string' ? claims['email'] : null,
  }
}

async function askVk({ config }: Pick<Services, 'config'>, { accessToken }: OAuthTokens): Promise<Fields> {
  const body = new URLSearchParams({ access_token: accessToken, v: '5.199', fields: 'photo_100' })
  const answer = await callProvider(config, 'vk', 'https://api.vk.com/method/users.get', { method: 'POST', body })
  const list = parse(answer.text)['response']
  return Array.isArray(list) ? objectOf(list[0]) : {}
}

async function askVkId({ config }: Pick<Services, 'config'>, { accessToken }: OAuthTokens): Promise<Fields> {
  const body = new URLSearchParams({ access_token: accessToken, client_id: config.providers['vk-id']?.id ?? '' })
  const answer = await callProvider(config, 'vk-id', 'https://id.vk.com/oauth2/user_info', { method: 'POST', body })
  return objectOf(parse(answer.text)['user'])
}

const missingProfile = (provider: string) => new RuleError('ProviderRefused_profile', { provider })

function parse(text: string): Fields {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return {}
  }
}

const objectOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim().slice(0, 255) : '')
const idOf = (value: unknown): string => (/^[1-9]\d{0,19}$/.test(String(value)) ? String(value) : '')
const photoOf = (value: unknown): string | null => {
  const url = typeof value === 'string' && value.length <= 2000 ? URL.parse(value) : null
  return url?.protocol === 'https:' ? url.href : null
}

// Profile of a user at a social login provider.

/** Profile that a provider reported at a sign-in. */
export interface SocialProfile {
  readonly provider: SocialProvider
  /** The provider's own id. Never an e-mail: its owner may change. */
  readonly subject: string
  readonly firstName: string
  readonly lastName: string
  readonly photo: string | null
  /** Null unless the provider reports that it has verified the e-mail. */
  readonly email: string | null
}
