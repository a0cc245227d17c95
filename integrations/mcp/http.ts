// MCP over streamable HTTP: a resource server of the service's OAuth. Stateless: each request has its token, and its own tools.
import { createServer, type Server } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  bearerAuthChallengeResponse,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  type OAuthTokenVerifier,
  originValidationResponse,
  verifyBearerToken,
} from '@modelcontextprotocol/server'
import type { Scope } from '#contract/core/scopes.ts'
import { createClient } from '#integrations/client/main.ts'
import { createMcpServer, type McpOptions } from './server.ts'
import { usableScopes } from './tools.ts'

/** Settings of the HTTP server. */
export interface HttpOptions extends Pick<McpOptions, 'url' | 'language' | 'version'> {
  /** Address that clients use, such as `https://live.example.com/mcp`. */
  readonly address: string
  readonly onError: (error: Error) => void
}

/** Longest request, bytes: calls of tools are short. */
const bodyMax = 256 * 1024
/** Longest time for a whole request, milliseconds. */
const requestMs = 30_000
/** Connections of all clients. */
const connectionsMax = 500
/** Life of a verification, seconds: that of one request. */
const verifiedS = 60
/** Age of the metadata of the authorization server, milliseconds. */
const metadataMs = 300_000

type Metadata = Parameters<typeof oauthMetadataResponse>[1]['oauthMetadata']

class Unreachable extends Error {}

/** Returns the server. It does not listen yet. */
export function mcpOverHttp(options: HttpOptions): Server {
  const fetch = mcpFetch(options)
  const { onError } = options
  const handle = toNodeHandler({ fetch }, { onerror: onError, maxRequestBodySize: bodyMax })
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (request, response) => {
    response.on('error', onError)
    // Without a URL there is no request: a host with a user, or a path that is none.
    const { headers, url = '' } = request
    const isUrl =
      headers.host?.includes('@') === false && url.startsWith('/') && URL.canParse(`http://${headers.host}${url}`)
    if (!isUrl) return void response.writeHead(400).end()
    void handle(request as Parameters<typeof handle>[0], response)
  })
  server.maxConnections = connectionsMax
  return server.on('clientError', (_, socket) => socket.destroy())
}

/** Returns the function that answers a request. Never rejects. */
export function mcpFetch(options: HttpOptions): (request: Request) => Promise<Response> {
  const { url, address, language, version, onError } = options
  const resource = new URL(address)
  const names = [resource.hostname, ...localhostAllowedHostnames()]
  const metadataOf = metadataOfService(url)
  const verifier = verifierOf(options)
  const challenge = { resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource) }
  const handler = createMcpHandler(
    ({ authInfo }) =>
      createMcpServer({ url, language, version, token: authInfo?.token ?? '', granted: authInfo?.scopes as Scope[] }),
    // No stream stays open: a revoked token has no connection to lose.
    { maxRequestBodySize: bodyMax, maxSubscriptions: 0, onerror: onError },
  )

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/.well-known/')) {
      const about = oauthMetadataResponse(request, {
        oauthMetadata: await metadataOf(),
        resourceServerUrl: resource,
        scopesSupported: [...usableScopes, 'offline_access'],
        resourceName: 'Relaydeck',
        dangerouslyAllowInsecureIssuerUrl: true,
      })
      if (about) return about
    }
    if (pathname !== resource.pathname) return new Response('Not found', { status: 404 })
    try {
      const authInfo = await verifyBearerToken(request.headers.get('authorization'), { verifier, ...challenge })
      return await handler.fetch(request, { authInfo })
    } catch (error) {
      if (error instanceof OAuthError) return bearerAuthChallengeResponse(error, challenge)
      throw error
    }
  }

  return async (request) => {
    // A page in a browser of the same network must not reach a server that listens there (DNS rebinding).
    const foreign = hostHeaderValidationResponse(request, names) ?? originValidationResponse(request, names)
    if (foreign) return foreign
    try {
      return await answer(request)
    } catch (error) {
      if (!(error instanceof Unreachable)) onError(error as Error)
      return Response.json({ error: (error as Error).message }, { status: 503, headers: { 'retry-after': '5' } })
    }
  }
}

/** Returns the metadata of the authorization server, which is the service. @throws Unreachable */
function metadataOfService(url: string): () => Promise<Metadata> {
  let known: { readonly at: number; readonly metadata: Metadata } | null = null
  return async () => {
    if (known && performance.now() - known.at < metadataMs) return known.metadata
    const from = new URL('/.well-known/oauth-authorization-server', url)
    const response = await fetch(from, { signal: AbortSignal.timeout(requestMs) }).catch(() => null)
    if (!response?.ok) throw new Unreachable('The service does not respond')
    const metadata = (await response.json()) as Metadata
    known = { at: performance.now(), metadata }
    return metadata
  }
}

/** Asks the service about each token, so that a revoked one ends with the next request. */
const verifierOf = ({ url, language }: HttpOptions): OAuthTokenVerifier => ({
  async verifyAccessToken(token) {
    const me = await createClient({ url, token, language }).call('projects.projects.me', {})
    const expiresAt = Math.floor(Date.now() / 1000) + verifiedS
    if (me.ok) return { token, clientId: '', scopes: me.data.scopes, expiresAt }
    const { error } = me
    if (error.kind === 'refused' && [401, 403].includes(error.status))
      throw new OAuthError(OAuthErrorCode.InvalidToken, error.message)
    throw new Unreachable(error.message)
  },
})
