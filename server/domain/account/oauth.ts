// OAuth client: authorization code with PKCE (RFC 6749 and 7636), tokens, refresh and revocation. Connected accounts and
// sign-in both use it.
import * as client from 'openid-client'
import type { CustomFetch } from 'openid-client'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { derivedKey, keyFrom } from '#server/core/secrets.ts'
import type { ProviderName, Settings } from '#server/core/settings.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { callProvider, ProviderUnavailableError, providerUrl } from '#server/core/provider-http.ts'
import { type OAuthAnswer, type OAuthPurpose, type OAuthState, redeemState, rememberState } from './oauth-state.ts'
import { type OAuthProvider, oauthProviders } from './oauth-table.ts'

/** Tokens of a provider. */
export interface OAuthTokens {
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Expiry of the access token, ISO 8601, UTC; null when the provider reports none. */
  readonly expires: string | null
  readonly scope: string
  /** Claims of the ID token, when `openid` was requested. */
  readonly claims: Readonly<Record<string, unknown>> | null
  /** Other fields of the response, such as `user_id` and `email` of VK. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Parameters that each refresh has to repeat (`device_id` of VK ID). */
  readonly along: Readonly<Record<string, string>>
}

/** Returns whether the service is registered at a provider. */
export const isConfigured = ({ providers }: Pick<Settings, 'providers'>, name: ProviderName): boolean =>
  providers[name] !== null

/** Returns the registration of the service at a provider. @throws RuleError `ProviderNotConfigured` */
export function registrationOf({ providers }: Pick<Settings, 'providers'>, name: ProviderName) {
  const registered = providers[name]
  if (registered === null) throw new RuleError('ProviderNotConfigured', { provider: name })
  return registered
}

/**
 * Begins an authorization. The provider redirects the browser to `redirectUri` with `state` and further parameters.
 * @param beginning `scopes` of the provider; `parameters` override the default parameters of the provider;
 *   `finishOAuth` returns `data`
 * @returns the URL of the consent page
 * @throws RuleError `ProviderNotConfigured`
 */
export async function beginOAuth(
  services: Services,
  db: Db | Trx,
  beginning: {
    readonly provider: ProviderName
    readonly purpose: OAuthPurpose
    readonly userId?: number
    readonly projectId?: number
    readonly redirectUri: string
    readonly scopes: readonly string[]
    readonly parameters?: Readonly<Record<string, string>>
    readonly data?: Readonly<Record<string, string>>
  },
): Promise<string> {
  const { provider, purpose, userId = null, projectId = null, redirectUri, scopes, data = {} } = beginning
  const config = configurationOf(services.config, provider)
  const { separator = ' ', ask = {} } = oauthProviders[provider]
  const openid = scopes.includes('openid')
  const state = await rememberState(services, db, { provider, purpose, userId, projectId, redirectUri, openid, data })
  const { verifier, nonce } = proofsOf(services.config, state)
  const parameters = {
    redirect_uri: redirectUri,
    scope: scopes.join(separator),
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(openid ? { nonce } : {}),
    ...ask,
    ...beginning.parameters,
  }
  return client.buildAuthorizationUrl(config, parameters).href
}

/**
 * Finishes an authorization: uses up the state and fetches the tokens.
 * @param answer all query parameters of the redirect
 * @throws RuleError `AuthorizationExpired` (also for another purpose), `AuthorizationDeclined`, `AuthorizationRejected`,
 *   `ProviderUnavailable`
 */
export async function finishOAuth(
  services: Services,
  by: { readonly provider: ProviderName; readonly purpose: OAuthPurpose; readonly answer: OAuthAnswer },
): Promise<{ readonly begun: OAuthState; readonly tokens: OAuthTokens }> {
  const begun = await redeemState(services, services.db, {
    state: by.answer['state'] ?? '',
    purposes: [by.purpose],
  })
  if (!begun || begun.provider !== by.provider) throw expired()
  return { begun, tokens: await exchangeAnswer(services, begun, by.answer) }
}

/** Returns the error for a response without a waiting authorization. */
export const expired = () => new RuleError('AuthorizationExpired')

/** Fetches the tokens for a response to an authorization that is used up. @throws as `finishOAuth` */
export async function exchangeAnswer(
  services: Services,
  { provider, state, redirectUri, openid }: OAuthState,
  answer: OAuthAnswer,
): Promise<OAuthTokens> {
  if (answer['error'] !== undefined) {
    throw new RuleError('AuthorizationDeclined', { provider })
  }
  const config = configurationOf(services.config, provider)
  const along = carriedOf(oauthProviders[provider], answer)
  const { redirectOnRefresh } = oauthProviders[provider]
  const { verifier, nonce } = proofsOf(services.config, state)
  const back = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) back.searchParams.set(name, value)
  const checks = { expectedState: state, pkceCodeVerifier: verifier, ...(openid ? { expectedNonce: nonce } : {}) }
  return await refusing(provider, 'AuthorizationRejected', async () => {
    const tokens = await client.authorizationCodeGrant(config, back, checks, along)
    return tokensOf(services, tokens, redirectOnRefresh ? { redirect_uri: redirectUri } : along)
  })
}

/**
 * Refreshes tokens. When the provider returns no new refresh token, the old one remains valid.
 * @throws RuleError `RefreshRejected` when the account has to be connected again, `ProviderUnavailable`
 */
export async function refreshTokens(
  services: Pick<Services, 'config' | 'clock'>,
  provider: ProviderName,
  { refreshToken, along }: Pick<OAuthTokens, 'refreshToken' | 'along'>,
): Promise<OAuthTokens> {
  const config = configurationOf(services.config, provider)
  if (refreshToken === null) throw rejection('RefreshRejected', provider)
  const tokens = await refusing(provider, 'RefreshRejected', () =>
    client.refreshTokenGrant(config, refreshToken, { ...along }),
  )
  const next = tokensOf(services, tokens, along)
  return { ...next, refreshToken: next.refreshToken ?? refreshToken }
}

/** Revokes tokens at providers that support it. Best effort: never fails. */
export async function revokeTokens(
  { config, log }: Services,
  provider: ProviderName,
  { accessToken, refreshToken }: Pick<OAuthTokens, 'accessToken' | 'refreshToken'>,
): Promise<void> {
  const { revoke, revokeField = 'token', json } = oauthProviders[provider]
  const registered = config.providers[provider]
  if (revoke === undefined || registered === null) return
  const token = revokeField === 'token' && provider === 'google' ? (refreshToken ?? accessToken) : accessToken
  const fields = { client_id: registered.id, client_secret: registered.secret, [revokeField]: token }
  const init = json
    ? { headers: { 'content-type': 'application/json', 'client-id': registered.id }, body: JSON.stringify(fields) }
    : { body: new URLSearchParams(fields) }
  try {
    const { status } = await callProvider(config, provider, revoke, { method: 'POST', ...init })
    if (status >= 400) log.info({ provider, status }, 'A provider did not revoke a token')
  } catch {
    log.info({ provider }, 'Revoking a token at a provider failed')
  }
}

/** Derives verifier and nonce from the state. Only the user's browser has the state, so neither needs to be stored. */
function proofsOf({ secret }: Pick<Settings, 'secret'>, state: string) {
  const key = (purpose: string) => keyFrom(`${derivedKey(secret, 'oauth').toString('base64url')} ${state}`, purpose)
  return { verifier: key('verifier').toString('base64url'), nonce: key('nonce').toString('base64url') }
}

const carriedOf = ({ carries = [] }: OAuthProvider, answer: OAuthAnswer): Record<string, string> =>
  Object.fromEntries(carries.map((name) => [name, answer[name] ?? '']))

function configurationOf(settings: Settings, name: ProviderName): client.Configuration {
  const { id, secret } = registrationOf(settings, name)
  const { issuer, authorize, token, client: kind } = oauthProviders[name]
  const place = (url: string) => providerUrl(settings, name, url)
  const base = settings.providerBases.get(name)
  const server = { issuer: base ?? issuer, authorization_endpoint: place(authorize), token_endpoint: place(token) }
  const ways = { none: client.None, basic: client.ClientSecretBasic, post: client.ClientSecretPost }
  const config = new client.Configuration(server, id, { client_id: id }, ways[kind ?? 'post'](secret))
  config[client.customFetch] = tokenFetch(settings, name)
  // Only a base URL from PROVIDER_BASES can be HTTP; it is on this machine.
  if (base?.startsWith('http:')) client.allowInsecureRequests(config)
  return config
}

type Granted = client.TokenEndpointResponse & client.TokenEndpointResponseHelpers

function tokensOf({ clock }: Pick<Services, 'clock'>, granted: Granted, along: Record<string, string>): OAuthTokens {
  const { access_token, refresh_token, expires_in, scope = '', token_type: _, id_token: __, ...extra } = granted
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expires: expires_in === undefined ? null : iso(later(clock.now(), expires_in * 1000)),
    scope,
    claims: granted.claims() ?? null,
    extra,
    along,
  }
}

type Rejection = 'AuthorizationRejected' | 'RefreshRejected'
const rejection = (name: Rejection, provider: ProviderName) => new RuleError(name, { provider })

/** Runs a grant. Errors of the library become a refusal; `ProviderUnavailable` is kept. */
async function refusing<T>(provider: ProviderName, name: Rejection, grant: () => Promise<T>): Promise<T> {
  try {
    return await grant()
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (cause instanceof ProviderUnavailableError) throw cause
    throw rejection(name, provider)
  }
}

// Adapter for token endpoints: converts requests and responses that deviate from RFC 6749 for the OAuth client.

/** Returns the `fetch` of the OAuth client for one provider. */
function tokenFetch(settings: Settings, name: ProviderName): CustomFetch {
  return async function fetchTokens(_, { body, headers, method }) {
    // The client sends only forms.
    const fields = new URLSearchParams(body as URLSearchParams)
    const { token, refresh = token, json, openid } = oauthProviders[name]
    const url = fields.get('grant_type') === 'refresh_token' ? refresh : token
    const init = json ? jsonRequest(fields) : { method, headers, body: fields }
    const answer = await callProvider(settings, name, url, init)
    const read = firstOf(parse(answer.text))
    // VK and OK send errors with status 200.
    const status = answer.status === 200 && read['error'] !== undefined ? 400 : answer.status
    return Response.json(openid ? conform(read) : conform({ ...read, id_token: null }), { status })
  }
}

/** Converts a form to the request of Trovo: the client id in a header, the rest as JSON. */
function jsonRequest(fields: URLSearchParams): RequestInit {
  const { client_id: id = '', ...rest } = Object.fromEntries(fields)
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'client-id': id }
  return { method: 'POST', headers, body: JSON.stringify(rest) }
}

type Fields = Readonly<Record<string, unknown>>

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : {}
  } catch {
    return {}
  }
}

/** VK returns a list when a community token was requested. */
function firstOf(read: Fields): Fields {
  const [group] = Array.isArray(read['groups']) ? (read['groups'] as Fields[]) : []
  return group && read['access_token'] === undefined ? { ...read, access_token: group['access_token'] } : read
}

/** Converts a token response to the format of the standard. */
function conform({ token_type: _, expires_in: life, scope, id_token: idToken, ...rest }: Fields): Fields {
  const seconds = Number(life)
  return {
    ...rest,
    // `session` (OK), `OAuth` (Trovo), nothing (VK): callers know the scheme of their provider.
    token_type: 'bearer',
    // VK sends 0 for a token without expiry; others send digits as text.
    ...(Number.isFinite(seconds) && seconds > 0 ? { expires_in: seconds } : {}),
    ...(Array.isArray(scope) ? { scope: scope.join(' ') } : typeof scope === 'string' ? { scope } : {}),
    ...(typeof idToken === 'string' ? { id_token: idToken } : {}),
  }
}
