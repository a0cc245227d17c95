// Real OpenID Provider on loopback, at the addresses that `PROVIDER_BASES` sets for Google. Its consent page has two
// buttons, accept and refuse, which tests press directly or in a browser.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { interactionPolicy } from 'oidc-provider'

/** Lifetime of codes, tokens and sessions, seconds. */
const life = 3600
const oauthHosts = ['/accounts.google.com', '/oauth2.googleapis.com']

export interface OpenIdDouble {
  /** Issuer, which is also the value for `PROVIDER_BASES`. */
  readonly base: string
  /** User that accepts next. */
  person: { readonly id: string; readonly name: string; readonly email: string }
  /** Submits the consent page as a browser does. @returns the final redirect address */
  answer(url: string, button?: 'allow' | 'decline'): Promise<URL>
  close(): Promise<void>
}

/**
 * Starts the provider. Clients are `google-id` with `google-secret`; any redirect address is fine.
 * @param rest answers every other path, such as the API of the same company
 */
export async function openIdDouble(
  rest: (request: IncomingMessage, response: ServerResponse) => void = notFound,
): Promise<OpenIdDouble> {
  const server = createServer((request, response) => void route(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const double = {
    base,
    person: { id: 'person-1', name: 'Ann Example', email: 'ann@example.com' },
    answer: (url: string, button: 'allow' | 'decline' = 'allow') => press(url, button),
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
  const provider = await createProvider(base, () => double.person)
  const oidc = provider.callback()

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', base).pathname
    if (path.startsWith('/interaction')) await interact(provider, () => double.person.id, request, response)
    else if (oauthHosts.some((host) => path.startsWith(host))) await oidc(request, response)
    else rest(request, response)
  }
  return double
}

async function createProvider(base: string, person: () => OpenIdDouble['person']): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(base, {
    clients: [
      { client_id: 'google-id', client_secret: 'google-secret', redirect_uris: [`${base}/unused`], ...postSecret },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a test'] },
    scopes: ['openid', 'email', 'profile', 'https://www.googleapis.com/auth/youtube'],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    extraParams: ['access_type', 'include_granted_scopes'],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true, allowedPolicy: () => true } },
    interactions: { policy: policyOfGoogle(), url: (_, interaction) => `/interaction/${interaction.uid}` },
    ttl: { Interaction: life, Grant: life, Session: life, AccessToken: life, RefreshToken: life, IdToken: life },
    issueRefreshToken: async () => true,
    rotateRefreshToken: false,
    routes: {
      authorization: '/accounts.google.com/o/oauth2/v2/auth',
      token: '/oauth2.googleapis.com/token',
      revocation: '/oauth2.googleapis.com/revoke',
    },
    findAccount: async (_, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, name: person().name, email: person().email, email_verified: true }),
    }),
  })
  // Services in tests listen on any free port, so any redirect address is accepted.
  provider.Client.prototype.redirectUriAllowed = () => true
  return provider
}

/** Adds the prompt `select_account`, which Google supports. */
function policyOfGoogle(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  return policy
}

const postSecret = {
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} as const

/** Consent page with its two buttons and their handlers. */
async function interact(
  provider: Provider,
  accountId: () => string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const details = await provider.interactionDetails(request, response)
  const path = new URL(request.url ?? '/', provider.issuer).pathname
  if (path.endsWith('/decline')) {
    const result = { error: 'access_denied', error_description: 'The person said no' }
    return await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  if (!path.endsWith('/allow')) {
    const form = (verb: string, word: string) =>
      `<form method="get" action="${path}/${verb}"><button>${word}</button></form>`
    response.setHeader('content-type', 'text/html; charset=utf-8')
    return void response.end(
      `<!doctype html><title>Provider</title><link rel="icon" href="data:,"><h1>Allow access?</h1>${form('allow', 'Allow')}${form('decline', 'Decline')}`,
    )
  }
  const grant = new provider.Grant({ accountId: accountId(), clientId: String(details.params['client_id']) })
  grant.addOIDCScope(String(details.params['scope']))
  const result = { login: { accountId: accountId() }, consent: { grantId: await grant.save() }, select_account: {} }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/** Follows redirects until one leaves the provider. */
async function press(url: string, button: 'allow' | 'decline'): Promise<URL> {
  const { origin } = new URL(url)
  const jar = new Map<string, string>()
  let next = new URL(url)
  for (let step = 0; step < 8; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = answer.headers.get('location')
    if (location === null && answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
    next = location === null ? new URL(`${next.pathname}/${button}`, origin) : new URL(location, origin)
    if (next.origin !== origin) return next
  }
  throw new Error('The provider never let the browser go')
}

function notFound(_: IncomingMessage, response: ServerResponse): void {
  response.statusCode = 404
  response.end()
}
