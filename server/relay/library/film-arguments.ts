// Form of a film, and the arguments of ffmpeg that give it to a master.
import { inspectAudio, inspectVideo } from '#server/relay/media/codecs.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import { type Sound, soundOf } from '#server/relay/media/silence.ts'
import { type Pictures, picturesOf } from '#server/relay/media/sps.ts'
import { messageType } from '#server/relay/rtmp/message.ts'

/** Form of a film: that of the stream in which it is shown. */
export interface FilmFormat extends Pictures, Sound {
  /** Bitrate of pictures that have to be encoded, kbps. Default: by size and rate, about a third of a usual stream. */
  readonly kbps?: number
}

/** Tracks of a master. */
export interface MasterFacts {
  readonly pictures: Pictures
  /** Null: the master has no sound. */
  readonly sound: Sound | null
}

/** Largest width and height, pixels. */
export const sizeMax = 4_096
const rateMax = 60
/** Streams that announce no frame rate. */
const usualRate = 30
/** Share by which frame rates may differ. */
const rateTolerance = 0.01
/** Distance of keyframes, seconds: platforms want one each two seconds. */
const keySeconds = 2
/** A third of a usual stream, such as 2,200 kbps for 1080p30. */
const usual = { bitsPerPixel: 0.035, least: 300, most: 4_000 } as const

const even = (size: number): number => size - (size % 2)

/**
 * Returns even sizes and a frame rate that fit a stream; null for a size that nothing encoded has.
 * @param most highest frame rate: half the rate of the stream, as often as needed, so that frames fall on those of the stream
 */
export function fittingPictures({ width, height, frameRate }: Pictures, most: number): Pictures | null {
  const isSize = (pixels: number) => pixels >= 2 && pixels <= sizeMax
  if (!isSize(width) || !isSize(height)) return null
  const rateOf = (rate: number): number => (rate > most ? rateOf(rate / 2) : rate)
  return { width: even(width), height: even(height), frameRate: frameRate < 1 ? usualRate : rateOf(frameRate) }
}

/** Bitrates of pictures by their size and rate: bits of a pixel and frame, and the range, kbps. */
interface Bitrates {
  readonly bitsPerPixel: number
  readonly least: number
  readonly most: number
}

/** Returns the bitrate of pictures, kbps. */
export function kbpsOf({ width, height, frameRate }: Pictures, { bitsPerPixel, least, most }: Bitrates): number {
  return Math.min(most, Math.max(least, Math.round((width * height * frameRate * bitsPerPixel) / 1000)))
}

/** Returns the form that a film can have; null for a size that no film has. */
export function possibleFormat(format: FilmFormat): Required<FilmFormat> | null {
  const { sampleRate, channels } = format
  const pictures = fittingPictures(format, rateMax)
  if (!pictures) return null
  const { kbps = kbpsOf(pictures, usual) } = format
  return { ...pictures, sampleRate, channels, kbps }
}

/** The input is a file, named as MP4, so that ffmpeg reads it as nothing else and opens no address. */
const inputOf = (master: string): string[] => [
  ...words(`-hide_banner -loglevel error -nostats -max_pixels ${sizeMax ** 2} -threads 1`),
  ...words('-protocol_whitelist file,pipe -f mp4 -i'),
  `file:${master}`,
  ...words('-map 0:v:0 -map 0:a:0? -map_metadata -1'),
]
const output = words('-f flv -flvflags no_duration_filesize pipe:1')

/** Arguments that write the headers of a master, and its first frames. */
export const inspectArguments = (master: string): string[] => [
  ...inputOf(master),
  ...words('-c copy -frames:v 1 -frames:a 1'),
  ...output,
]

/** Reads the tracks of a master. @param flv output of `inspectArguments` @returns null for other codecs */
export function masterFacts(flv: Buffer): MasterFacts | null {
  try {
    const messages = new FlvReader().read(flv)
    const headerOf = (type: number, inspect: typeof inspectVideo) =>
      messages.find((one) => one.type === type && inspect(one.payload).role === 'header')?.payload
    const video = headerOf(messageType.video, inspectVideo)
    const audio = headerOf(messageType.audio, inspectAudio)
    const pictures = video && inspectVideo(video).codec === 'avc1' ? picturesOf(video, 'avc1') : null
    const sound = audio ? soundOf(audio) : null
    const isOther = sound === null && messages.some(({ type }) => type === messageType.audio)
    return pictures && !isOther ? { pictures, sound } : null
  } catch {
    return null
  }
}

/** Arguments that write the film of a master. @param format null: the form of the master */
export function filmArguments(master: string, facts: MasterFacts, format: Required<FilmFormat> | null): string[] {
  const isSamePictures = format === null || hasPictures(facts.pictures, format)
  const { sound } = facts
  const isSameSound =
    format === null || sound === null || (sound.sampleRate === format.sampleRate && sound.channels === format.channels)
  return [
    ...inputOf(master),
    ...(isSamePictures ? words('-c:v copy') : pictureArguments(format)),
    ...(isSameSound ? words('-c:a copy') : soundArguments(format)),
    ...output,
  ]
}

const hasPictures = ({ width, height, frameRate }: Pictures, format: Pictures): boolean =>
  width === format.width &&
  height === format.height &&
  Math.abs(frameRate - format.frameRate) <= format.frameRate * rateTolerance

function pictureArguments({ width, height, frameRate, kbps }: Required<FilmFormat>): string[] {
  const size = `${width}:${height}`
  const filters = [
    `scale=${size}:force_original_aspect_ratio=decrease:force_divisible_by=2`,
    `pad=${size}:(ow-iw)/2:(oh-ih)/2`,
    `setsar=1,fps=${frameRate}:start_time=0,format=yuv420p`,
  ].join(',')
  const frames = Math.round(keySeconds * frameRate)
  return words(
    `-vf ${filters} -c:v libx264 -threads 1 -preset veryfast -bf 0 -g ${frames} -keyint_min ${frames} -sc_threshold 0` +
      // Constant: platforms warn of a bitrate that drops.
      ` -b:v ${kbps}k -minrate ${kbps}k -maxrate ${kbps}k -bufsize ${kbps}k -x264-params nal-hrd=cbr:force-cfr=1`,
  )
}

/** The sound lasts as long as the picture. */
const soundArguments = ({ sampleRate, channels }: Sound): string[] =>
  words(`-c:a aac -ar ${sampleRate} -ac ${channels} -b:a ${64 * channels}k -af apad -shortest`)

/** No value contains a space. */
function words(line: string): string[] {
  return line.split(' ')
}
