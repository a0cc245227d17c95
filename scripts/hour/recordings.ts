// Recordings of platforms: each decodes without an error, also in other containers, and its picture neither stands still nor goes back.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Longest step of the picture, milliseconds: a second until an encoder is lost, and half of one for a busy machine. */
export const stepMsMax = 1_500
/** More frames than a stream reorders. */
const reordered = 16

/** Steps of the picture. */
export interface Steps {
  readonly frames: number
  /** From the first to the last frame, seconds. */
  readonly seconds: number
  /** Longest step between frames in the order in which they are shown, milliseconds, and where it ends, seconds. */
  readonly longestMs: number
  readonly longestAt: number
  /** Frames that are shown at the time of another one or before it, or decoded before an earlier one. */
  readonly backwards: number
}

/** Takes the times of frames in the order of decoding. */
export class StepMeter {
  readonly #next: number[] = []
  #shown = Number.NaN
  #first = Number.NaN
  #decoded = Number.NEGATIVE_INFINITY
  #frames = 0
  #longest = 0
  #longestAt = 0
  #backwards = 0

  /** @param presented @param decoded milliseconds */
  take(presented: number, decoded: number): void {
    this.#frames++
    if (decoded < this.#decoded) this.#backwards++
    this.#decoded = decoded
    const at = this.#next.findLastIndex((time) => time <= presented) + 1
    this.#next.splice(at, 0, presented)
    if (this.#next.length > reordered) this.#show(this.#next.shift() ?? 0)
  }

  result(): Steps {
    for (const time of this.#next.splice(0)) this.#show(time)
    return {
      frames: this.#frames,
      seconds: (this.#shown - this.#first) / 1000,
      longestMs: this.#longest,
      longestAt: this.#longestAt,
      backwards: this.#backwards,
    }
  }

  #show(time: number): void {
    const step = time - this.#shown
    if (step <= 0) this.#backwards++
    if (step > this.#longest) [this.#longest, this.#longestAt] = [step, time / 1000]
    this.#shown = time
    if (Number.isNaN(this.#first)) this.#first = time
  }
}

/** Measures the steps of the picture of a file. */
export async function stepsOf(file: string): Promise<Steps> {
  const meter = new StepMeter()
  const shown = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=pts_time,dts_time', '-of', 'csv=p=0']
  const child = spawn('ffprobe', [...shown, file], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const [presented = Number.NaN, decoded = Number.NaN] = line.split(',').map(Number)
    if (!Number.isNaN(presented + decoded)) meter.take(Math.round(presented * 1000), Math.round(decoded * 1000))
  }
  await ended
  return meter.result()
}

/** Decodes a file up to the first error. @param most seconds @returns the error; empty without one */
async function errorOf(file: string, most: readonly string[] = []): Promise<string> {
  const times = ['-fps_mode', 'passthrough', '-enc_time_base:v', '1:1000']
  const args = ['-v', 'error', '-xerror', '-i', file, ...most, ...times, '-f', 'null', '-']
  const { stderr } = await run('ffmpeg', args).catch((error: { readonly stderr: string }) => error)
  return stderr.trim().slice(0, 300)
}

export interface CheckOptions {
  /** Other containers, by the end of the name. */
  readonly alsoAs?: readonly string[]
  /** The program that recorded it lost the rest of its buffer when it ended: the last second is not decoded. */
  readonly isCut?: boolean
}

/** Checks a recording. @returns what is wrong, and the steps */
export async function checkRecording(file: string, { alsoAs = [], isCut = false }: CheckOptions = {}) {
  const steps = await stepsOf(file)
  const wrong: string[] = []
  if (steps.frames === 0) wrong.push('has no picture')
  if (steps.longestMs > stepMsMax) wrong.push(`has a step of ${steps.longestMs} ms at ${steps.longestAt} s`)
  if (steps.backwards > 0) wrong.push(`has ${steps.backwards} frames that go back`)
  const error = await errorOf(file, isCut ? ['-t', String(Math.max(1, steps.seconds - 1))] : [])
  if (error !== '') wrong.push(`does not decode: ${error}`)
  for (const container of alsoAs) {
    const copy = `${file}.${container}`
    await run('ffmpeg', ['-v', 'error', '-y', '-i', file, '-c', 'copy', copy])
    const said = await errorOf(copy)
    if (said !== '') wrong.push(`does not decode as ${container}: ${said}`)
    rmSync(copy)
  }
  return { wrong, steps }
}
