// The built chat overlay for OBS: static files of their own, under a policy that allows its script and styles, and images of the
// platforms whose chat is read.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import serveStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { chatImageSources } from '#server/chat/clean.ts'
import { root } from '#server/core/root.ts'
import { keepDocument, sendDocument } from './document.ts'

const dist = join(root, 'dist/overlay')

/** OBS opens the page itself: no page may frame it, and it frames, submits and runs nothing else. */
const policyOf = (connect: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src data: ${chatImageSources.join(' ')}`,
    `connect-src 'self' ${connect.filter((source) => source !== 'none').join(' ')}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/**
 * Serves `/overlay/chat` and its files. The key is in the fragment, which reaches neither the service nor a log.
 * @param connect origins beside the own one that the page may connect to
 * @param settings content of `/config.json`, written into the document
 */
export async function serveOverlay(app: FastifyInstance, connect: readonly string[], settings: object): Promise<void> {
  if (!existsSync(join(dist, 'chat.html'))) return
  const document = keepDocument(join(dist, 'chat.html'), settings)
  const headers = {
    'content-security-policy': policyOf(connect),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  }
  await app.register(serveStatic, {
    root: join(dist, 'assets'),
    prefix: '/overlay/assets/',
    preCompressed: true,
    index: false,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.headers({ ...headers, 'cache-control': 'public, max-age=31536000, immutable' }),
  })
  app.get('/overlay/chat', (request, reply) => {
    reply.headers({ ...headers, 'x-frame-options': 'DENY' })
    return sendDocument(document(), request, reply)
  })
}
