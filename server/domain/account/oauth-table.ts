// Where people say yes: endpoints of the providers as their public documentation has them, and in what they differ from
// OAuth 2.0 (RFC 6749). What each one is asked for is said by who asks.
import type { ProviderName } from '#server/core/settings.ts'

export interface OAuthProvider {
  /** As ID tokens and answers name it. */
  readonly issuer: string
  readonly authorize: string
  readonly token: string
  /** Where a refresh token is used; the same as `token` when it is not said. */
  readonly refresh?: string
  readonly revoke?: string
  /** How the revocation names what it takes (RFC 7009 says `token`). */
  readonly revokeField?: string
  /** Speaks OpenID Connect. ID tokens of others are somebody's own, and nobody here looks at them. */
  readonly openid?: true
  /** What stands between scopes; a space by the standard. */
  readonly separator?: string
  /** How the client shows its secret; `post` when it is not said, `none` has none to show. */
  readonly client?: 'basic' | 'none'
  /** Sent along when a person is asked. */
  readonly ask?: Readonly<Record<string, string>>
  /** The token endpoint takes JSON and the client's id in a header. */
  readonly json?: true
  /** Parameters of the answer that the token endpoint wants to see, now and at each refresh. */
  readonly carries?: readonly string[]
  /** Wants to be told at each refresh where the person came back to. */
  readonly redirectOnRefresh?: true
}

export const oauthProviders: Readonly<Record<ProviderName, OAuthProvider>> = {
  google: {
    issuer: 'https://accounts.google.com',
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    revoke: 'https://oauth2.googleapis.com/revoke',
    openid: true,
    // Without both there is no refresh token after the first time. Sign-in, which needs none, asks otherwise.
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
}

/** Settings of the service (environment variables) that register it at a provider. */
export const registrationSettings: Readonly<Record<ProviderName, readonly string[]>> = {
  google: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  twitch: ['TWITCH_CLIENT_ID', 'TWITCH_CLIENT_SECRET'],
  vk: ['VK_CLIENT_ID', 'VK_CLIENT_SECRET'],
  'vk-id': ['VK_ID_CLIENT_ID'],
  vkvideolive: ['VKVIDEOLIVE_CLIENT_ID', 'VKVIDEOLIVE_CLIENT_SECRET'],
  ok: ['OK_CLIENT_ID', 'OK_CLIENT_SECRET', 'OK_PUBLIC_KEY'],
  trovo: ['TROVO_CLIENT_ID', 'TROVO_CLIENT_SECRET'],
}
