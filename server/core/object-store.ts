// Objects in a bucket of S3: files that every replica reads, whichever machine wrote them.
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { S3mini } from 's3mini'
import * as z from 'zod/mini'
import { anyText, ConfigError, several, settings, variable } from './variables.ts'

/** Byte range of an object, both ends included. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** An object of a list. */
export interface Listed {
  readonly name: string
  readonly bytes: number
  /** Last change. */
  readonly at: Date
}

/** An object in parts that has neither been completed nor aborted. */
export interface Unfinished {
  readonly name: string
  readonly upload: string
  /** When it was begun. */
  readonly at: Date
}

/** Names and bytes; names are keys of the bucket. */
export interface ObjectStore {
  /**
   * Writes an object. It exists after the last part; a failure leaves none.
   * @param parts of at least 5 MB each, but the last one
   */
  put(name: string, type: string, parts: AsyncIterable<Uint8Array>): Promise<void>
  /** Writes a small object in one request: it has all bytes, or those that it had before. */
  write(name: string, type: string, bytes: Uint8Array): Promise<void>
  /** Begins an object in parts. @returns the name of the upload */
  beginParts(name: string, type: string): Promise<string>
  /** Writes a part, or replaces it. @param number from 1 @returns its tag */
  writePart(name: string, upload: string, { number, bytes }: NumberedPart): Promise<string>
  /** Completes an object in parts. @param tags of all parts in their order */
  endParts(name: string, upload: string, tags: readonly string[]): Promise<void>
  /** Aborts an object in parts, or nothing. */
  abortParts(name: string, upload: string): Promise<void>
  /** Returns objects in parts that were begun and not ended, 1000 at most. */
  listUnfinished(prefix: string): Promise<Unfinished[]>
  /** Reads a part of an object. @throws when it does not exist */
  read(name: string, part: Part): Promise<Readable>
  /** Reads a text, up to 2 MiB of it; null: it does not exist. */
  text(name: string): Promise<string | null>
  /** Returns the bytes of an object; null: it does not exist. */
  size(name: string): Promise<number | null>
  /** Removes an object, or nothing. */
  remove(name: string): Promise<void>
  /** Returns the objects whose names begin with a prefix, by name. @throws when the bucket does not exist */
  list(prefix: string): AsyncIterable<Listed>
  /** @throws when the bucket does not exist, or refuses the key */
  ping(): Promise<void>
}

/** A part of an object, with its place among the others, from 1. */
export interface NumberedPart {
  readonly number: number
  readonly bytes: Uint8Array
}

/** Settings of the bucket. */
export const s3Settings = settings({
  /** Bucket; null: files stay on the machines that wrote them. */
  s3: several(
    {
      S3_URL: variable(
        z.string().check(z.regex(/^(https?:\/\/[^\s/]+\/[^\s/]+)?$/)),
        '',
        'Bucket of S3 for films and finished recordings, for example `https://s3.example.com/relaydeck`: replicas need no shared folder, and recordings move there from the disks of relays. Empty: films are in MEDIA_DIR, recordings stay on their machine',
      ),
      S3_REGION: variable(anyText, 'auto', 'Region of that bucket'),
      S3_ACCESS_KEY: variable(anyText, '', 'Access key that may read, write and delete in that bucket'),
      S3_SECRET_KEY: variable(anyText, '', 'Secret of that key'),
    },
    ({ S3_URL: endpoint, S3_REGION: region, S3_ACCESS_KEY: accessKeyId, S3_SECRET_KEY: secretAccessKey }) => {
      if (endpoint === '') return null
      if (accessKeyId === '' || secretAccessKey === '')
        throw new ConfigError('S3_ACCESS_KEY and S3_SECRET_KEY must be set when S3_URL is.')
      return { endpoint, region, accessKeyId, secretAccessKey }
    },
  ),
})

/** Time until the headers of an answer, milliseconds, and for what is sent on a line of 2 Mbps. */
const answerMs = 15_000
const bytesPerMs = 250
/** A server may join thousands of parts before it answers. */
const joinMs = 90_000

/** Sends a request. A download may take longer than the wait for its first byte. */
const fetchInTime: typeof fetch = async (url, init = {}) => {
  const { body, method } = init
  const bytes = body instanceof Uint8Array && body.length > 0 ? body : null
  const late = new AbortController()
  const ms = method === 'POST' ? joinMs : answerMs + (bytes?.byteLength ?? 0) / bytesPerMs
  const timer = setTimeout(() => late.abort(new Error('S3 did not answer in time')), ms)
  try {
    const sent = bytes === null ? {} : { body: streamOf(bytes), duplex: 'half' as const }
    return await fetch(url, { ...init, ...sent, signal: late.signal })
  } finally {
    clearTimeout(timer)
  }
}

const blockBytes = 64 * 1024

/** Returns bytes as a body. `fetch` copies others as a whole; the client sets their length. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, (at += blockBytes)))
    },
  })
}

const textBytesMax = 2 * 1024 * 1024
/** Objects of a page of a list. */
const pageObjects = 1000

/** Opens a bucket. The client is loaded with the first request. */
export function createObjectStore(about: {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}): ObjectStore {
  let opened: Promise<S3mini> | null = null
  const bucket = () =>
    (opened ??= import('s3mini').then(({ S3mini: Client }) => new Client({ ...about, fetch: fetchInTime })))

  const store: ObjectStore = {
    async put(name, type, parts) {
      const upload = await store.beginParts(name, type)
      try {
        const tags: string[] = []
        for await (const bytes of parts)
          tags.push(await store.writePart(name, upload, { number: tags.length + 1, bytes }))
        await store.endParts(name, upload, tags)
      } catch (error) {
        // Parts take space until the upload ends.
        await store.abortParts(name, upload).catch(() => undefined)
        throw error
      }
    },
    async write(name, type, bytes) {
      await (await bucket()).putObject(name, bytes, type)
    },
    beginParts: async (name, type) => (await bucket()).getMultipartUploadId(name, type),
    writePart: async (name, upload, { number, bytes }) =>
      (await (await bucket()).uploadPart(name, upload, bytes, number)).etag,
    async endParts(name, upload, tags) {
      const parts = tags.map((etag, at) => ({ partNumber: at + 1, etag }))
      await (await bucket()).completeMultipartUpload(name, upload, parts)
    },
    async abortParts(name, upload) {
      await (await bucket()).abortMultipartUpload(name, upload).catch(unlessMissing)
    },
    async listUnfinished(prefix) {
      return unfinishedIn(await (await bucket()).listMultipartUploads('/', prefix, 'GET', { prefix }))
    },
    async read(name, { from, to }) {
      const { body } = await (await bucket()).getObjectRaw(name, false, from, to + 1)
      if (!body) throw new Error(`The object ${name} has no content`)
      return Readable.fromWeb(body as WebStream)
    },
    async text(name) {
      const found = await (await bucket()).getObjectRaw(name, false, 0, textBytesMax).catch(unlessMissing)
      return found ? found.text() : null
    },
    async size(name) {
      const s3 = await bucket()
      return (await s3.objectExists(name)) === true ? s3.getContentLength(name) : null
    },
    async remove(name) {
      await (await bucket()).deleteObject(name)
    },
    async *list(prefix) {
      const s3 = await bucket()
      for (let next: string | undefined; ;) {
        const page = await s3.listObjectsPaged('/', prefix, pageObjects, next)
        if (!page?.objects) throw new Error('There is no such bucket')
        for (const { Key, Size, LastModified } of page.objects)
          yield { name: String(Key), bytes: Number(Size), at: new Date(LastModified) }
        next = page.nextContinuationToken
        if (next === undefined) return
      }
    },
    async ping() {
      // A list says why it is refused; the client answers false to a wrong key as well as to a missing bucket.
      const found = await (await bucket()).listObjects('/', 'recordings/', 1)
      if (found === null) throw new Error('There is no such bucket')
    },
  }
  return store
}

function unlessMissing(error: unknown): void {
  if ((error as { readonly status?: number }).status !== 404) throw error
}

const Upload = z.object({ Key: z.string(), UploadId: z.string(), Initiated: z.string() })
const UploadList = z.object({
  // XML without a schema: one element is no list, and a list without elements has no member.
  ListMultipartUploadsResult: z.object({ Upload: z.optional(z.union([Upload, z.array(Upload)])) }),
})

/** Reads the answer of the client, which is its XML as an object. @throws when it is no list */
function unfinishedIn(answer: unknown): Unfinished[] {
  const { Upload: found = [] } = UploadList.parse(answer).ListMultipartUploadsResult
  return [found]
    .flat()
    .map(({ Key, UploadId, Initiated }) => ({ name: Key, upload: UploadId, at: new Date(Initiated) }))
}
