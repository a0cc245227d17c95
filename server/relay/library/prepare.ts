// Preparation of uploads into masters: fetches the upload, has ffmpeg write the master, and sends it to the service.
import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type MediaError, mediaLimits } from '#contract/entities/media.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import type { FromService } from '#contract/relay/from-service.ts'
import { makeFolder } from '#server/core/folder.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { inspectArguments, masterFacts } from './film-arguments.ts'
import {
  durationIn,
  failureIn,
  limitsOf,
  masterArguments,
  probeArguments,
  progressIn,
  silenceArguments,
  thumbnailArguments,
} from './prepare-arguments.ts'
import { fetchFile, urlAt } from './service-files.ts'

type Work = Omit<FromService & { readonly type: 'prepare' }, 'type'>

export interface Preparer {
  /** Begins a preparation; a second one is returned as `busy`. */
  begin(work: Work): void
  /** Ends the preparation that the service does not need any more. */
  end(job: string): void
  /** Returns whether a film is being prepared, or there is no room for one. */
  isBusy(): boolean
  close(): Promise<void>
}

export interface PrepareOptions {
  /** Folder for the files of one preparation: emptied before and after each. Empty: the node prepares nothing. */
  readonly folder: string
  /** URL of the service, `ws://…/relay`. */
  readonly service: string
  readonly programs: Programs
  readonly send: (message: FromNode) => void
  /** Returns whether streams need the machine. */
  readonly isLoaded: () => boolean
  /** Called when a preparation has begun or ended. */
  readonly onChange: () => void
}

/** The service takes the work away after 30 s without a message. */
const beatMs = 5_000
const tickMs = 1_000
/** Each part is a request of its own, which ends well before the timeout of the service. Buckets refuse parts below 5 MiB. */
const partBytes = 6 * 1024 * 1024
const partMs = 25_000
const tries = 10
const againMs = 2_000
const probeMs = 120_000
/** A program that reports no progress for this time has failed, milliseconds. */
const idleMs = 180_000
/** Address space of ffmpeg, bytes: a picture of 8192 × 4320 takes 53 MB, and H.264 refers to 16 of them. */
const memoryMax = 4 * 1024 ** 3
/** Newest output of `-progress` that is kept, characters: more than one report. */
const progressTail = 4_096
/** Shares of the steps in the progress, percent. */
const share = { fetched: 5, made: 95 }

/** Bytes of the disk that stay free beside the upload: recordings stop below. */
const freeBytesMin = 1024 ** 3
/** The lack of room is named so often, milliseconds. */
const repeatMs = 600_000

/** The disk has no room for the upload: the film waits, and no attempt counts. */
class NoRoom extends Error {}

/** A film that cannot be prepared. */
class Failure extends Error {
  readonly reason: MediaError
  constructor(reason: MediaError, said: string) {
    super(said)
    this.reason = reason
  }
}

interface Running {
  readonly work: Work
  readonly ending: AbortController
  done: number
}

/** Creates the preparer of a node. It prepares one film at a time. */
export function createPreparer(options: PrepareOptions): Preparer {
  const { folder, send, isLoaded, onChange } = options
  let running: Running | null = null
  let last = Promise.resolve()
  let toldAt = Number.NEGATIVE_INFINITY

  async function run(one: Running): Promise<void> {
    const { job } = one.work
    let [sent, sentAt] = [-1, 0]
    const tell = () => {
      const now = performance.now()
      if (one.done === sent && now - sentAt < beatMs) return
      ;[sent, sentAt] = [one.done, now]
      send({ type: 'prepare', job, state: 'working', done: one.done })
    }
    tell()
    const timer = setInterval(tell, tickMs)
    try {
      await rm(folder, { recursive: true, force: true })
      await makeFolder(folder)
      await mustHaveRoom(folder, one.work.bytes)
      await prepare(options, one)
    } catch (error) {
      if (!one.ending.signal.aborted) report(job, error)
    } finally {
      clearInterval(timer)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    }
  }

  /** A failure that is not the file's has no reason: the service gives the film to a node again. */
  function report(job: string, error: unknown) {
    const words = String((error as Error).message).slice(0, 1_000)
    if (error instanceof NoRoom) {
      const isRepeated = performance.now() - toldAt < repeatMs
      if (!isRepeated) toldAt = performance.now()
      return send({ type: 'prepare', job, state: 'busy', ...(!isRepeated && { words }) })
    }
    if (error instanceof Failure) send({ type: 'prepare', job, state: 'failed', error: error.reason, words })
    else send({ type: 'prepare', job, state: 'failed', words })
  }

  return {
    isBusy: () => running !== null || folder === '' || isLoaded(),
    begin(work) {
      if (running?.work.job === work.job) return
      if (this.isBusy()) return send({ type: 'prepare', job: work.job, state: 'busy' })
      const one: Running = { work, ending: new AbortController(), done: 0 }
      running = one
      onChange()
      last = run(one).finally(() => {
        running = null
        if (!one.ending.signal.aborted) onChange()
      })
    },
    end(job) {
      if (running?.work.job === job) running.ending.abort()
    },
    async close() {
      running?.ending.abort()
      await last
    },
  }
}

/** @throws NoRoom */
async function mustHaveRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < bytes + freeBytesMin) throw new NoRoom('The disk of the server has no room for a film')
}

/** @throws Failure for the file, any other Error for everything else */
async function prepare(options: PrepareOptions, one: Running): Promise<void> {
  const { programs, folder, service } = options
  const { work, ending } = one
  const url = urlAt(service, 'prepare')
  const headers = { 'prepare-ticket': work.ticket }
  const [original, made] = [join(folder, 'original'), join(folder, 'master.mp4')]
  if (work.bytes > 0)
    await fetchFile({
      url: `${url}/original`,
      headers,
      path: original,
      bytesMax: work.bytes,
      signal: ending.signal,
      reserve: async () => undefined,
    })
  else throw new Failure('unreadable', 'The upload is empty')
  one.done = share.fetched
  const durationMs = await makeMaster(options, one, { original, made })
  await rm(original)
  const { master, width, height } = await finishMaster(options, one, made)
  one.done = share.made
  const thumbnail = await takeThumbnail(programs, one, master, durationMs)
  const bytes = await sendMaster(master, one, { url: `${url}/master`, headers })
  const facts = { bytes, ms: Math.round(durationMs), width, height, thumbnail: thumbnail.toString('base64') }
  await put(`${url}/film`, { ...headers, 'content-type': 'application/json' }, JSON.stringify(facts), ending.signal)
}

type Ran = { readonly code: number | null; readonly said: string; readonly out: Buffer }

/** Runs ffmpeg once, within the limits of hostile files. @throws Error when the preparation was ended */
async function runLimited(
  programs: Programs,
  { ending, work }: Running,
  {
    args,
    timeoutMs,
    onOut,
  }: { readonly args: string[]; readonly timeoutMs: number; readonly onOut?: (text: string) => void },
): Promise<Ran> {
  // One block more than the space, so that a master which fills it is not cut.
  const limits = { memory: memoryMax, file: work.bytesMax + 1024 * 1024 }
  const child = programs.start({
    args,
    timeoutMs,
    limits,
    env: { MALLOC_ARENA_MAX: '2' },
    keepOut: onOut ? 0 : 1024 * 1024,
  })
  const stop = () => child.stop()
  ending.signal.addEventListener('abort', stop)
  const idle = onOut && setTimeout(stop, idleMs)
  if (onOut)
    child.stdout.on('data', (text: Buffer) => {
      idle?.refresh()
      onOut(text.toString('latin1'))
    })
  child.stdin.end()
  try {
    const ended = await child.over
    ending.signal.throwIfAborted()
    return ended
  } finally {
    clearTimeout(idle)
    ending.signal.removeEventListener('abort', stop)
  }
}

/** Writes the master. @returns its duration, milliseconds */
async function makeMaster(
  { programs }: PrepareOptions,
  one: Running,
  { original, made }: { readonly original: string; readonly made: string },
): Promise<number> {
  const { said: about } = await runLimited(programs, one, { args: probeArguments(original), timeoutMs: probeMs })
  const announcedMs = durationIn(about)
  if (announcedMs > mediaLimits.filmMs) throw new Failure('too-long', `It lasts ${announcedMs} ms`)
  const { seconds, wallMs } = limitsOf(announcedMs, one.work.bytes)
  let [ms, tail] = [0, '']
  const onOut = (text: string) => {
    // A line may come in two pieces, and the last one is the duration of the master.
    tail = (tail + text).slice(-progressTail)
    ms = progressIn(tail) ?? ms
    const part = announcedMs > 0 ? Math.min(1, ms / announcedMs) : 0
    one.done = Math.floor(share.fetched + part * (share.made - share.fetched))
  }
  const { code, said } = await runLimited(programs, one, {
    args: masterArguments(original, made, seconds),
    timeoutMs: wallMs,
    onOut,
  })
  const bytes = (await stat(made).catch(() => null))?.size ?? 0
  if (bytes > one.work.bytesMax) throw new Failure('no-space', said)
  if (code !== 0) throw new Failure(failureIn(code, said), said)
  if (ms >= mediaLimits.filmMs) throw new Failure('too-long', 'It does not end')
  if (ms < 1 || bytes === 0) throw new Failure('unreadable', said || 'It has no pictures')
  return ms
}

/** Adds silence where the upload had no sound. @returns the master, and its size */
async function finishMaster({ programs, folder }: PrepareOptions, one: Running, made: string) {
  const timeoutMs = probeMs
  const read = async (path: string) =>
    masterFacts((await runLimited(programs, one, { args: inspectArguments(path), timeoutMs })).out)
  const facts = await read(made)
  if (!facts) throw new Failure('unreadable', 'The master has no pictures')
  const { width, height } = facts.pictures
  if (facts.sound) return { master: made, width, height }
  const master = join(folder, 'master-with-silence.mp4')
  const { wallMs } = limitsOf(0, one.work.bytes)
  const { code, said } = await runLimited(programs, one, { args: silenceArguments(made, master), timeoutMs: wallMs })
  if (((await stat(master).catch(() => null))?.size ?? 0) > one.work.bytesMax) throw new Failure('no-space', said)
  if (code !== 0) throw new Error(`Silence could not be added: ${said}`)
  await rm(made)
  return { master, width, height }
}

/** Returns the picture at a tenth of a master, or its first one. */
async function takeThumbnail(programs: Programs, one: Running, master: string, durationMs: number): Promise<Buffer> {
  for (const ms of [durationMs / 10, 0]) {
    const { code, out } = await runLimited(programs, one, { args: thumbnailArguments(master, ms), timeoutMs: probeMs })
    if (code === 0 && out[0] === 0xff && out.length < 300_000) return out
  }
  throw new Error('The master gives no picture')
}

/** Sends the master in parts. A part whose response was lost is sent again. @returns the bytes of the master */
async function sendMaster(
  path: string,
  one: Running,
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
): Promise<number> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const part = Buffer.alloc(Math.min(partBytes, size))
    for (let from = 0; from < size; from += partBytes) {
      const { bytesRead } = await handle.read(part, 0, Math.min(partBytes, size - from), from)
      const range = {
        'content-range': `bytes ${from}-${from + bytesRead - 1}/*`,
        'content-type': 'application/octet-stream',
      }
      await put(url, { ...headers, ...range }, part.subarray(0, bytesRead), one.ending.signal)
      one.done = Math.min(99, Math.floor(share.made + ((from + bytesRead) / size) * (100 - share.made)))
    }
    return size
  } finally {
    await handle.close()
  }
}

/** Sends one request, again where the service cannot be reached. @throws Error for a refusal */
async function put(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array<ArrayBuffer>,
  ending: AbortSignal,
): Promise<void> {
  for (let left = tries; ; left--) {
    const signal = AbortSignal.any([ending, AbortSignal.timeout(partMs)])
    const answer = await fetch(url, { method: 'PUT', headers, body, redirect: 'error', signal }).catch(
      (error: unknown) => error as Error,
    )
    ending.throwIfAborted()
    if (!(answer instanceof Error)) {
      const text = await answer.text().catch(() => '')
      if (answer.ok) return
      if (answer.status < 500 && answer.status !== 429 && answer.status !== 408)
        throw new Error(`The service answered ${answer.status} ${text.slice(0, 200)}`)
    }
    if (left === 1) throw answer instanceof Error ? answer : new Error(`The service answered ${answer.status}`)
    await wait(againMs, null, { signal: ending })
  }
}
