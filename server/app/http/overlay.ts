// The built pages for OBS: static files of their own, under a policy that allows their script and styles. The chat overlay shows images
// of the platforms whose chat is read. Widgets may be framed by any page; their tokens read one project and change nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import serveStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { widgetKinds } from '#contract/entities/widget-kinds.ts'
import { chatImageSources } from '#server/chat/clean.ts'
import { root } from '#server/core/root.ts'
import { keepDocument, sendDocument } from './document.ts'

const dist = join(root, 'dist/overlay')

/** A page frames, submits and runs nothing else. */
const policyOf = (
  connect: readonly string[],
  { images, framedBy }: { readonly images: string; readonly framedBy: string },
): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src data: ${images}`.trim(),
    `connect-src 'self' ${connect.filter((source) => source !== 'none').join(' ')}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framedBy}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/**
 * Serves `/overlay/chat`, `/overlay/dock`, `/overlay/<kind of a widget>` and their files. Keys and tokens are in the fragment, which reaches neither the
 * service nor a log.
 * @param connect origins beside the own one that the pages may connect to
 * @param settings content of `/config.json`, written into the documents
 */
export async function serveOverlay(app: FastifyInstance, connect: readonly string[], settings: object): Promise<void> {
  if (!existsSync(join(dist, 'dock.html'))) return
  const usual = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }
  const chat = {
    'content-security-policy': policyOf(connect, { images: chatImageSources.join(' '), framedBy: "'none'" }),
    'x-frame-options': 'DENY',
    ...usual,
  }
  const dock = {
    'content-security-policy': policyOf(connect, { images: '', framedBy: "'none'" }),
    'x-frame-options': 'DENY',
    ...usual,
  }
  const widget = { 'content-security-policy': policyOf(connect, { images: '', framedBy: '*' }), ...usual }
  await app.register(serveStatic, {
    root: join(dist, 'assets'),
    prefix: '/overlay/assets/',
    preCompressed: true,
    index: false,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.headers({ ...chat, 'cache-control': 'public, max-age=31536000, immutable' }),
  })
  const serve = (path: string, file: string, headers: Readonly<Record<string, string>>) => {
    const document = keepDocument(join(dist, file), settings)
    app.get(path, (request, reply) => sendDocument(document(), request, reply.headers(headers)))
  }
  serve('/overlay/chat', 'chat.html', chat)
  serve('/overlay/dock', 'dock.html', dock)
  for (const kind of widgetKinds) serve(`/overlay/${kind}`, 'widget.html', widget)
}
