// Test double of S3: buckets in memory, multipart uploads and ranges. It verifies each signature (AWS Signature Version 4).
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** `refuse`: 503 for each request; `cut`: breaks off each answer to a read; `slow down`: 503 for every second request. */
export type S3Fault = 'none' | 'refuse' | 'cut' | 'slow down'

export interface S3Double {
  /** Address of its bucket. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Objects by key. */
  readonly objects: ReadonlyMap<string, Buffer>
  /** Uploads that were neither completed nor aborted, by id. */
  readonly uploads: ReadonlyMap<string, unknown>
  fault: S3Fault
  /** Delays a request of an upload: a part, or the completion. */
  onUpload: (step: 'part' | 'complete') => Promise<void>
  close(): Promise<void>
}

const [bucket, region, accessKeyId, secretAccessKey] = ['relaydeck', 'eu-1', 'AKIATEST', 'secret+of/the=double']
/** Smallest part but the last one, bytes. */
const partLeast = 5 * 1024 * 1024
const skewMs = 15 * 60_000

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Encodes as AWS does: everything but unreserved characters (RFC 3986). */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns why a request is not signed by the key of the double; undefined: it is. */
function faultOf(request: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const { authorization = '', 'x-amz-date': date = '', 'x-amz-content-sha256': hash = '' } = request.headers
  const about = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    authorization,
  )
  if (!about) return 'AccessDenied'
  const [, credential = '', signed = '', signature = ''] = about
  const day = String(date).slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  if (credential !== `${accessKeyId}/${scope}`) return 'InvalidAccessKeyId'
  const at = Date.parse(String(date).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) < skewMs)) return 'RequestTimeTooSkewed'
  const names = signed.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return 'AccessDenied'
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted()
  const path = url.pathname.split('/').map((each) => encoded(decodeURIComponent(each)))
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const canonical = [request.method, path.join('/'), query.join('&'), headers.join(''), signed, hash].join('\n')
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secretAccessKey}`, day))
  const right = hmac(key, text)
  return timingSafeEqual(right, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}

const xml = (name: string, content: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${content}</${name}>`
const tag = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`

/** Starts the double on a free port. */
export async function s3Double(): Promise<S3Double> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, { readonly key: string; readonly parts: Map<number, Buffer> }>()
  let [made, asked] = [0, 0]

  function refuse(response: ServerResponse, status: number, code: string): void {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(xml('Error', `<Code>${code}</Code>`))
  }

  function complete(id: string, body: string, response: ServerResponse): void {
    const upload = uploads.get(id)
    const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>(.*?)<\/ETag>/g)]
    const parts = named.map(([, number]) => upload?.parts.get(Number(number)))
    if (!upload || parts.length === 0 || parts.some((part) => !part)) return refuse(response, 400, 'InvalidPart')
    if (parts.slice(0, -1).some((part) => (part?.length ?? 0) < partLeast))
      return refuse(response, 400, 'EntityTooSmall')
    const content = Buffer.concat(parts as Buffer[])
    objects.set(upload.key, content)
    uploads.delete(id)
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(xml('CompleteMultipartUploadResult', `<Key>${upload.key}</Key><ETag>${tag(content)}</ETag>`))
  }

  function read(request: IncomingMessage, key: string, response: ServerResponse): unknown {
    const content = objects.get(key)
    if (!content) return refuse(response, 404, 'NoSuchKey')
    const [, first, last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const [from, to] = [Number(first ?? 0), last === '' ? content.length - 1 : Number(last)]
    const part = content.subarray(from, to + 1)
    response.writeHead(first === undefined ? 200 : 206, { 'content-length': part.length, etag: tag(content) })
    if (request.method === 'HEAD') return response.end()
    if (double.fault !== 'cut') return response.end(part)
    return response.write(part.subarray(0, part.length / 2), () => response.destroy())
  }

  function answer(request: IncomingMessage, url: URL, body: Buffer, response: ServerResponse): unknown {
    const key = decodeURIComponent(url.pathname).slice(bucket.length + 2)
    const query = url.searchParams
    const id = query.get('uploadId')
    if (key === '') {
      response.writeHead(200, { 'content-type': 'application/xml' })
      return response.end(xml('ListBucketResult', '<KeyCount>0</KeyCount><IsTruncated>false</IsTruncated>'))
    }
    if (request.method === 'POST' && query.has('uploads')) {
      uploads.set(`upload-${++made}`, { key, parts: new Map() })
      response.writeHead(200, { 'content-type': 'application/xml' })
      return response.end(xml('InitiateMultipartUploadResult', `<Key>${key}</Key><UploadId>upload-${made}</UploadId>`))
    }
    if (request.method === 'POST' && id !== null) return complete(id, body.toString(), response)
    if (request.method === 'PUT' && id !== null) {
      const upload = uploads.get(id)
      if (!upload) return refuse(response, 404, 'NoSuchUpload')
      upload.parts.set(Number(query.get('partNumber')), body)
      return response.writeHead(200, { etag: tag(body) }).end()
    }
    if (request.method === 'DELETE') {
      if (id === null) objects.delete(key)
      else uploads.delete(id)
      return response.writeHead(204).end()
    }
    if (request.method === 'GET' || request.method === 'HEAD') return read(request, key, response)
    return refuse(response, 501, 'NotImplemented')
  }

  const server = createServer(async (request, response) => {
    response.on('error', () => undefined)
    const body = await buffer(request).catch(() => null)
    if (body === null) return
    const url = new URL(request.url ?? '/', 'http://double')
    const fault = faultOf(request, url, body)
    if (fault !== undefined) return refuse(response, 403, fault)
    const [, named] = url.pathname.split('/')
    if (named !== bucket) return refuse(response, 404, 'NoSuchBucket')
    const isBusy = double.fault === 'refuse' || (double.fault === 'slow down' && ++asked % 2 === 0)
    if (isBusy) return refuse(response, 503, 'SlowDown')
    if (url.searchParams.has('uploadId') && request.method !== 'DELETE')
      await double.onUpload(request.method === 'PUT' ? 'part' : 'complete')
    answer(request, url, body, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: S3Double = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${bucket}`,
    region,
    accessKeyId,
    secretAccessKey,
    objects,
    uploads,
    fault: 'none',
    onUpload: async () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return double
}
