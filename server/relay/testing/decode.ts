// Pictures and sounds of recordings, decoded by ffmpeg.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const limits = { maxBuffer: 64 * 1024 * 1024 }

/** Decodes the video of a file; ffmpeg stops at the first error. @returns its errors, and the number of frames */
export async function decode(file: string): Promise<{ readonly errors: string; readonly frames: number }> {
  // In a short segment of MPEG-TS with silence, ffmpeg takes AAC for MP2.
  const args = [
    '-v',
    'error',
    '-xerror',
    '-c:a',
    'aac',
    '-i',
    file,
    '-fps_mode',
    'passthrough',
    '-enc_time_base:v',
    '1:1000',
  ]
  // ffprobe counts frames as well, but it crashes at the end of some FLV files with several headers.
  const counted = [...args, '-progress', 'pipe:1', '-f', 'null', '-']
  const { stdout, stderr } = await run('ffmpeg', counted, limits).catch((error) => error)
  return { errors: stderr.slice(0, 200), frames: Number(stdout.match(/(?<=^frame=)\d+/gm)?.at(-1) ?? 0) }
}

/** Presentation times of the video frames, milliseconds, in order of decoding. */
export async function presented(file: string): Promise<readonly number[]> {
  const shown = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0']
  const { stdout } = await run('ffprobe', [...shown, file], limits)
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => Math.round(Number.parseFloat(line) * 1000))
}

/** Returns the seconds in which the middle of the picture is red, and in which it is blue. */
export async function colorsOf(file: string) {
  const filter = 'crop=120:120,format=yuv444p,signalstats,metadata=print:file=-'
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, '-vf', filter, '-f', 'null', '-'], limits)
  const seen = { red: [] as number[], blue: [] as number[] }
  for (const frame of stdout.split('frame:').slice(1)) {
    const figure = (name: string) => Number(new RegExp(`${name}[:=]([\\d.]+)`).exec(frame)?.[1])
    const [at, u, v] = [figure('pts_time'), figure('UMIN'), figure('VMIN')]
    if (v > 200) seen.red.push(at)
    if (u > 200) seen.blue.push(at)
  }
  return seen
}

/** Frequency of a tone by its zero crossings, hertz; 0 for silence. @param part seconds of its beginning and its length. Default: the whole file */
export async function toneOf(file: string, part?: readonly [number, number]): Promise<number> {
  const between = part ? ['-ss', String(part[0]), '-t', String(part[1])] : []
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, ...between, '-ac', '1', '-f', 's16le', '-'], {
    ...limits,
    encoding: 'buffer',
  })
  const values = new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length >> 1)
  let crossings = 0
  for (const [at, value] of values.entries()) if (at > 0 && (values[at - 1] ?? 0) < 0 !== value < 0) crossings++
  return (crossings * 48_000) / values.length / 2
}

/** Returns the longest step between sorted times. */
export const longest = (times: readonly number[]) =>
  Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? 0)))
