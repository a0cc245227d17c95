// Films of a node: masters of the service in the form of a stream, made once for each file and form, and kept on the disk.
import { open, rename, rm } from 'node:fs/promises'
import { doubledMs } from '#contract/core/backoff.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { type Film, FilmWriter, openFilm } from './film.ts'
import { type FilmFormat, filmArguments, inspectArguments, masterFacts, possibleFormat } from './film-arguments.ts'
import { FilmFolder } from './film-folder.ts'
import { fetchMaster, writeAll } from './master.ts'

/** Films of a node. */
export interface FilmShelf {
  /**
   * Returns the film of a master, the same object for the same file and form; null while it is fetched and made, and after a
   * failure, which is retried later. Call it each second while the film is wanted.
   * @param file name of the master at the service
   * @param format null: the form of the master
   */
  get(file: string, format: FilmFormat | null): Film | null
  /** Returns why the last attempt failed; empty without a failure. */
  failure(file: string): string
  close(): Promise<void>
}

export interface FilmOptions {
  /** Folder for films; made where it is missing. */
  readonly folder: string
  /** Most bytes in the folder. Default: 2 GB. */
  readonly bytesMax?: number | undefined
  /** URL of the service, `ws://…/relay`. */
  readonly service: string
  readonly programs: Programs
}

const usualBytesMax = 2 * 1024 ** 3
/** Share of the folder that a file may have: the master and its film are there at the same time. */
const fileShare = 0.5
/** Retries of a file that ffmpeg cannot read: it stays as it is, but a busy machine may have been the reason. */
const retries = { firstMs: 30_000, mostMs: 3_600_000 }
/** Streams request their films each second: one that was not requested for this time is in no use, milliseconds. */
const usedMs = 10_000
/** Films in memory beside those in use, each with its beginning. */
const keptMax = 16
/** The files of films in use are marked so often, milliseconds. */
const touchMs = 60_000
const inspectMs = 60_000
const inspectBytesMax = 16 * 1024 * 1024
/** A program that writes nothing for this time has failed, milliseconds: a busy machine encodes slowly. */
const idleMs = 120_000
/** Most processor time for a film, seconds. */
const secondsMax = 4 * 3_600
/** Streams go first: bytes in a millisecond. */
const bytesPerMs = 64_000

interface Kept {
  readonly file: string
  readonly format: Required<FilmFormat> | null
  readonly path: string
  film: Film | null
  failure: string
  failures: number
  /** No attempt before this time, wall clock, milliseconds. */
  notBefore: number
  /** Newest request, wall clock, milliseconds. */
  usedAt: number
  touchedAt: number
}

/** For a relay without films. */
export const noFilms: FilmShelf = { get: () => null, failure: () => '', close: async () => undefined }

/** Creates the shelf of a node. Makes one film at a time. */
export function createFilmShelf({ folder: path, bytesMax = usualBytesMax, service, programs }: FilmOptions): FilmShelf {
  const folder = new FilmFolder(path, bytesMax)
  const ending = new AbortController()
  const makers = { folder, programs, service, signal: ending.signal }
  /** By file and form, the newest request last. */
  const kept = new Map<string, Kept>()
  let working: Promise<void> | null = null

  /** Returns the next film to make: in use, and the one with the fewest failures, so that a bad file delays no other. */
  function nextOf(now: number): Kept | undefined {
    const due = [...kept.values()].filter(
      ({ film, notBefore, usedAt }) => film === null && notBefore <= now && now - usedAt < usedMs,
    )
    return due.toSorted((a, b) => a.failures - b.failures)[0]
  }

  async function work() {
    for (let next = nextOf(Date.now()); next && !ending.signal.aborted; next = nextOf(Date.now())) await prepare(next)
  }

  async function prepare(one: Kept) {
    try {
      one.film = (await openFilm(one.path)) ?? (await makeFilm(makers, one))
      one.failure = ''
      one.touchedAt = 0
    } catch (error) {
      one.failure = (error as Error).message
      const isOfService = error instanceof NotFetched
      one.notBefore = Date.now() + (isOfService ? retries.firstMs : doubledMs(retries, ++one.failures))
    }
  }

  /** Adds a film, and forgets the oldest that are in no use; their files stay. */
  function add(key: string, file: string, format: Kept['format'], now: number): Kept {
    for (const [old, { usedAt }] of kept) {
      if (kept.size < keptMax || now - usedAt < usedMs) break
      kept.delete(old)
    }
    const one: Kept = {
      file,
      format,
      path: folder.pathOf(key),
      film: null,
      failure: '',
      failures: 0,
      notBefore: 0,
      usedAt: now,
      touchedAt: 0,
    }
    kept.set(key, one)
    return one
  }

  /** Keeps the film of another process or a restart from removal; a film that is gone is made anew. */
  function touch(one: Kept, now: number) {
    if (!one.film || now - one.touchedAt < touchMs) return
    one.touchedAt = now
    const { film } = one
    void folder.touch(one.path).then((isThere) => void (isThere || (film.isBroken = true)))
  }

  /** A damaged film is removed, and made anew later. */
  function drop(one: Kept, now: number) {
    one.film = null
    one.failure = 'The film could not be read'
    one.notBefore = now + doubledMs(retries, ++one.failures)
    void rm(one.path, { force: true }).catch(() => undefined)
  }

  return {
    get(file, wanted) {
      const format = wanted && possibleFormat(wanted)
      if (wanted && !format) return null
      const key = JSON.stringify([file, format])
      const now = Date.now()
      const one = kept.get(key) ?? add(key, file, format, now)
      one.usedAt = now
      kept.delete(key)
      kept.set(key, one)
      if (one.film?.isBroken) drop(one, now)
      touch(one, now)
      if (one.film === null && one.notBefore <= now && !ending.signal.aborted)
        working ??= work().finally(() => (working = null))
      return one.film
    },
    failure: (file) => [...kept.values()].findLast((one) => one.file === file && one.film === null)?.failure ?? '',
    async close() {
      ending.abort(new Error('The relay ends'))
      await working
    },
  }
}

/** The service did not send the master, or there is no room for it: no fault of the file. */
class NotFetched extends Error {}

interface Makers {
  readonly folder: FilmFolder
  readonly programs: Programs
  readonly service: string
  readonly signal: AbortSignal
}

/** Fetches a master and makes its film. @throws Error with the reason */
async function makeFilm(makers: Makers, { file, format, path }: Kept): Promise<Film> {
  const { folder, programs, service, signal } = makers
  if (!(await programs.ffmpeg)?.x264) throw new Error('The relay has no ffmpeg')
  const [master, part] = [await folder.partPath(), await folder.partPath()]
  const bytesMax = folder.bytesMax * fileShare
  try {
    const url = `${service.replace(/^ws/, 'http')}/media/${encodeURIComponent(file)}`
    await fetchMaster({ url, path: master, bytesMax, signal, reserve: folder.reserve() }).catch((error: Error) => {
      throw new NotFetched(error.message)
    })
    const { out } = await programs.run({
      args: inspectArguments(master),
      keepOut: inspectBytesMax,
      timeoutMs: inspectMs,
    })
    const facts = masterFacts(out)
    if (!facts) throw new Error('The file is no H.264 with AAC')
    await encode(makers, ['-timelimit', String(secondsMax), ...filmArguments(master, facts, format)], part)
    await rename(part, path)
    const film = await openFilm(path)
    if (!film) throw new Error('The film could not be read')
    return film
  } finally {
    for (const each of [master, part]) await rm(each, { force: true }).catch(() => undefined)
  }
}

/** Runs ffmpeg, and writes its output as a film. */
async function encode({ folder, programs, signal }: Makers, args: readonly string[], path: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  // Its output is read here: when this process is killed, the program ends with the pipe.
  const child = programs.start({ args })
  child.stdin.end()
  const timer = setTimeout(child.stop, idleMs)
  signal.addEventListener('abort', child.stop)
  try {
    const [reader, writer, reserve] = [new FlvReader(), new FilmWriter(), folder.reserve()]
    const append = async (bytes: Buffer, at: number) => {
      if (at + bytes.length > folder.bytesMax * fileShare) throw new Error('The film is too large')
      await reserve(bytes.length)
      await writeAll(handle, bytes, at)
    }
    for await (const piece of child.stdout as AsyncIterable<Buffer>) {
      timer.refresh()
      const at = writer.bytes
      await append(writer.add(reader.read(piece)), at)
      await wait(piece.length / bytesPerMs)
    }
    const { code } = await child.over
    if (code !== 0) throw new Error('ffmpeg could not make the film')
    const at = writer.bytes
    await append(writer.end(), at)
    await handle.sync()
  } catch (error) {
    child.stop()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', child.stop)
    await handle.close()
  }
}
