// Arguments of ffmpeg that make a master of an upload, and the meaning of their failures. The upload is hostile until proved otherwise:
// what is kept is what ffmpeg writes.
import { type MediaError, mediaLimits } from '#contract/entities/media.ts'

/** Demuxers of uploads: those of playlists and images, which open other files, are not among them. */
const containers = ['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm', 'flv', 'mpegts'].join(',')
/** Longest side of a master, pixels, and its highest frame rate. */
const masterSide = 1_920
const masterRate = 60
/** Distance of keyframes, seconds. */
const keySeconds = 2
const thumbnailWidth = 640

const words = (line: string): string[] => line.split(' ')
const quiet = words('-hide_banner -nostats')
/** The whitelists hold for all that a demuxer opens. */
const inputOf = (path: string): string[] => [
  ...words(`-protocol_whitelist file,pipe -format_whitelist ${containers} -max_pixels ${mediaLimits.filmPixels}`),
  ...words('-threads 2 -i'),
  `file:${path}`,
]

/** Arguments that print what a file says about itself. */
export const probeArguments = (path: string): string[] => [...quiet, '-loglevel', 'info', ...inputOf(path)]

/** Reads the duration in the output of `probeArguments`, milliseconds; 0: it says none. */
export function durationIn(said: string): number {
  const found = [...said.matchAll(/^ {2}Duration: (\d{2,6}):(\d\d):(\d\d)\.(\d\d)/gm)].at(-1)
  const [hours = 0, minutes = 0, seconds = 0, hundredths = 0] = (found?.slice(1) ?? []).map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + hundredths * 10
}

/** Seconds of a film that a megabyte has at most, at 40 kbit/s: a megabyte of two pictures may last for twelve hours. */
const secondsPerMegabyte = 200

/**
 * Returns the limits of a preparation.
 * @param durationMs announced by the film; 0: it announces none
 * @param bytes of the upload
 * @returns `seconds`: time of the processor; `wallMs`: of the clock, milliseconds
 */
export function limitsOf(durationMs: number, bytes: number): { readonly seconds: number; readonly wallMs: number } {
  const announced = (durationMs || mediaLimits.filmMs / 2) / 1000
  const seconds = Math.round(Math.min(announced, (bytes / 1_000_000) * secondsPerMegabyte))
  return { seconds: 600 + seconds * 8, wallMs: (1_800 + seconds * 10) * 1000 }
}

/**
 * Arguments that write the master of an upload: H.264 High and AAC-LC in MP4, at a constant rate, with a keyframe each two seconds.
 * `-progress` reports to the standard output.
 * @param seconds of processor time
 */
export function masterArguments(path: string, into: string, seconds: number): string[] {
  // Square pixels, then at most 1920 on the long side, and even.
  const wide = `iw*if(sar\\,sar\\,1)`
  const scale = `min(1\\,${masterSide}/max(${wide}\\,ih))`
  const side = (length: string) => `max(16\\,trunc(${length}*${scale}/2+0.01)*2)`
  return [
    ...quiet,
    ...words(`-loglevel error -timelimit ${seconds} -progress pipe:1 -stats_period 1`),
    ...inputOf(path),
    ...words('-map 0:V:0 -map 0:a:0? -map_metadata -1 -map_chapters -1 -dn -sn'),
    '-vf',
    `scale=${side(wide)}:${side('ih')},setsar=1,format=yuv420p`,
    ...words(`-vsync cfr -fpsmax ${masterRate} -t ${mediaLimits.filmMs / 1000}`),
    ...words('-c:v libx264 -profile:v high -preset veryfast -crf 21 -maxrate 8M -bufsize 16M -threads 2 -bf 2'),
    ...words(`-g 600 -sc_threshold 0 -force_key_frames expr:gte(t,n_forced*${keySeconds}) -x264-params open-gop=0`),
    ...words('-c:a aac -profile:a aac_low -b:a 160k -ar 48000 -ac 2 -af aresample=async=1:first_pts=0'),
    ...words('-fflags +bitexact -movflags +faststart -f mp4 -y'),
    into,
  ]
}

/** Arguments that add silence to a master without sound. */
export const silenceArguments = (path: string, into: string): string[] => [
  ...quiet,
  ...words('-loglevel error -protocol_whitelist file,pipe -f mp4 -i'),
  `file:${path}`,
  ...words('-f lavfi -i anullsrc=r=48000:cl=stereo -map 0:v:0 -map 1:a:0 -c:v copy -c:a aac -b:a 64k -shortest'),
  ...words('-map_metadata -1 -fflags +bitexact -movflags +faststart -f mp4 -y'),
  into,
]

/** Arguments that write a picture of a master as JPEG. @param ms its time */
export const thumbnailArguments = (path: string, ms: number): string[] => [
  ...quiet,
  ...words(`-loglevel error -protocol_whitelist file,pipe -ss ${(ms / 1000).toFixed(3)} -f mp4 -i`),
  `file:${path}`,
  ...words(`-map 0:v:0 -frames:v 1 -vf scale=${thumbnailWidth}:-2 -q:v 5 -map_metadata -1 -f mjpeg pipe:1`),
]

/** Reads the newest time in the output of `-progress`, milliseconds; null: none. A line that is cut does not count. */
export function progressIn(text: string): number | null {
  const found = [...text.matchAll(/^out_time_us=(\d+)\r?\n/gm)].at(-1)?.[1]
  return found === undefined ? null : Number(found) / 1000
}

/**
 * Returns why a file has no master.
 * @param code of the program; null: it was ended by a limit
 * @param said its error output
 */
export function failureIn(code: number | null, said: string): MediaError {
  if (/matches no streams|does not contain any stream/.test(said)) return 'no-video'
  if (/Picture size|Invalid (?:image|picture|frame) (?:size|dimensions)|max_pixels/i.test(said)) return 'too-large'
  if (code === null || /Cannot allocate memory|malloc/.test(said)) return 'too-costly'
  return 'unreadable'
}
