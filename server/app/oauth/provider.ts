// Authorization server: configuration of `oidc-provider`, which loads with the first call.
import type Provider from 'oidc-provider'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { appScopes } from '#contract/core/scopes.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { derivedKey, hashOf, sameText } from '#server/core/secrets.ts'
import { findUser } from '#server/domain/account/store.ts'
import { briefGrantSeconds, grantDays } from '#server/domain/projects/apps.ts'
import { findGrant } from '#server/domain/projects/apps-store.ts'
import { adapterOf } from './adapter.ts'
import { keyPeriod, keysOf } from './keys.ts'
import type { Pages } from './pages.ts'
import { identityScopes, isLasting } from './scopes.ts'

const hour = 3600
const day = 24 * hour

/** The authorization server, and its handler of requests. */
export interface Ready {
  readonly provider: Provider
  readonly handle: ReturnType<Provider['callback']>
}

/** Returns the server for now: a new one with the first call of each period of keys. */
export function providers(services: Services, issuer: () => string, pages: Pages): () => Promise<Ready> {
  let current: { readonly of: string; readonly ready: Promise<Ready> } | null = null
  return () => {
    const period = keyPeriod(services.clock.now())
    const of = `${period} ${issuer()}`
    if (current?.of !== of) {
      const ready = createProvider(services, issuer(), period, pages).then((provider) => ({
        provider,
        handle: provider.callback(),
      }))
      current = { of, ready }
      // The next call tries again.
      ready.catch(() => (current = null))
    }
    return current.ready
  }
}

async function createProvider(services: Services, issuer: string, period: number, pages: Pages): Promise<Provider> {
  const { default: Library, errors, interactionPolicy } = await import('oidc-provider')
  const policy = interactionPolicy.base()
  // Each request requires sign-in and consent: no cookie replaces either.
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check('each_time', 'Each request signs in', ({ oidc }) => oidc.result?.login === undefined),
    )
  policy
    .get('consent')
    ?.checks.add(
      new interactionPolicy.Check('each_time', 'Each request asks', ({ oidc }) => oidc.result?.consent === undefined),
    )
  const provider = new Library(issuer, {
    ...lifetimes,
    adapter: adapterOf(services, errors),
    jwks: { keys: keysOf(services.config.secret, period) },
    cookies: {
      keys: [derivedKey(services.config.secret, 'app cookies').toString('base64url')],
      names,
      long: { httpOnly: true, sameSite: 'lax' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    scopes: [...identityScopes, ...appScopes],
    claims: { openid: ['sub'], email: ['email'], profile: ['name', 'locale'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    responseTypes: ['code'],
    // As for the API: any page may call, none with cookies.
    clientBasedCORS: () => true,
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: (_, client) => client.clientAuthMethod === 'none' },
    rotateRefreshToken: true,
    issueRefreshToken: async (_, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId
      return id === undefined ? undefined : oidc.provider.Grant.find(id)
    },
    findAccount: async (_, id) => {
      const user = await findUser(services.db, Number(id))
      if (!user) return undefined
      const name = [user.first_name, user.last_name].filter(Boolean).join(' ')
      return { accountId: id, claims: async () => ({ sub: id, name, email: user.email, locale: user.language }) }
    },
    interactions: { policy, url: (_, { uid }) => `/oauth/consent/${uid}` },
    routes,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // Calls of the API prove no key: a token that is bound to one would be accepted without it.
      dPoP: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
      introspection: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
      deviceFlow: { enabled: true, mask: '****-****', ...pages.device },
    },
    renderError: pages.failure,
  })
  provider.Client.prototype.compareClientSecret = function compare(this: { clientSecret?: string }, actual: string) {
    return sameText(this.clientSecret ?? '', hashOf(actual))
  }
  // The routes set the headers of the issuer, so that no request names another origin.
  provider.proxy = true
  provider.silent = true
  for (const event of ['server_error', 'error'] as const)
    provider.on(event as 'server_error', (...about: unknown[]) =>
      services.log.error({ err: about.find((one) => one instanceof Error) }, 'The authorization server failed'),
    )
  provider.use(async (ctx, next) => {
    if (lacksForm(ctx)) {
      ctx.redirect(routes.code_verification)
      return
    }
    await next()
    // The library names its other modes whatever the routes accept.
    if (ctx.path === '/.well-known/openid-configuration')
      Object.assign(Object(ctx.body), { response_modes_supported: ['query'] })
    await addProject(services, ctx as KoaContextWithOIDC)
  })
  return provider
}

/**
 * Returns whether a request continues the device form without the session in which it began. The library would show the form again,
 * and fail to store its session.
 */
const lacksForm = (ctx: Pick<KoaContextWithOIDC, 'method' | 'path' | 'cookies'>): boolean =>
  (ctx.path.startsWith(`${routes.code_verification}/`) ||
    (ctx.path === routes.code_verification && ctx.method === 'POST')) &&
  ctx.path !== routes.device_authorization &&
  ctx.cookies.get(names.session, { signed: true }) === undefined

/** Adds the project of the grant to the redirect and to the token response, as published. */
async function addProject({ db, clock }: Services, ctx: KoaContextWithOIDC): Promise<void> {
  const grantId = ctx.oidc?.entities?.Grant?.jti
  if (grantId === undefined) return
  const body = ctx.body as { access_token?: string } | null | undefined
  const isToken = ctx.oidc.route === 'token' && body?.access_token !== undefined
  const location = ctx.response.get('location')
  const isBack = ctx.oidc.route === 'resume' && URL.parse(location)?.searchParams.has('code') === true
  if (!isToken && !isBack) return
  const grant = await findGrant(db, hashOf(grantId), iso(clock.now()))
  if (!grant) return
  const id = String(grant.project_id)
  if (isToken) ctx.body = { ...body, project_id: id, project_external_id: grant.external_id }
  else ctx.set('location', `${location}&${new URLSearchParams({ project_id: id }).toString()}`)
}

const lifetimes = {
  ttl: {
    AccessToken: hour,
    AuthorizationCode: 60,
    DeviceCode: 600,
    Grant: (_, grant) => (isLasting(grant.getOIDCScope()) ? grantDays * day : briefGrantSeconds),
    IdToken: hour,
    Interaction: 900,
    RefreshToken: 90 * day,
    Session: hour,
  },
} satisfies Configuration

/** Names of cookies. */
const names = { session: 'rd_apps', interaction: 'rd_apps_step', resume: 'rd_apps_back' } as const

const routes = {
  authorization: '/oauth/authorize',
  code_verification: '/oauth/device',
  device_authorization: '/oauth/device/auth',
  introspection: '/oauth/introspect',
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
} satisfies Configuration['routes']
