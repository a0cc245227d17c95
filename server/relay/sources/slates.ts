// Pictures and clips of projects in the form of a stream: pictures are fetched from the service, and encoded once for each size and frame
// rate; clips are films.
import { doubledMs } from '#contract/core/backoff.ts'
import type { Pictures } from '#server/relay/media/sps.ts'
import { inspectVideo } from '#server/relay/media/codecs.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { messageType } from '#server/relay/rtmp/message.ts'
import { fittingPictures, sizeMax } from '#server/relay/library/film-arguments.ts'
import { type FilmShelf, noFilms } from '#server/relay/library/films.ts'
import type { Sound } from '#server/relay/media/silence.ts'
import type { Loop, Slate } from './fill.ts'

/** Form of a stream. */
export interface SlateFormat extends Pictures {
  /** Null: the stream has no sound, or one that clips cannot have. */
  readonly sound: Sound | null
}

/** Pictures and clips that are ready. */
export interface SlateShelf {
  /**
   * Returns a picture or a clip for a stream; null while it is prepared, and after a failure, which is retried later.
   * @param file name of the file at the service; that of a clip ends with `.mp4`
   */
  get(file: string, format: SlateFormat): Slate | null
}

export interface SlateOptions {
  /** URL of the service, `ws://…/relay`. */
  readonly service: string
  readonly programs: Programs
  /** Default: no clips. */
  readonly films?: FilmShelf
}

/** Largest file, bytes. */
const fileBytesMax = 10 * 1024 * 1024
/** Largest encoded picture, bytes: two seconds of 8,000 kbps. */
const encodedBytesMax = 2 * 1024 * 1024
const fetchMs = 10_000
/** Low priority on a busy machine. */
const encodeMs = 60_000
/** A picture that takes longer is hostile, such as a JPEG of many thousand scans; seconds of processor time. */
const encodeSeconds = 20
/** Retry while the service does not answer, milliseconds. */
const againMs = 30_000
/** Sound of clips for streams without sound, in which it is left out. */
const usualSound: Sound = { sampleRate: 48_000, channels: 2 }
/** Retries of a file that ffmpeg cannot encode: it stays as it is, but a busy machine may have been the reason. */
const encodeRetries = { firstMs: againMs, mostMs: 3_600_000 }
/** Streams request their pictures each second: one that was not requested for this time is in no use, milliseconds. */
const usedMs = 10_000
/** Pictures that a node keeps beside those in use. */
const keptMax = 64
/** Length of the loop, seconds: platforms want a keyframe each two seconds. */
const loopSeconds = 2
/** A picture that stands needs no more. */
const rateMax = 30

interface Kept {
  readonly file: string
  readonly format: Pictures
  loop: Loop | null
  failures: number
  /** No attempt before this time, wall clock, milliseconds. */
  notBefore: number
  /** Newest request, wall clock, milliseconds. */
  usedAt: number
}

/** Creates the shelf of a node. Prepares one picture at a time. */
export function createSlateShelf({ service, programs, films = noFilms }: SlateOptions): SlateShelf {
  /** By file and format, the newest request last. */
  const kept = new Map<string, Kept>()
  let isWorking = false

  /** Returns the next picture to prepare: in use, and the one with the fewest failures, so that a bad file delays no other. */
  function nextOf(now: number): Kept | undefined {
    const due = [...kept.values()].filter(
      ({ loop, notBefore, usedAt }) => loop === null && notBefore <= now && now - usedAt < usedMs,
    )
    return due.toSorted((a, b) => a.failures - b.failures)[0]
  }

  async function work() {
    if (isWorking) return
    isWorking = true
    for (let next = nextOf(Date.now()); next; next = nextOf(Date.now())) await make(next)
    isWorking = false
  }

  async function make(one: Kept) {
    // Detected once.
    if (!(await programs.ffmpeg)?.x264) return void (one.notBefore = Number.POSITIVE_INFINITY)
    const picture = await fetchPicture(service, one.file).catch(() => null)
    if (!picture) return void (one.notBefore = Date.now() + againMs)
    one.loop = await encode(programs, picture, one.format)
    if (!one.loop) one.notBefore = Date.now() + doubledMs(encodeRetries, ++one.failures)
  }

  /** Adds a picture, and removes the oldest that are in no use. */
  function add(key: string, file: string, format: Pictures, now: number): Kept {
    for (const [old, { usedAt }] of kept) {
      if (kept.size < keptMax || now - usedAt < usedMs) break
      kept.delete(old)
    }
    const one = { file, format, loop: null, failures: 0, notBefore: 0, usedAt: now }
    kept.set(key, one)
    return one
  }

  return {
    get(file, { width, height, frameRate, sound }) {
      if (isClip(file)) return films.get(file, { width, height, frameRate, ...(sound ?? usualSound) })
      const format = fittingPictures({ width, height, frameRate }, rateMax)
      if (!format) return null
      const key = `${file} ${format.width} ${format.height} ${format.frameRate}`
      const now = Date.now()
      const one = kept.get(key) ?? add(key, file, format, now)
      one.usedAt = now
      kept.delete(key)
      kept.set(key, one)
      if (one.loop === null && one.notBefore <= now) void work()
      return one.loop
    },
  }
}

const isClip = (file: string): boolean => file.endsWith('.mp4')

/** @throws when the service does not answer with a file of at most 10 MB */
async function fetchPicture(service: string, file: string): Promise<Buffer> {
  const url = `${service.replace(/^ws/, 'http')}/files/${encodeURIComponent(file)}`
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(fetchMs) })
  if (!answer.ok || !answer.body) throw new Error(`The service answered ${answer.status}`)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body) {
    bytes += piece.byteLength
    if (bytes > fileBytesMax) throw new Error('The file is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Encodes a JPEG or PNG as H.264. @returns null if ffmpeg cannot decode it within its limits */
async function encode(programs: Programs, picture: Buffer, format: Pictures): Promise<Loop | null> {
  const isPng = picture[0] === pngFirst
  const args = slateArguments(format, isPng ? 'png_pipe' : 'jpeg_pipe')
  const input = isPng ? pixelsOf(picture) : picture
  const { code, out } = await programs.run({ args, keepOut: encodedBytesMax, timeoutMs: encodeMs }, input)
  if (code !== 0) return null
  try {
    const messages = new FlvReader().read(out).filter(({ type }) => type === messageType.video)
    const isHeader = ({ payload }: { readonly payload: Buffer }) => inspectVideo(payload).role === 'header'
    const frames = messages.filter((one) => !isHeader(one) && one.payload[1] === 1).map(({ payload }) => payload)
    const header = messages.find(isHeader)?.payload
    const isLoop = frames[0] !== undefined && inspectVideo(frames[0]).role === 'key'
    return header && isLoop ? { header, frames, frameMs: 1000 / format.frameRate } : null
  } catch {
    return null
  }
}

const pngFirst = 0x89
const pngHeadBytes = 8
/** Length and type before the data of a chunk, its checksum behind it. */
const chunkBytes = { head: 8, checksum: 4 }
/** Chunks with the pixels of a PNG (ISO/IEC 15948, 5.6). */
const pixelChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/** Leaves out texts and profiles of a PNG: they are compressed, and ffmpeg inflates them without a limit, a thousandfold. */
function pixelsOf(png: Buffer): Buffer {
  const kept = [png.subarray(0, pngHeadBytes)]
  for (let at = pngHeadBytes; at + chunkBytes.head <= png.length;) {
    const end = at + chunkBytes.head + png.readUInt32BE(at) + chunkBytes.checksum
    if (pixelChunks.has(png.toString('latin1', at + 4, at + chunkBytes.head))) kept.push(png.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

/** Bits of a pixel and frame: half of what moving pictures take. */
const bitsPerPixel = 0.03

/** The input is named, so that ffmpeg reads it as nothing else. */
function slateArguments({ width, height, frameRate }: Pictures, demuxer: 'png_pipe' | 'jpeg_pipe'): string[] {
  const frames = Math.round(loopSeconds * frameRate)
  const size = `${width}:${height}`
  const kbps = Math.min(4_000, Math.max(300, Math.round((width * height * frameRate * bitsPerPixel) / 1000)))
  const filters = [
    `scale=${size}:force_original_aspect_ratio=decrease:force_divisible_by=2`,
    `pad=${size}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1,format=yuv420p',
    `loop=loop=${frames - 1}:size=1:start=0`,
    `setpts=N/(${frameRate}*TB)`,
  ].join(',')
  return [
    `-hide_banner -loglevel error -nostats -timelimit ${encodeSeconds} -max_pixels ${sizeMax ** 2} -threads 1 -f ${demuxer} -framerate ${frameRate} -i pipe:0`,
    `-vf ${filters} -r ${frameRate} -frames:v ${frames} -an -map_metadata -1`,
    `-c:v libx264 -threads 1 -preset veryfast -tune zerolatency -bf 0 -g ${frames} -keyint_min ${frames} -sc_threshold 0`,
    // Constant: platforms warn of a bitrate that drops.
    `-b:v ${kbps}k -minrate ${kbps}k -maxrate ${kbps}k -bufsize ${kbps}k -x264-params nal-hrd=cbr:force-cfr=1`,
    '-f flv -flvflags no_duration_filesize pipe:1',
  ].flatMap((part) => part.split(' '))
}
