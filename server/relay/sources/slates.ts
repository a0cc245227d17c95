// Pictures and clips of projects in the form of a stream: pictures are fetched from the service, and encoded once for each size and frame
// rate; clips are films.
import type { Pictures } from '#server/relay/media/sps.ts'
import { inspectVideo } from '#server/relay/media/codecs.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { messageType } from '#server/relay/rtmp/message.ts'
import { fittingPictures, kbpsOf, sizeMax } from '#server/relay/library/film-arguments.ts'
import { type FilmShelf, noFilms } from '#server/relay/library/films.ts'
import { fetchBytes, urlAt } from '#server/relay/library/service-files.ts'
import { NotFetched, Shelf } from '#server/relay/library/shelf.ts'
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
/** Sound of clips for streams without sound, in which it is left out. */
const usualSound: Sound = { sampleRate: 48_000, channels: 2 }
/** Pictures that a node keeps beside those in use. */
const keptMax = 64
/** Length of the loop, seconds: platforms want a keyframe each two seconds. */
const loopSeconds = 2
/** A picture that stands needs no more. */
const rateMax = 30

interface About {
  readonly file: string
  readonly format: Pictures
}

/** Creates the shelf of a node. Prepares one picture at a time. */
export function createSlateShelf({ service, programs, films = noFilms }: SlateOptions): SlateShelf {
  const shelf = new Shelf<About, Loop>({
    keptMax,
    atOnce: 1,
    async make({ file, format }) {
      // Detected once.
      if (!(await programs.ffmpeg)?.x264) throw new Error('The relay has no ffmpeg')
      const url = urlAt(service, `files/${encodeURIComponent(file)}`)
      const picture = await fetchBytes(url, { bytesMax: fileBytesMax, timeoutMs: fetchMs }).catch((error: Error) => {
        throw new NotFetched(error.message)
      })
      return encode(programs, picture, format)
    },
  })
  return {
    get(file, { width, height, frameRate, sound }) {
      if (isClip(file)) return films.get(file, { width, height, frameRate, ...(sound ?? usualSound) })
      const format = fittingPictures({ width, height, frameRate }, rateMax)
      if (!format) return null
      return shelf.get(`${file} ${format.width} ${format.height} ${format.frameRate}`, { file, format }).made
    },
  }
}

const isClip = (file: string): boolean => file.endsWith('.mp4')

/** Encodes a JPEG or PNG as H.264. @throws Error if ffmpeg cannot decode it within its limits */
async function encode(programs: Programs, picture: Buffer, format: Pictures): Promise<Loop> {
  const isPng = picture[0] === pngFirst
  const args = slateArguments(format, isPng ? 'png_pipe' : 'jpeg_pipe')
  const input = isPng ? pixelsOf(picture) : picture
  const { code, out } = await programs.run({ args, keepOut: encodedBytesMax, timeoutMs: encodeMs }, input)
  if (code !== 0) throw new Error('ffmpeg could not encode the picture')
  const messages = new FlvReader().read(out).filter(({ type }) => type === messageType.video)
  const isHeader = ({ payload }: { readonly payload: Buffer }) => inspectVideo(payload).role === 'header'
  const frames = messages.filter((one) => !isHeader(one) && one.payload[1] === 1).map(({ payload }) => payload)
  const header = messages.find(isHeader)?.payload
  const isLoop = frames[0] !== undefined && inspectVideo(frames[0]).role === 'key'
  if (!header || !isLoop) throw new Error('ffmpeg made no loop')
  return { header, frames, frameMs: 1000 / format.frameRate }
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

/** Half of what moving pictures take. */
const bitrates = { bitsPerPixel: 0.03, least: 300, most: 4_000 } as const

/** The input is named, so that ffmpeg reads it as nothing else. */
function slateArguments({ width, height, frameRate }: Pictures, demuxer: 'png_pipe' | 'jpeg_pipe'): string[] {
  const frames = Math.round(loopSeconds * frameRate)
  const size = `${width}:${height}`
  const kbps = kbpsOf({ width, height, frameRate }, bitrates)
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
