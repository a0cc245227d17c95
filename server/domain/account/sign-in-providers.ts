// Asking elsewhere who somebody is: Google and VK by OAuth. Telegram, which signs what it says, is in telegram-login.ts.
// Nothing that a provider gives is kept but who it is.
import type { SocialProvider } from '#contract/entities/account.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Settings } from '#server/core/settings.ts'
import type { Outsider } from './outsider.ts'
import { callProvider } from '#server/core/provider-http.ts'
import type { OAuthTokens } from './oauth.ts'

/** Who can be asked by OAuth, as the API names them. */
export type OAuthSignIn = 'google' | 'vk' | 'vk-id'
type Known = Pick<Settings, 'providers' | 'telegramBotToken' | 'telegramBotName'>

/** What a beginning at the provider needs beside the address to come back to. */
export const asking: Readonly<
  Record<OAuthSignIn, { readonly scopes: readonly string[]; readonly parameters?: Readonly<Record<string, string>> }>
> = {
  // No access beyond this minute is asked for, and somebody with several accounts chooses one.
  google: { scopes: ['openid', 'email', 'profile'], parameters: { access_type: 'online', prompt: 'select_account' } },
  vk: { scopes: [] },
  'vk-id': { scopes: ['vkid.personal_info'] },
}

/** Is Telegram's login widget set up? */
export const hasTelegram = ({ telegramBotToken, telegramBotName }: Known): boolean =>
  telegramBotToken !== null && telegramBotName !== ''

/** What people are offered to sign in with beside a password. Of the two ways to ask VK one is enough. */
export const offeredProviders = (config: Known): (OAuthSignIn | 'telegram')[] => [
  ...(config.providers.google ? ['google' as const] : []),
  ...(config.providers['vk-id'] ? ['vk-id' as const] : config.providers.vk ? ['vk' as const] : []),
  ...(hasTelegram(config) ? ['telegram' as const] : []),
]

/** Does an account at this provider let somebody in? */
export const canSignInBy = (config: Known, provider: SocialProvider): boolean =>
  offeredProviders(config).some((name) => name === provider || (name === 'vk-id' && provider === 'vk'))

/** Who it was that said yes. @throws RuleError `ProviderRefused` when the provider does not say it */
export async function outsiderOf(services: Services, name: OAuthSignIn, tokens: OAuthTokens): Promise<Outsider> {
  if (name === 'google') return googleOutsider(tokens.claims ?? {})
  const fields = name === 'vk' ? await askVk(services, tokens) : await askVkId(services, tokens)
  const subject = idOf(fields['id'] ?? fields['user_id'])
  // The token endpoint names the person as well; somebody else's profile must not come in between.
  const granted = tokens.extra['user_id']
  if (subject === '' || (granted !== undefined && idOf(granted) !== subject)) throw nobody(name)
  return {
    provider: 'vk',
    subject,
    firstName: textOf(fields['first_name']),
    lastName: textOf(fields['last_name']),
    photo: photoOf(fields['photo_100'] ?? fields['avatar']),
    // VK does not say whether it has checked the address.
    email: null,
  }
}

type Fields = Readonly<Record<string, unknown>>

function googleOutsider(claims: Fields): Outsider {
  const subject = textOf(claims['sub'])
  if (subject === '') throw nobody('google')
  return {
    provider: 'google',
    subject,
    firstName: textOf(claims['given_name'] ?? claims['name']),
    lastName: textOf(claims['family_name']),
    photo: photoOf(claims['picture']),
    email: claims['email_verified'] === true && typeof claims['email'] === 'string' ? claims['email'] : null,
  }
}

async function askVk({ config }: Services, { accessToken }: OAuthTokens): Promise<Fields> {
  const body = new URLSearchParams({ access_token: accessToken, v: '5.199', fields: 'photo_100' })
  const answer = await callProvider(config, 'vk', 'https://api.vk.com/method/users.get', { method: 'POST', body })
  const list = parse(answer.text)['response']
  return Array.isArray(list) ? objectOf(list[0]) : {}
}

async function askVkId({ config }: Services, { accessToken }: OAuthTokens): Promise<Fields> {
  const body = new URLSearchParams({ access_token: accessToken, client_id: config.providers['vk-id']?.id ?? '' })
  const answer = await callProvider(config, 'vk-id', 'https://id.vk.com/oauth2/user_info', { method: 'POST', body })
  return objectOf(parse(answer.text)['user'])
}

const nobody = (provider: string) =>
  new RuleError('ProviderRefused', 'The provider does not say who you are. Try again.', { provider })

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
