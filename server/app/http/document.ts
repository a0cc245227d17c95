// The dashboard's document: as it was built, with the configuration written into it, so that no request is needed for that.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** In the place of this the configuration is written; a host of static files leaves it, and it is fetched. */
const preload = /<link rel="preload" href="\/config\.json"[^>]*>/

type Encoding = 'br' | 'gzip' | 'identity'

const encoders: Readonly<Record<Encoding, (body: Buffer) => Buffer>> = {
  br: brotliCompressSync,
  gzip: gzipSync,
  identity: (body) => body,
}

/** A document with its configuration. */
export interface Document {
  readonly etag: string
  /** Returns the document in an encoding, compressed at the first request for it. */
  readonly body: (encoding: Encoding) => Buffer
  /** CSP sources that allow the inline scripts of the document, and no others. */
  readonly hashes: readonly string[]
}

/** Keeps the document of a build with its configuration written into it. @returns it, made anew after another build */
export function keepDocument(path: string, settings: object): () => Document {
  const read = (at: number) => ({ at, document: documentOf(readFileSync(path, 'utf8'), settings) })
  let made = read(statSync(path).mtimeMs)
  return () => {
    // A build takes the old one away first.
    const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? made.at
    if (made.at !== at) made = read(at)
    return made.document
  }
}

function documentOf(built: string, settings: object): Document {
  // Data and no script: the policy lets nothing run of it. Nothing in it may end the element that it stands in.
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c')
  const body = Buffer.from(built.replace(preload, () => `<script id="config" type="application/json">${json}</script>`))
  const encoded: Partial<Record<Encoding, Buffer>> = {}
  return {
    etag: `W/"${hash(body).toString('base64url')}"`,
    body: (encoding) => (encoded[encoding] ??= encoders[encoding](body)),
    hashes: [...built.matchAll(/<script>([^]*?)<\/script>/g)].map(
      ([, script = '']) => `'sha256-${hash(script).toString('base64')}'`,
    ),
  }
}

const hash = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()

/** Sends the document, or 304. It is revalidated each time, because it names the files of the build. */
export function sendDocument({ etag, body }: Document, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(200).headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  const encoding = encodingOf(String(request.headers['accept-encoding'] ?? ''))
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type('text/html; charset=utf-8').send(body(encoding))
}

/** Returns the smallest accepted encoding. `q=0` excludes one. */
function encodingOf(accepted: string): Encoding {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
    .map((each) => each.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding)) ?? 'identity'
}
