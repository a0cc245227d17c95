// Routes of the authorization server: the library behind its own paths and StreamVi's, and the consent page.
import { createHmac } from 'node:crypto'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { networkOf } from '#server/core/limits.ts'
import { derivedKey, sameText } from '#server/core/secrets.ts'
import { userOfCode } from '#server/domain/account/sessions.ts'
import { createGrant } from '#server/domain/projects/apps.ts'
import { type ClientRow, findClient } from '#server/domain/projects/apps-store.ts'
import { listProjects } from '#server/domain/projects/store.ts'
import { consentPage, headersOf, languageIn, messagePage, pages } from './pages.ts'
import { providers } from './provider.ts'
import { grantable, identityScopes, isLasting, ownScopes } from './scopes.ts'

/** Calls of a network a minute: pages, and what the servers of apps call for many users. */
const perMinute = { pages: 120, tokens: 600 } as const

/** Paths with their method; third: the path of the library that an alias stands for, such as StreamVi's (published A.3). */
const paths = [
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/oauth/authorize'],
  ['GET', '/oauth/authorize/:uid'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
  ['POST', '/oauth/introspect'],
  ['GET', '/oauth/userinfo'],
  ['POST', '/oauth/userinfo'],
  ['GET', '/oauth/jwks'],
  ['GET', '/oauth/device'],
  ['POST', '/oauth/device'],
  ['GET', '/oauth/device/:uid'],
  ['POST', '/oauth/device/auth'],
  ['GET', '/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'],
  ['GET', '/cabinet/oauth', '/oauth/authorize'],
  ['POST', '/site/oauth/token', '/oauth/token'],
] as const

const config = { operation: 'apps' }

type Details = Awaited<ReturnType<Provider['interactionDetails']>>

const line = z.catch(z.string().check(z.maxLength(200)), '')
const Answer = z.object({ csrf: line, answer: line, project_id: line })
const Back = z.object({ code: line, state: line })

/** Adds the routes. @param issuer public address of the service */
export async function serveApps(app: FastifyInstance, services: Services, issuer: () => string): Promise<void> {
  const ready = providers(services, issuer, pages)
  const count = (request: FastifyRequest, kind: keyof typeof perMinute = 'pages') =>
    services.limits.count(`apps ${kind} ${networkOf(request.ip)}`, perMinute[kind])

  await app.register(async (scope) => {
    // The library reads bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_, __, done) => done(null))
    for (const [method, url, own] of paths)
      scope.route({
        method,
        url,
        config,
        handler: async (request, reply) => {
          count(request, method === 'POST' && url !== '/oauth/device' ? 'tokens' : 'pages')
          const { handle } = await ready()
          await prepare(services, request, own, issuer())
          for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
          reply.hijack()
          await handle(request.raw, reply.raw)
        },
      })
  })

  await app.register(async (scope) => {
    await scope.register(formbody, { bodyLimit: 16_384 })
    // OpenID Connect Core, 3.1.2.1: a request may be a form.
    scope.post('/oauth/authorize', { config }, async (request, reply) => {
      count(request)
      const query = new URLSearchParams()
      for (const [name, sent] of Object.entries(Object(request.body) as Record<string, string | string[]>))
        for (const one of [sent].flat()) query.append(name, String(one))
      return reply.redirect(`/oauth/authorize?${query.toString()}`, 303)
    })
    scope.get('/oauth/consent/:uid', { config }, async (request, reply) => {
      count(request)
      const { provider } = await ready()
      const details = await detailsOf(provider, request, reply)
      if (!details) return expired(request, reply)
      if (details.prompt.name === 'login') return signIn(services, provider, details, request, reply)
      return ask(services, provider, details, request, reply)
    })
    scope.post('/oauth/consent/:uid', { config }, async (request, reply) => {
      count(request)
      const { provider } = await ready()
      const details = await detailsOf(provider, request, reply)
      return details?.prompt.name === 'consent'
        ? decide(services, provider, details, request, reply)
        : expired(request, reply)
    })
  })
}

/** Rewrites a request for the library: path, origin of the issuer, defaults of an authorization. */
async function prepare(services: Services, request: FastifyRequest, own: string | undefined, issuer: string) {
  const { raw } = request
  const url = new URL(raw.url ?? '/', issuer)
  if (own !== undefined) url.pathname = own
  if (url.pathname === '/oauth/authorize') await completeRequest(services, url)
  if (url.pathname === '/oauth/device') preset(url)
  raw.url = url.pathname + url.search
  const { host, protocol } = new URL(issuer)
  raw.headers.host = host
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  delete raw.headers['x-forwarded-host']
  delete raw.headers['x-forwarded-for']
  // Each request begins a session of its own, so that another user of the browser does not interfere.
  if (url.pathname === '/oauth/authorize' || (url.pathname === '/oauth/device' && raw.method === 'GET'))
    raw.headers.cookie = (raw.headers.cookie ?? '')
      .split(';')
      .filter((pair) => !/^\s*rd_apps(?:\.sig)?=/.test(pair))
      .join(';')
}

/** Moves a code in the address of the device form (RFC 8628, 3.3.1) to our form; that of the library needs a script. */
function preset({ searchParams }: URL): void {
  const code = searchParams.get('user_code')
  searchParams.delete('user_code')
  if (code !== null) searchParams.set('preset', code.slice(0, 20))
}

/** Adds the scopes of the registration where a request names none (passport-streamvi), by our names, and asks each time. */
async function completeRequest({ db }: Services, url: URL): Promise<void> {
  const query = url.searchParams
  // The project is in the query of the redirect. The library refuses this value.
  if (query.getAll('response_mode').some((mode) => mode !== 'query')) query.set('response_mode', 'none')
  // The library refuses repeated parameters.
  if (query.getAll('scope').length > 1 || query.getAll('prompt').length > 1) return
  const client = await findClient(db, query.get('client_id') ?? '')
  const scope = ownScopes(query.get('scope') ?? '') || client?.scopes
  if (scope) query.set('scope', scope)
  const prompts = (query.get('prompt') ?? '').split(' ').filter(Boolean)
  if (!prompts.includes('none')) query.set('prompt', [...new Set([...prompts, 'consent'])].join(' '))
}

/** Returns the interaction of the browser that the address names; null when there is none. */
async function detailsOf(provider: Provider, request: FastifyRequest, reply: FastifyReply): Promise<Details | null> {
  const { uid } = request.params as { readonly uid: string }
  const details = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'SessionNotFound') return null
    throw error
  })
  return details?.uid === uid ? details : null
}

/** Redirects to the sign-in page, which returns a single-use code; a valid code finishes the login. */
async function signIn(
  services: Services,
  provider: Provider,
  details: Details,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { code, state } = Back.parse(request.query)
  const isBack = code !== '' && sameText(state, details.uid)
  const userId = isBack ? await userOfCode(services, { code, state }) : null
  if (userId === null) {
    const language = languageIn(details.params['ui_locales'], request.raw)
    const query = { redirect: `/oauth/consent/${details.uid}`, state: details.uid, language }
    return reply.redirect(`/auth/local/sign-in?${new URLSearchParams(query).toString()}`, 303)
  }
  reply.hijack()
  const login = { accountId: String(userId), remember: false, amr: ['pwd'] }
  await provider.interactionFinished(request.raw, reply.raw, { login })
  return reply
}

async function ask(
  services: Services,
  provider: Provider,
  details: Details,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const about = await clientOf(services, provider, details)
  if (!about) return expired(request, reply)
  const { client, redirect, asked } = about
  const projects = await projectsOf(services, details)
  const text = consentPage({
    language: languageIn(details.params['ui_locales'], request.raw),
    app: client,
    host: redirect && (redirect.host || redirect.protocol),
    scopes: grantable(asked.join(' ')),
    seesIdentity: asked.some((scope) => scope === 'profile' || scope === 'email'),
    staysConnected: asked.includes('offline_access'),
    projects: projects.map(({ id, name, fename }) => ({ id, name: [name, fename].filter(Boolean).join(' ') })),
    csrf: csrfOf(services, details),
  })
  const target = redirect && (/^https?:$/.test(redirect.protocol) ? redirect.origin : redirect.protocol)
  return page(reply, text, target ?? '')
}

async function decide(
  services: Services,
  provider: Provider,
  details: Details,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sent = Answer.safeParse(request.body)
  if (!sent.success) return expired(request, reply)
  const { csrf, answer, project_id } = sent.data
  const site = request.headers['sec-fetch-site']
  const isOwn = (site === undefined || site === 'same-origin') && sameText(csrf, csrfOf(services, details))
  const about = await clientOf(services, provider, details)
  if (!isOwn || !about || !details.session) return expired(request, reply)
  const finish = async (result: Parameters<Provider['interactionFinished']>[2], merge: boolean) => {
    reply.hijack()
    await provider.interactionFinished(request.raw, reply.raw, result, { mergeWithLastSubmission: merge })
    return reply
  }
  if (answer !== 'allow') return finish({ error: 'access_denied', error_description: 'The user refused' }, false)
  const { accountId } = details.session
  const project = (await projectsOf(services, details)).find(({ id }) => String(id) === project_id)
  if (!project) return ask(services, provider, details, request, reply)
  const grant = new provider.Grant({ accountId, clientId: about.client.client_id })
  const scopes = grantable(about.asked.join(' '))
  grant.addOIDCScope(about.asked.filter((one) => isIdentity(one) || scopes.some((scope) => scope === one)).join(' '))
  const grantId = await grant.save()
  const isStored = await createGrant(services, {
    id: grantId,
    appId: about.client.id,
    userId: Number(accountId),
    projectId: project.id,
    scopes,
    isLasting: isLasting(about.asked.join(' ')),
  })
  // The person left the project since.
  if (!isStored) return ask(services, provider, details, request, reply)
  return finish({ consent: { grantId } }, true)
}

const projectsOf = async ({ db }: Services, { session }: Details) =>
  (await listProjects(db, Number(session?.accountId), { limit: 100, offset: 0 })).rows

const isIdentity = (scope: string): boolean => identityScopes.some((one) => one === scope)

interface About {
  readonly client: ClientRow
  /** Address of the app; null: a device. */
  readonly redirect: URL | null
  /** Scopes of the request that the app may have. */
  readonly asked: readonly string[]
}

/** Returns the app of an interaction; null when it was deleted since, or has another redirect address. */
async function clientOf({ db }: Services, provider: Provider, { params }: Details): Promise<About | null> {
  const id = textOf(params['client_id'])
  const redirect = textOf(params['redirect_uri'])
  const [client, registered] = await Promise.all([findClient(db, id), provider.Client.find(id)])
  if (!client || (redirect !== '' && registered?.redirectUriAllowed(redirect) !== true)) return null
  const may = [...identityScopes, ...client.scopes.split(' ')]
  const asked = textOf(params['scope'])
    .split(' ')
    .filter((scope) => may.includes(scope))
  return { client, asked, redirect: URL.parse(redirect) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const csrfOf = ({ config: { secret } }: Services, { uid }: Details): string =>
  createHmac('sha256', derivedKey(secret, 'app consent')).update(uid).digest('base64url')

const expired = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  page(reply.code(400), messagePage(languageIn(undefined, request.raw), 'failedTitle', 'expired'))

const page = (reply: FastifyReply, text: string, target = ''): FastifyReply =>
  reply.headers(headersOf(target)).type('text/html; charset=utf-8').send(text)
