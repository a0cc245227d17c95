// OAuth endpoints of the providers as they document them, and their differences from OAuth 2.0 (RFC 6749). Callers name
// the scopes.
import type { ProviderName } from '#server/core/settings.ts'
import { settings, several, anyText, variable } from '#server/core/variables.ts'

/** Both values are required. */
const registration = (id: string, secret: string) => (id === '' || secret === '' ? null : { id, secret })

const okPublicKey = variable(anyText, '', 'Registration at OK: public key of the application')

export const providerRegistrations = settings({
  /** OAuth client of the service at each provider; null without a registration. */
  providers: several(
    {
      GOOGLE_CLIENT_ID: variable(
        anyText,
        '',
        'Registration at Google, for YouTube and sign-in: client id. Empty: no connected accounts; channels need a stream key',
      ),
      GOOGLE_CLIENT_SECRET: variable(anyText, '', 'Registration at Google, for YouTube and sign-in: secret'),
      TWITCH_CLIENT_ID: variable(anyText, '', 'Registration at Twitch: client id'),
      TWITCH_CLIENT_SECRET: variable(anyText, '', 'Registration at Twitch: secret'),
      VK_CLIENT_ID: variable(anyText, '', 'Registration at VK (applications of the older kind): client id'),
      VK_CLIENT_SECRET: variable(anyText, '', 'Registration at VK (applications of the older kind): secret'),
      VK_ID_CLIENT_ID: variable(anyText, '', 'Registration at VK ID: client id'),
      VKVIDEOLIVE_CLIENT_ID: variable(anyText, '', 'Registration at VK Video Live: client id'),
      VKVIDEOLIVE_CLIENT_SECRET: variable(anyText, '', 'Registration at VK Video Live: secret'),
      OK_CLIENT_ID: variable(anyText, '', 'Registration at OK: client id'),
      OK_CLIENT_SECRET: variable(anyText, '', 'Registration at OK: secret'),
      OK_PUBLIC_KEY: okPublicKey,
      TROVO_CLIENT_ID: variable(anyText, '', 'Registration at Trovo: client id'),
      TROVO_CLIENT_SECRET: variable(anyText, '', 'Registration at Trovo: secret'),
      KICK_CLIENT_ID: variable(anyText, '', 'Registration at Kick: client id'),
      KICK_CLIENT_SECRET: variable(anyText, '', 'Registration at Kick: secret. Chat needs a webhook, see below'),
    },
    (values) =>
      ({
        google: registration(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET),
        twitch: registration(values.TWITCH_CLIENT_ID, values.TWITCH_CLIENT_SECRET),
        vk: registration(values.VK_CLIENT_ID, values.VK_CLIENT_SECRET),
        // Its applications have a secret, and PKCE stands in for it.
        'vk-id': values.VK_ID_CLIENT_ID === '' ? null : { id: values.VK_ID_CLIENT_ID, secret: '' },
        vkvideolive: registration(values.VKVIDEOLIVE_CLIENT_ID, values.VKVIDEOLIVE_CLIENT_SECRET),
        ok: values.OK_PUBLIC_KEY === '' ? null : registration(values.OK_CLIENT_ID, values.OK_CLIENT_SECRET),
        trovo: registration(values.TROVO_CLIENT_ID, values.TROVO_CLIENT_SECRET),
        kick: registration(values.KICK_CLIENT_ID, values.KICK_CLIENT_SECRET),
      }) satisfies Record<ProviderName, unknown>,
  ),
  /** Required in each call of OK. */
  okPublicKey: several({ OK_PUBLIC_KEY: okPublicKey }, (values) => values.OK_PUBLIC_KEY),
})

export interface OAuthProvider {
  /** Issuer in ID tokens and in responses. */
  readonly issuer: string
  readonly authorize: string
  readonly token: string
  /** Endpoint for refresh tokens; default: `token`. */
  readonly refresh?: string
  readonly revoke?: string
  /** Parameter of the token in a revocation; default: `token` (RFC 7009). */
  readonly revokeField?: string
  /** Supports OpenID Connect. ID tokens of other providers are proprietary, and the service ignores them. */
  readonly openid?: true
  /** Separator of scopes; default: a space, as the standard requires. */
  readonly separator?: string
  /** Client authentication; default: `post`. `none`: the client has no secret. */
  readonly client?: 'basic' | 'none'
  /** Additional parameters of the authorization request. */
  readonly ask?: Readonly<Record<string, string>>
  /** The token endpoint takes JSON, and the client id in a header. */
  readonly json?: true
  /** Parameters of the redirect that the token endpoint requires, now and at each refresh. */
  readonly carries?: readonly string[]
  /** Requires the redirect URI at each refresh. */
  readonly redirectOnRefresh?: true
}

export const oauthProviders: Readonly<Record<ProviderName, OAuthProvider>> = {
  google: {
    issuer: 'https://accounts.google.com',
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    revoke: 'https://oauth2.googleapis.com/revoke',
    openid: true,
    // Without both parameters only the first consent gives a refresh token. Sign-in needs none and overrides them.
    ask: { access_type: 'offline', prompt: 'consent' },
  },
  twitch: {
    issuer: 'https://id.twitch.tv/oauth2',
    authorize: 'https://id.twitch.tv/oauth2/authorize',
    token: 'https://id.twitch.tv/oauth2/token',
    revoke: 'https://id.twitch.tv/oauth2/revoke',
  },
  vk: {
    issuer: 'https://oauth.vk.com',
    authorize: 'https://oauth.vk.com/authorize',
    token: 'https://oauth.vk.com/access_token',
    separator: ',',
    ask: { v: '5.199', display: 'page' },
  },
  'vk-id': {
    issuer: 'https://id.vk.com',
    authorize: 'https://id.vk.com/authorize',
    token: 'https://id.vk.com/oauth2/auth',
    revoke: 'https://id.vk.com/oauth2/revoke',
    revokeField: 'access_token',
    client: 'none',
    carries: ['device_id', 'state'],
  },
  vkvideolive: {
    issuer: 'https://auth.live.vkvideo.ru',
    authorize: 'https://auth.live.vkvideo.ru/app/oauth2/authorize',
    token: 'https://api.live.vkvideo.ru/oauth/server/token',
    revoke: 'https://api.live.vkvideo.ru/oauth/server/revoke',
    separator: ',',
    client: 'basic',
    redirectOnRefresh: true,
  },
  ok: {
    issuer: 'https://connect.ok.ru',
    authorize: 'https://connect.ok.ru/oauth/authorize',
    token: 'https://api.ok.ru/oauth/token.do',
    separator: ';',
  },
  trovo: {
    issuer: 'https://open.trovo.live',
    authorize: 'https://open.trovo.live/page/login.html',
    token: 'https://open-api.trovo.live/openplatform/exchangetoken',
    refresh: 'https://open-api.trovo.live/openplatform/refreshtoken',
    revoke: 'https://open-api.trovo.live/openplatform/revoke',
    revokeField: 'access_token',
    json: true,
  },
  // OAuth 2.1: PKCE is required.
  kick: {
    issuer: 'https://id.kick.com',
    authorize: 'https://id.kick.com/oauth/authorize',
    token: 'https://id.kick.com/oauth/token',
  },
}

/** Environment variables that register the service at a provider. */
export const registrationSettings: Readonly<Record<ProviderName, readonly string[]>> = {
  google: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  twitch: ['TWITCH_CLIENT_ID', 'TWITCH_CLIENT_SECRET'],
  vk: ['VK_CLIENT_ID', 'VK_CLIENT_SECRET'],
  'vk-id': ['VK_ID_CLIENT_ID'],
  vkvideolive: ['VKVIDEOLIVE_CLIENT_ID', 'VKVIDEOLIVE_CLIENT_SECRET'],
  ok: ['OK_CLIENT_ID', 'OK_CLIENT_SECRET', 'OK_PUBLIC_KEY'],
  trovo: ['TROVO_CLIENT_ID', 'TROVO_CLIENT_SECRET'],
  kick: ['KICK_CLIENT_ID', 'KICK_CLIENT_SECRET'],
}
