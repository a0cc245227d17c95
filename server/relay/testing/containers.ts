// Recordings of a platform in several containers.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { decode } from './decode.ts'

const run = promisify(execFile)
const limits = { maxBuffer: 64 * 1024 * 1024 }

const copy = (file: string, to: string, ...more: string[]) =>
  run('ffmpeg', ['-v', 'error', '-y', '-i', file, '-c', 'copy', ...more, to], limits)

/** Expects that a recording decodes without an error as FLV, MPEG-TS, MP4 and HLS, with the same frames. @returns that number */
export async function expectDecodes(flv: string, dir: string): Promise<number> {
  const whole = await decode(flv)
  expect(whole.errors).toBe('')
  for (const name of ['out.ts', 'out.mp4']) {
    const file = join(dir, name)
    await copy(flv, file)
    expect({ name, ...(await decode(file)) }).toEqual({ name, errors: '', frames: whole.frames })
  }
  const segments = join(dir, 'hls')
  mkdirSync(segments)
  await copy(flv, join(segments, 'out.m3u8'), '-f', 'hls', '-hls_time', '1', '-hls_list_size', '0')
  let frames = 0
  for (const name of readdirSync(segments).filter((one) => one.endsWith('.ts'))) {
    const segment = await decode(join(segments, name))
    expect({ name, errors: segment.errors }).toEqual({ name, errors: '' })
    frames += segment.frames
  }
  // ffprobe counts no frame in a last segment of one.
  expect(whole.frames - frames).toBeOneOf([0, 1])
  return whole.frames
}
