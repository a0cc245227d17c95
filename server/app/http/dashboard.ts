// The built dashboard and uploaded files: static, compressed beforehand, under a policy that lets no foreign script in.
import { contentTypeOf } from '#server/domain/account/pictures.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import serveStatic from '@fastify/static'
import * as z from 'zod/mini'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { root } from '#server/core/root.ts'
import { env, list, settings, anyText } from '#server/core/variables.ts'
import type { Config } from '#server/core/settings.ts'
import { keepDocument, sendDocument } from './document.ts'
import { serveOverlay } from './overlay.ts'
import { suppliedPolicies } from './policies.ts'

/** Schema of the address of a WebSocket. */
const socketAddress = z.string().check(z.refine((value) => ['ws:', 'wss:'].includes(URL.parse(value)?.protocol ?? '')))

export const dashboardSettings = settings({
  baseUrl: env('BASE_URL', anyText, '', 'API that the dashboard calls; empty: this service'),
  connectSrc: env(
    'CONNECT_SRC',
    list,
    'https: wss: http://localhost:* http://127.0.0.1:*',
    'Origins beside its own that the dashboard may connect to (CSP). `none` disables “Connect to another server”',
  ),
  defaultLanguage: env(
    'LANGUAGE',
    z.enum(['', 'en', 'ru', 'cn']),
    '',
    'Default language of the dashboard; empty: the browser’s',
  ),
  browserRealtimeUrl: env(
    'REALTIME_URL',
    z.union([z.literal(''), socketAddress]),
    '',
    'WebSocket address of Centrifugo for browsers, for example `wss://events.example.com/connection/websocket`. Empty: `/connection/websocket` of this service',
  ),
})

const dist = join(root, 'dist/dashboard')

/** No script but ours, no string that becomes one (Trusted Types), no frame around us. */
const policyOf = (connect: readonly string[], inline: readonly string[]): string =>
  [
    "default-src 'self'",
    `script-src 'self' ${inline.join(' ')}`.trim(),
    "style-src 'self'",
    "img-src 'self' data: blob: https:",
    // A live picture: the player hands its buffer to the browser as a blob of this page.
    "media-src 'self' blob:",
    `connect-src 'self' ${connect.filter((source) => source !== 'none').join(' ')}`.trim(),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The service worker of notifications, `src/areas/notifications/push.ts`.
    'trusted-types relaydeck-worker',
  ].join('; ')

/** Streams from the browser use camera, microphone and screen; no frame of another origin does. */
const permissions = 'camera=(self), microphone=(self), display-capture=(self)'

/** Returns the `@font-face` rules of the built dashboard, which name its versioned font files; empty without a build. */
export function builtFontFaces(): string {
  const assets = join(dist, 'assets')
  const sheets = existsSync(assets) ? readdirSync(assets).filter((name) => name.endsWith('.css')) : []
  return sheets
    .flatMap((name) => readFileSync(join(assets, name), 'utf8').match(/@font-face\s*\{[^}]*\}/g) ?? [])
    .join('\n')
}

/**
 * Serves `dist/dashboard/`, `/config.json` and `/files/`.
 * @param parts reads an uploaded file; where people can sign in beside the service itself
 * @returns what answers a page of the dashboard, whose paths only the dashboard knows
 */
export async function serveDashboard(
  app: FastifyInstance,
  config: Config,
  {
    file,
    signIn,
  }: { readonly file: (name: string) => Promise<Uint8Array | undefined>; readonly signIn: readonly string[] },
) {
  const built = existsSync(join(dist, 'index.html'))
  // Relay nodes read pictures below their own path, which plain HTTP serves too.
  for (const path of ['/files/:name', '/relay/files/:name'])
    app.get<{ Params: { name: string } }>(path, async ({ params: { name } }, reply) => {
      const content = await file(name)
      if (!content) return reply.callNotFound()
      return reply
        .headers({
          // Names are never reused.
          'content-type': contentTypeOf(name),
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'",
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(Buffer.from(content))
    })
  const policies = config.baseUrl === '' ? suppliedPolicies(config.contentDir) : []
  const site = {
    baseUrl: config.baseUrl,
    app: 'site',
    // The settings of another service are unknown here.
    signIn: config.baseUrl === '' ? signIn : [],
    ...(policies.length > 0 ? { policies } : {}),
    ...(config.browserRealtimeUrl === '' ? {} : { realtimeUrl: config.browserRealtimeUrl }),
    ...(config.defaultLanguage === '' ? {} : { language: config.defaultLanguage }),
  }
  await serveOverlay(app, config.connectSrc, site)
  app.get('/config.json', (_, reply) => reply.header('cache-control', 'no-cache').send(site))
  if (!built) return () => false

  const document = keepDocument(join(dist, 'index.html'), site)
  const headers = () => ({
    'content-security-policy': policyOf(config.connectSrc, document().hashes),
    'permissions-policy': permissions,
    'referrer-policy': 'no-referrer',
  })
  await app.register(serveStatic, {
    root: dist,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      reply.headers(headers())
    },
  })
  const sendIndex = (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ ...headers(), 'x-frame-options': 'DENY' })
    return sendDocument(document(), request, reply)
  }
  // A folder is nothing that the static files would answer for.
  app.get('/', sendIndex)
  return function page(request: FastifyRequest, reply: FastifyReply): boolean {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD'
    if (!wantsPage || !(request.headers.accept ?? '').includes('text/html')) return false
    void sendIndex(request, reply)
    return true
  }
}
