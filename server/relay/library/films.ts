// Films of a node: masters of the service in the form of a stream, made once for each file and form, and kept on the disk.
import { open, rename, rm } from 'node:fs/promises'
import { writeAll } from '#server/core/write-all.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { type Film, FilmWriter, openFilm } from './film.ts'
import { type FilmFormat, filmArguments, inspectArguments, masterFacts, possibleFormat } from './film-arguments.ts'
import { FilmFolder } from './film-folder.ts'
import { fetchFile, giveWay, tooLarge, urlAt } from './service-files.ts'
import { type Kept, NotFetched, Shelf } from './shelf.ts'

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
  /** Returns the most bytes of one master, as last measured; null: not known yet, or no films. */
  fileBytesMax(): number | null
  close(): Promise<void>
}

export interface FilmOptions {
  /** Folder for films; made where it is missing. */
  readonly folder: string
  /** Most bytes in the folder. Default: half of what it has and of the free space of its disk. */
  readonly bytesMax?: number | undefined
  /** URL of the service, `ws://…/relay`. */
  readonly service: string
  readonly programs: Programs
}

/** Share of the folder that a file may have: the master and its film are there at the same time. */
const fileShare = 0.5
/** Films in memory beside those in use, each with its beginning. */
const keptMax = 16
/** Films that are made at a time: a file of hours does not delay a clip. */
const atOnce = 2
/** The files of films in use are marked so often, milliseconds. */
const touchMs = 60_000
const inspectMs = 60_000
const inspectBytesMax = 16 * 1024 * 1024
/** A program that writes nothing for this time has failed, milliseconds: a busy machine encodes slowly. */
const idleMs = 120_000
/** Most processor time for a film, seconds. */
const secondsMax = 4 * 3_600

interface About {
  readonly file: string
  readonly format: Required<FilmFormat> | null
  readonly path: string
  /** The file was marked at this time, wall clock, milliseconds. */
  touchedAt: number
}

/** For a relay without films. */
export const noFilms: FilmShelf = {
  get: () => null,
  failure: () => '',
  fileBytesMax: () => null,
  close: async () => undefined,
}

/** Creates the shelf of a node. */
export function createFilmShelf({ folder: path, bytesMax, service, programs }: FilmOptions): FilmShelf {
  const folder = new FilmFolder(path, bytesMax)
  const ending = new AbortController()
  const fileBytesMax = measureOf(folder)
  const makers = { folder, programs, service, signal: ending.signal }
  const shelf = new Shelf<About, Film>({
    keptMax,
    atOnce,
    make: async (about) => {
      about.touchedAt = 0
      return (await openFilm(about.path)) ?? makeFilm(makers, about)
    },
  })

  /** Keeps the film of another process or a restart from removal; a film that is gone is made anew. */
  function touch({ about, made: film }: Kept<About, Film>, now: number) {
    if (!film || now - about.touchedAt < touchMs) return
    about.touchedAt = now
    void folder.touch(about.path).then((isThere) => void (isThere || (film.isBroken = true)))
  }

  return {
    get(file, wanted) {
      const format = wanted && possibleFormat(wanted)
      if (wanted && !format) return null
      const key = JSON.stringify([file, format])
      const one = shelf.get(key, { file, format, path: folder.pathOf(key), touchedAt: 0 })
      if (one.made?.isBroken) {
        shelf.drop(one, new Error('The film could not be read'))
        void rm(one.about.path, { force: true }).catch(() => undefined)
      }
      touch(one, Date.now())
      return one.made
    },
    failure: (file) => shelf.find(({ about, made }) => about.file === file && made === null)?.failure ?? '',
    fileBytesMax,
    async close() {
      ending.abort(new Error('The relay ends'))
      await shelf.close()
    },
  }
}

/** Returns a function that reads the last measure of the largest file and begins the next: a disk that gives no answer delays nothing. */
function measureOf(folder: FilmFolder): () => number | null {
  let bytes: number | null = null
  let isMeasuring = false
  return () => {
    if (isMeasuring) return bytes
    isMeasuring = true
    void folder
      .make()
      .then(() => folder.bytesMax())
      .then(
        (most) => void (bytes = Math.floor(most * fileShare)),
        () => void (bytes = null),
      )
      .finally(() => void (isMeasuring = false))
    return bytes
  }
}

interface Makers {
  readonly folder: FilmFolder
  readonly programs: Programs
  readonly service: string
  readonly signal: AbortSignal
}

/** Fetches a master and makes its film. @throws Error with the reason */
async function makeFilm(makers: Makers, { file, format, path }: About): Promise<Film> {
  const { folder, programs, service, signal } = makers
  if (!(await programs.ffmpeg)?.x264) throw new Error('The relay has no ffmpeg')
  const [master, part] = [await folder.partPath(), await folder.partPath()]
  const bytesMax = (await folder.bytesMax()) * fileShare
  try {
    const url = urlAt(service, `media/${encodeURIComponent(file)}`)
    await fetchFile({ url, path: master, bytesMax, signal, reserve: folder.reserve() }).catch((error: Error) => {
      throw new NotFetched(error.message)
    })
    const { out } = await programs.run({
      args: inspectArguments(master),
      keepOut: inspectBytesMax,
      timeoutMs: inspectMs,
    })
    const facts = masterFacts(out)
    if (!facts) throw new Error('The file is no H.264 with AAC')
    const args = ['-timelimit', String(secondsMax), ...filmArguments(master, facts, format)]
    await encode(makers, { args, path: part, bytesMax })
    await rename(part, path)
    const film = await openFilm(path)
    if (!film) throw new Error('The film could not be read')
    return film
  } finally {
    for (const each of [master, part]) await rm(each, { force: true }).catch(() => undefined)
  }
}

/** Runs ffmpeg, and writes its output as a film. */
async function encode(
  { folder, programs, signal }: Makers,
  { args, path, bytesMax }: { readonly args: readonly string[]; readonly path: string; readonly bytesMax: number },
): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  // Its output is read here: when this process is killed, the program ends with the pipe.
  const child = programs.start({ args })
  child.stdin.end()
  const timer = setTimeout(child.stop, idleMs)
  signal.addEventListener('abort', child.stop)
  try {
    const [reader, writer, reserve] = [new FlvReader(), new FilmWriter(), folder.reserve()]
    const append = async (bytes: Buffer, at: number) => {
      if (at + bytes.length > bytesMax) throw tooLarge(at + bytes.length, bytesMax)
      await reserve(bytes.length)
      await writeAll(handle, bytes, at)
    }
    for await (const piece of child.stdout as AsyncIterable<Buffer>) {
      timer.refresh()
      const at = writer.bytes
      await append(writer.add(reader.read(piece)), at)
      await giveWay(piece.length)
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
