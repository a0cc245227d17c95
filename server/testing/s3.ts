// Test double of S3: a bucket in memory, lists, multipart uploads and ranges. It verifies each signature (AWS Signature Version 4).
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * `refuse`: 503 for each request; `forbid`: 403; `cut`: breaks off each answer to a read; `slow down`: 503 for every second request;
 * `hang`: no answer.
 */
export type S3Fault = 'none' | 'refuse' | 'forbid' | 'cut' | 'slow down' | 'hang'

/** A request that changes the bucket. */
export interface S3Write {
  readonly method: string
  readonly key: string
  /** The request belongs to an object in parts. */
  readonly isPart: boolean
}

export interface S3Double {
  /** Address of its bucket. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Objects by key. */
  readonly objects: Map<string, Buffer>
  /** Last changes of objects by key, and beginnings of uploads by id; default: now. */
  readonly times: Map<string, Date>
  /** Uploads that were neither completed nor aborted, by id. */
  readonly uploads: ReadonlyMap<string, unknown>
  fault: S3Fault
  /** Delays a request of an upload: a part, or the completion. */
  onUpload: (step: 'part' | 'complete') => Promise<void>
  /** Called for each change: it happens, or the connection breaks before or after it. */
  onWrite: (write: S3Write) => 'keep' | 'break before' | 'break after'
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

/** Returns the change that a request makes; null: it reads. */
function changeOf({ method = '' }: IncomingMessage, { pathname, searchParams }: URL): S3Write | null {
  if (method === 'GET' || method === 'HEAD') return null
  const isPart = searchParams.has('uploadId') || searchParams.has('uploads')
  return { method, key: decodeURIComponent(pathname).slice(bucket.length + 2), isPart }
}

const element = (name: string, content: string) => `<${name}>${content}</${name}>`
const xml = (name: string, content: string) => `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, content)}`
const tag = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`

/** What the bucket contains. */
interface Content {
  readonly objects: Map<string, Buffer>
  readonly times: Map<string, Date>
  readonly uploads: Map<string, { readonly key: string; readonly parts: Map<number, Buffer> }>
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(xml('Error', `<Code>${code}</Code>`))
}

function sendXml(response: ServerResponse, name: string, content: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(xml(name, content))
}

const elements = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => element(name, value))
    .join('')

function keep({ objects, times }: Content, key: string, content: Buffer): void {
  objects.set(key, content)
  times.set(key, new Date())
}

const dateOf = ({ times }: Content, name: string) => (times.get(name) ?? new Date()).toISOString()

/** Lists objects by key (ListObjectsV2). */
function list(content: Content, query: URLSearchParams, response: ServerResponse): void {
  const { objects } = content
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).toSorted()
  const page = keys.slice(0, Number(query.get('max-keys') ?? 1000))
  const isCut = page.length < keys.length
  const found = page.map((key) =>
    element(
      'Contents',
      elements({ Key: key, Size: String(objects.get(key)?.length), LastModified: dateOf(content, key) }),
    ),
  )
  const next = isCut ? elements({ NextContinuationToken: page.at(-1) ?? '' }) : ''
  sendXml(response, 'ListBucketResult', `${elements({ IsTruncated: String(isCut) })}${next}${found.join('')}`)
}

/** Lists objects in parts that were begun (ListMultipartUploads). */
function listUploads(content: Content, query: URLSearchParams, response: ServerResponse): void {
  const found = [...content.uploads]
    .filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
    .map(([id, { key }]) => element('Upload', elements({ Key: key, UploadId: id, Initiated: dateOf(content, id) })))
  sendXml(response, 'ListMultipartUploadsResult', `${elements({ Bucket: bucket })}${found.join('')}`)
}

function complete(content: Content, id: string, body: string, response: ServerResponse): void {
  const upload = content.uploads.get(id)
  const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>(.*?)<\/ETag>/g)]
  const parts = named.map(([, number]) => upload?.parts.get(Number(number)))
  if (!upload) return refuse(response, 404, 'NoSuchUpload')
  if (parts.length === 0 || parts.some((part) => !part)) return refuse(response, 400, 'InvalidPart')
  if (parts.slice(0, -1).some((part) => (part?.length ?? 0) < partLeast)) return refuse(response, 400, 'EntityTooSmall')
  const whole = Buffer.concat(parts as Buffer[])
  keep(content, upload.key, whole)
  content.uploads.delete(id)
  sendXml(response, 'CompleteMultipartUploadResult', elements({ Key: upload.key, ETag: tag(whole) }))
}

/** @param isCut breaks off the answer */
function read(
  content: Content,
  request: IncomingMessage,
  response: ServerResponse,
  { key, isCut }: { readonly key: string; readonly isCut: boolean },
): unknown {
  const object = content.objects.get(key)
  if (!object) return refuse(response, 404, 'NoSuchKey')
  const [, first, last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const [from, to] = [Number(first ?? 0), last === '' ? object.length - 1 : Number(last)]
  if (first !== undefined && from >= object.length) return refuse(response, 416, 'InvalidRange')
  const part = object.subarray(from, to + 1)
  response.writeHead(first === undefined ? 200 : 206, { 'content-length': part.length, etag: tag(object) })
  if (request.method === 'HEAD') return response.end()
  if (!isCut) return response.end(part)
  return response.write(part.subarray(0, part.length / 2), () => response.destroy())
}

/** Starts the double on a free port. */
export async function s3Double(): Promise<S3Double> {
  const content: Content = { objects: new Map(), times: new Map(), uploads: new Map() }
  const { objects, times, uploads } = content
  let [made, asked] = [0, 0]

  function answer(request: IncomingMessage, url: URL, body: Buffer, response: ServerResponse): unknown {
    const key = decodeURIComponent(url.pathname).slice(bucket.length + 2)
    const query = url.searchParams
    const id = query.get('uploadId')
    if (key === '') return query.has('uploads') ? listUploads(content, query, response) : list(content, query, response)
    if (request.method === 'POST' && query.has('uploads')) {
      const upload = `upload-${++made}`
      uploads.set(upload, { key, parts: new Map() })
      times.set(upload, new Date())
      return sendXml(response, 'InitiateMultipartUploadResult', elements({ Key: key, UploadId: upload }))
    }
    if (request.method === 'POST' && id !== null) return complete(content, id, body.toString(), response)
    if (request.method === 'PUT') {
      const upload = id === null ? null : uploads.get(id)
      if (upload === undefined) return refuse(response, 404, 'NoSuchUpload')
      if (upload) upload.parts.set(Number(query.get('partNumber')), body)
      else keep(content, key, body)
      return response.writeHead(200, { etag: tag(body) }).end()
    }
    if (request.method === 'DELETE') {
      if (id === null) objects.delete(key)
      else if (!uploads.delete(id)) return refuse(response, 404, 'NoSuchUpload')
      return response.writeHead(204).end()
    }
    if (request.method === 'GET' || request.method === 'HEAD')
      return read(content, request, response, { key, isCut: double.fault === 'cut' })
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
    // A body in chunks has no length that a signature could cover.
    if (request.headers['transfer-encoding'] !== undefined) return refuse(response, 411, 'MissingContentLength')
    if (double.fault === 'forbid') return refuse(response, 403, 'AccessDenied')
    if (double.fault === 'hang') return undefined
    const isBusy = double.fault === 'refuse' || (double.fault === 'slow down' && ++asked % 2 === 0)
    if (isBusy) return refuse(response, 503, 'SlowDown')
    if (url.searchParams.has('uploadId') && request.method !== 'DELETE')
      await double.onUpload(request.method === 'PUT' ? 'part' : 'complete')
    const change = changeOf(request, url)
    const how = change ? double.onWrite(change) : 'keep'
    if (how === 'break before') return request.socket.destroy()
    answer(request, url, body, how === 'break after' ? new ServerResponse(request) : response)
    if (how === 'break after') request.socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: S3Double = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${bucket}`,
    region,
    accessKeyId,
    secretAccessKey,
    objects,
    times,
    uploads,
    fault: 'none',
    onUpload: async () => undefined,
    onWrite: () => 'keep',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return double
}
