// Objects in a bucket of S3: files that every replica reads, whichever machine wrote them.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { S3mini } from 's3mini'
import * as z from 'zod/mini'
import { anyText, ConfigError, several, settings, variable } from './variables.ts'

/** Byte range of an object, both ends included. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** Names and bytes; names are keys of the bucket. */
export interface ObjectStore {
  /**
   * Writes an object. It exists after the last part; a failure leaves none.
   * @param parts of at least 5 MB each, but the last one
   */
  put(name: string, type: string, parts: AsyncIterable<Uint8Array>): Promise<void>
  /** Reads a part of an object. @throws when it does not exist */
  read(name: string, part: Part): Promise<Readable>
  /** Returns the bytes of an object; null: it does not exist. */
  size(name: string): Promise<number | null>
  /** Removes an object, or nothing. */
  remove(name: string): Promise<void>
  /** @throws when the bucket does not exist, or refuses the key */
  ping(): Promise<void>
}

/** Settings of the bucket. */
export const s3Settings = settings({
  /** Bucket; null: files stay on the machines that wrote them. */
  s3: several(
    {
      S3_URL: variable(
        z.string().check(z.regex(/^(https?:\/\/[^\s/]+\/[^\s/]+)?$/)),
        '',
        'Bucket of S3 for finished recordings, for example `https://s3.example.com/relaydeck`: each is moved there from the disk of its relay, and downloads work while that machine is away. Empty: recordings stay on their machine',
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

/** Time until the headers of an answer: a part of 16 MB on a line of 2 Mbps. */
const answerMs = 90_000

/** Sends a request. A download may take longer than the wait for its first byte. */
const fetchInTime: typeof fetch = async (url, init = {}) => {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error('S3 did not answer in time')), answerMs)
  try {
    return await fetch(url, { ...init, signal: late.signal })
  } finally {
    clearTimeout(timer)
  }
}

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

  return {
    async put(name, type, parts) {
      const s3 = await bucket()
      const upload = await s3.getMultipartUploadId(name, type)
      try {
        const done = []
        for await (const part of parts) done.push(await s3.uploadPart(name, upload, part, done.length + 1))
        await s3.completeMultipartUpload(name, upload, done)
      } catch (error) {
        // Parts take space until the upload ends.
        await s3.abortMultipartUpload(name, upload).catch(() => undefined)
        throw error
      }
    },
    async read(name, { from, to }) {
      const { body } = await (await bucket()).getObjectRaw(name, false, from, to + 1)
      if (!body) throw new Error(`The object ${name} has no content`)
      return Readable.fromWeb(body as ReadableStream)
    },
    async size(name) {
      const s3 = await bucket()
      return (await s3.objectExists(name)) === true ? s3.getContentLength(name) : null
    },
    async remove(name) {
      await (await bucket()).deleteObject(name)
    },
    async ping() {
      // A list says why it is refused; the client answers false to a wrong key as well as to a missing bucket.
      const found = await (await bucket()).listObjects('/', 'recordings/', 1)
      if (found === null) throw new Error('There is no such bucket')
    },
  }
}
