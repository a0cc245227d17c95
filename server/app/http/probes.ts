// Routes for operators and tools: health, readiness, metrics, OpenAPI document, not found.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { operations } from '#contract/index.ts'
import { notServed } from '#contract/not-served.ts'
import { openApi } from '#contract/openapi.ts'
import { AppError, ForbiddenError, NotFoundError } from '#server/core/errors.ts'
import { originOf } from '#server/core/http.ts'
import { sameText } from '#server/core/secrets.ts'
import type { Settings } from '#server/core/settings.ts'

interface About {
  readonly settings: Settings
  readonly registry: Registry
  /** Opens the metrics; empty: they are open to this machine. */
  readonly metricsToken: string
  /** A proxy is configured: a request from this machine may come from anywhere. */
  readonly isProxied: boolean
  readonly ready: () => Promise<void>
}

/** Adds the paths that belong to no operation. */
export function serveProbes(app: FastifyInstance, about: About): void {
  serveLiveness(app, about.ready)
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, about)) throw new ForbiddenError('Forbidden_metrics')
    return reply.type(about.registry.contentType).send(await about.registry.metrics())
  })
  app.get('/openapi.json', (request) =>
    openApi({
      version: about.settings.release.version,
      url: originOf(request, about.settings.publicUrl),
    }),
  )
}

/** Adds `/healthz`, which asks for nothing outside the process, and `/readyz`. @param ready fails while the service is not */
export function serveLiveness(app: FastifyInstance, ready: () => Promise<void>): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await ready().catch(() => {
      throw new AppError(503, 'NotReady')
    })
    return { status: 'ready' }
  })
}

/** Without a token only requests from this machine, and none that a proxy on this machine forwards. */
function mayReadMetrics({ headers, ip }: FastifyRequest, { metricsToken, isProxied }: About): boolean {
  if (metricsToken !== '') return sameText(headers.authorization ?? '', `Bearer ${metricsToken}`)
  const isForwarded = ['forwarded', 'x-forwarded-for', 'via'].some((name) => headers[name] !== undefined)
  return !isProxied && !isForwarded && loopback.has(ip)
}
const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Paths of the API and their methods, to tell a wrong method from a wrong path. */
const methods = new Map<string, Set<string>>()
for (const [method = '', path = ''] of [
  ...operations.map((op) => [op.method, op.path]),
  ...notServed.flatMap((group) => group.operations.map(([name]) => name.replace(' ', ' /method/').split(' '))),
]) {
  methods.set(path, (methods.get(path) ?? new Set(['OPTIONS'])).add(method))
}

/**
 * Answers what no route matches.
 * @param page sends the dashboard for page requests
 */
export function serveNothing(
  app: FastifyInstance,
  page: (request: FastifyRequest, reply: FastifyReply) => boolean,
): void {
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = methods.get(path)
    if (allowed) {
      reply.header('allow', [...allowed].join(', '))
      if (request.method === 'OPTIONS') return reply.code(204).send()
      throw new AppError(405, 'MethodNotAllowed')
    }
    if (path.startsWith('/method/')) throw new NotFoundError('UnknownOperation')
    if (page(request, reply)) return reply
    throw new NotFoundError()
  })
}
