// Streams of ffmpeg with one fault each, for the table of verdicts.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { InputFault } from '#contract/entities/on-air.ts'
import type { InputNeeds } from '#contract/relay/desired-state.ts'

const run = promisify(execFile)

interface Recipe {
  readonly video?: string | null
  readonly sound?: string | null
  readonly rate?: number
  readonly gop?: number
  readonly kbps?: number
  readonly soundKbps?: number
  /** Filter of the pictures. */
  readonly filter?: string
}

/** A clean stream differs by one thing. */
const table = {
  keyframes: { gop: 300 },
  bitrate_low: { kbps: 200 },
  no_video: { video: null },
  no_audio: { sound: null },
  black: { video: 'color=black' },
  silent: { sound: 'anullsrc=r=48000:cl=stereo' },
  fps_low: { rate: 10, gop: 20 },
  // Four pictures of each second are missing together.
  fps_uneven: { filter: 'select=lt(mod(n\\,30)\\,26)' },
  audio_low: { soundKbps: 24 },
} as const satisfies Readonly<Partial<Record<InputFault, Recipe>>>

/** A fault of the table. */
export type TableFault = keyof typeof table

/** Faults of the table. */
export const tableFaults = Object.keys(table) as TableFault[]

/** Faults that decoded pictures and sound show. The others are in the packets. */
export const decodedFaults: ReadonlySet<TableFault> = new Set(['black', 'silent'])

/** Needs of platforms by which a stream has its fault; others have it by the common ones. */
export const faultNeeds: Readonly<Partial<Record<TableFault, InputNeeds>>> = {
  audio_low: { gopMs: 4_000, audioKbps: 48 },
}

/** Length of the streams, seconds. */
export const streamSeconds = 20

/** Time until a fault is shown, and until it is over, seconds. */
export const withinS = 15

/** Makes a stream. @returns the FLV file */
export async function makeStream(dir: string, name: TableFault | 'clean'): Promise<string> {
  const recipe: Recipe = name === 'clean' ? {} : table[name]
  const {
    video = 'testsrc2',
    sound = 'sine=r=48000',
    rate = 30,
    gop = 60,
    kbps = 600,
    soundKbps = 128,
    filter,
  } = recipe
  const file = join(dir, `${name}.flv`)
  const picture =
    video === null ? [] : ['-f', 'lavfi', '-i', `${video}${video.includes('=') ? ':' : '='}size=640x360:rate=${rate}`]
  const codec = `-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g ${gop} -keyint_min ${gop} -sc_threshold 0 -bf 0`
  const rates = `-b:v ${kbps}k -maxrate ${kbps}k -bufsize ${kbps}k`
  const audio = sound === null ? [] : ['-f', 'lavfi', '-i', sound]
  const output = [
    ...(video === null ? [] : `${codec} ${rates}`.split(' ')),
    ...(filter === undefined ? [] : ['-vf', filter, '-vsync', 'vfr']),
    ...(sound === null ? [] : ['-c:a', 'aac', '-b:a', `${soundKbps}k`]),
    '-t',
    String(streamSeconds),
    '-f',
    'flv',
    file,
  ]
  await run('ffmpeg', ['-v', 'error', '-y', ...picture, ...audio, ...output])
  return file
}
