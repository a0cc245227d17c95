// Fetches files from the service: films to the disk of the node, in parts where a connection breaks, and pictures into memory.
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { writeAll } from '#server/core/write-all.ts'

/** A service that sends nothing for this time has failed, milliseconds. */
const idleMs = 20_000
/** Longest fetch, milliseconds. */
const wholeMs = 30 * 60_000
/** Attempts in a row without a further byte, after the first byte: a service that restarts is back soon. */
const attemptsMax = 10
const againMs = 2_000
/** Bytes in a millisecond. */
const bytesPerMs = 64_000

export interface FetchOptions {
  readonly url: string
  /** Headers of each request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly path: string
  /** Largest file, bytes. */
  readonly bytesMax: number
  readonly signal: AbortSignal
  /** Called before bytes are written. @throws Error when there is no room for them */
  readonly reserve: (bytes: number) => Promise<void>
}

/** Waits after so many bytes of a film: streams go first. */
export const giveWay = (bytes: number): Promise<void> => wait(bytes / bytesPerMs)

/** A failure that another attempt does not change. */
class Refused extends Error {}

/** Returns the URL of a path of the service. @param service `ws://…/relay` */
export const urlAt = (service: string, path: string): string => `${service.replace(/^ws/, 'http')}/${path}`

/**
 * Fetches a small file into memory.
 * @param bytesMax largest file, bytes
 * @param timeoutMs longest fetch, milliseconds
 * @throws Error when the service does not answer with a file within the limits
 */
export async function fetchBytes(
  url: string,
  { bytesMax, timeoutMs }: { readonly bytesMax: number; readonly timeoutMs: number },
): Promise<Buffer> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!answer.ok) throw new Error(`The service answered ${answer.status}`)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength
    if (bytes > bytesMax) throw tooLarge(bytes, bytesMax)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Returns a failure that names both sizes, as users read it. */
export function tooLarge(bytes: number, bytesMax: number): Error {
  const megabytes = (count: number) => (count / 1e6).toFixed(count < 1e7 ? 1 : 0)
  return new Refused(
    `The file has ${megabytes(bytes)} MB, and this server has room for files up to ${megabytes(bytesMax)} MB`,
  )
}

/** Fetches a file to the disk. @throws Error when the service does not answer with one whole file within the limits, and for a full disk */
export async function fetchFile(options: FetchOptions): Promise<void> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(wholeMs)])
  const handle = await open(options.path, 'w', 0o600)
  try {
    const part: Part = { handle, bytes: 0, total: null }
    for (let failures = 0; ;) {
      const before = part.bytes
      const failure = await fetchRest(part, { ...options, signal }).then(
        () => null,
        (error: unknown) => error as Error,
      )
      if (!failure) return
      if (failure instanceof Refused || signal.aborted) throw failure
      failures = part.bytes > before ? 0 : failures + 1
      if (part.bytes === 0 || failures >= attemptsMax) throw failure
      await wait(againMs, null, { signal })
    }
  } finally {
    await handle.close()
  }
}

/** What was fetched so far. */
interface Part {
  readonly handle: FileHandle
  bytes: number
  /** Bytes of the whole file; null before the first answer. */
  total: number | null
}

async function fetchRest(part: Part, { url, headers, bytesMax, signal, reserve }: FetchOptions): Promise<void> {
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(new Error('The service stopped sending')), idleMs)
  try {
    const answer = await fetch(url, {
      redirect: 'error',
      headers: { ...headers, 'accept-encoding': 'identity', range: `bytes=${part.bytes}-` },
      signal: AbortSignal.any([signal, idle.signal]),
    })
    const total = totalOf(answer, part)
    if (total > bytesMax) throw tooLarge(total, bytesMax)
    part.total = total
    for await (const piece of answer.body ?? []) {
      timer.refresh()
      if (part.bytes + piece.byteLength > total) throw new Refused('The service sent more than it announced')
      await append(part, piece, reserve)
      await giveWay(piece.byteLength)
    }
    if (part.bytes < total) throw new Error('The connection broke')
  } finally {
    clearTimeout(timer)
    idle.abort()
  }
}

/** Appends a piece. A full disk is not tried again. */
async function append(part: Part, piece: Uint8Array, reserve: FetchOptions['reserve']): Promise<void> {
  try {
    await reserve(piece.byteLength)
    await writeAll(part.handle, piece, part.bytes)
  } catch (error) {
    throw new Refused((error as Error).message)
  }
  part.bytes += piece.byteLength
}

/** Returns the bytes of the whole file. A service without ranges sends it from its beginning. @throws Error for any other answer */
function totalOf(answer: Response, part: Part): number {
  const { status, headers } = answer
  if (status !== 200 && status !== 206) {
    const isOver = status >= 400 && status < 500
    throw new (isOver ? Refused : Error)(`The service answered ${status}`)
  }
  if (headers.get('content-encoding') ?? '') throw new Refused('The service compressed the file')
  if (status === 200) part.bytes = 0
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '')
  const [from, total] =
    status === 200 ? [0, headers.get('content-length') ?? ''] : [Number(range?.[1]), range?.[2] ?? '']
  if (!/^\d{1,15}$/.test(total) || from !== part.bytes) throw new Refused('The service announced no length')
  if (part.total !== null && part.total !== Number(total)) throw new Refused('The file changed its length')
  return Number(total)
}
