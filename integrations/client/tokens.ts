// Sources of access tokens: an API token, or an OAuth grant whose refresh token rotates.

/** Source of access tokens. */
export interface TokenSource {
  /**
   * Returns the token of the next call; null: signed out.
   * @param refused token that the service has just refused
   * @throws when the token cannot be renewed at the moment
   */
  get(refused?: string): Promise<string | null>
}

/** Tokens of a grant. Both are secrets. */
export interface OAuthTokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** End of the access token, milliseconds since 1970. */
  readonly expiresAt: number
}

/** Settings of `oauthTokens`. */
export interface OAuthOptions {
  /** Address of the service. */
  readonly url: string
  readonly clientId: string
  /** Left out for public clients. */
  readonly clientSecret?: string
  /** Reads the tokens from where the program keeps them; null: none. */
  readonly load: () => OAuthTokens | null | Promise<OAuthTokens | null>
  /** Keeps new tokens before they are used; null: the grant has ended. A lost refresh token cannot be replaced. */
  readonly save: (tokens: OAuthTokens | null) => void | Promise<void>
  /** Default: the global one. */
  readonly fetch?: typeof fetch
}

/** A token that ends sooner is renewed before the call, milliseconds. */
const marginMs = 30_000
/** Timeout of a renewal, milliseconds. */
const timeoutMs = 30_000

/** Returns the source of an API token, which needs no renewal. */
export const apiToken = (token: string): TokenSource => ({
  get: async () => token,
})

/**
 * Returns the source of an OAuth grant. Each refresh token works once: calls at the same time share one renewal, and tabs or
 * threads that share the storage renew one after another where the runtime has `navigator.locks`.
 */
export function oauthTokens(options: OAuthOptions): TokenSource {
  let renewal: Promise<string | null> | null = null
  return {
    async get(refused) {
      if (renewal) return renewal
      const kept = await options.load()
      if (kept && isFresh(kept) && kept.accessToken !== refused) return kept.accessToken
      renewal ??= exclusively(`relaydeck ${options.url} ${options.clientId}`, () => renew(options, refused)).finally(
        () => {
          renewal = null
        },
      )
      return renewal
    },
  }
}

const isFresh = ({ expiresAt }: OAuthTokens): boolean => expiresAt - marginMs > Date.now()

async function exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Node 20 has no locks.
  const locks = (globalThis.navigator as Navigator | undefined)?.locks
  return locks ? await locks.request(name, work) : work()
}

async function renew(options: OAuthOptions, refused: string | undefined): Promise<string | null> {
  const { url, clientId, clientSecret, fetch: send = fetch } = options
  const kept = await options.load()
  if (!kept) return null
  // Another tab has renewed it meanwhile.
  if (isFresh(kept) && kept.accessToken !== refused) return kept.accessToken
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: kept.refreshToken,
    client_id: clientId,
    ...(clientSecret && { client_secret: clientSecret }),
  })
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await send(new URL('/oauth/token', url), { method: 'POST', body, signal, redirect: 'error' })
  const answer = (await response.json()) as {
    access_token?: string
    refresh_token?: string
    expires_in?: number
    error?: string
  }
  if (answer.error === 'invalid_grant') {
    await options.save(null)
    return null
  }
  if (!response.ok || !answer.access_token)
    throw new Error(`The token was not renewed: ${answer.error ?? response.status}`)
  const next: OAuthTokens = {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? kept.refreshToken,
    expiresAt: Date.now() + (answer.expires_in ?? 0) * 1000,
  }
  await options.save(next)
  return next.accessToken
}
