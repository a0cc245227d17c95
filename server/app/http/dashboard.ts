// The built dashboard and uploaded files: static, compressed beforehand, under a policy that lets no foreign script in.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import serveStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { root } from '#server/core/root.ts'
import type { Config } from '#server/app/config.ts'
import { keepDocument, sendDocument } from './document.ts'
import { serveOverlay } from './overlay.ts'
import { suppliedPolicies } from './policies.ts'

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

/**
 * Serves `dist/dashboard/`, `/config.json` and `/files/`.
 * @param parts where uploaded files are, where people can sign in beside the service itself
 * @returns what answers a page of the dashboard, whose paths only the dashboard knows
 */
export async function serveDashboard(
  app: FastifyInstance,
  config: Config,
  { filesFolder, signIn }: { readonly filesFolder: string; readonly signIn: readonly string[] },
) {
  const built = existsSync(join(dist, 'index.html'))
  mkdirSync(filesFolder, { recursive: true })
  await app.register(serveStatic, {
    root: filesFolder,
    prefix: '/files/',
    decorateReply: !built,
    index: false,
    cacheControl: false,
    // Names are never reused. Browsers must treat every upload as an image.
    setHeaders: (reply) =>
      void reply.headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
      }),
  })
  const policies = config.BASE_URL === '' ? suppliedPolicies(config.CONTENT_DIR) : []
  const settings = {
    baseUrl: config.BASE_URL,
    app: 'site',
    // The settings of another service are unknown here.
    signIn: config.BASE_URL === '' ? signIn : [],
    ...(policies.length > 0 ? { policies } : {}),
    ...(config.REALTIME_URL === '' ? {} : { realtimeUrl: config.REALTIME_URL }),
    ...(config.LANGUAGE === '' ? {} : { language: config.LANGUAGE }),
  }
  await serveOverlay(app, config.CONNECT_SRC, settings)
  app.get('/config.json', (_, reply) => reply.header('cache-control', 'no-cache').send(settings))
  if (!built) return () => false

  const document = keepDocument(join(dist, 'index.html'), settings)
  const policy = () => policyOf(config.CONNECT_SRC, document().hashes)
  await app.register(serveStatic, {
    root: dist,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      reply.headers({ 'content-security-policy': policy(), 'referrer-policy': 'no-referrer' })
    },
  })
  const sendIndex = (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'content-security-policy': policy(), 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' })
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
