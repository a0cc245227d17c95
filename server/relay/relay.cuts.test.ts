// An encoder that returns with other settings, with real programs: the recording of a platform also decodes in other containers.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { folder, hasPrograms, platform, publish, sample } from './testing/programs.ts'
import { rig, until } from './testing/rig.ts'

const run = promisify(execFile)
const limits = { maxBuffer: 64 * 1024 * 1024 }

/** Decodes the video of a file; ffmpeg stops at the first error. @returns its errors, and the number of frames */
async function decode(file: string): Promise<{ readonly errors: string; readonly frames: number }> {
  const args = ['-v', 'error', '-xerror', '-i', file, '-fps_mode', 'passthrough', '-enc_time_base:v', '1:1000']
  const { stderr } = await run('ffmpeg', [...args, '-f', 'null', '-'], limits).catch((error) => error)
  const count = ['-v', 'quiet', '-select_streams', 'v:0', '-count_frames', '-show_entries', 'stream=nb_read_frames']
  const { stdout } = await run('ffprobe', [...count, '-of', 'csv=p=0', file], limits)
  return { errors: stderr.slice(0, 200), frames: Number.parseInt(stdout, 10) }
}

const copy = (file: string, to: string, ...more: string[]) =>
  run('ffmpeg', ['-v', 'error', '-y', '-i', file, '-c', 'copy', ...more, to], limits)

/** Presentation times of the video frames, milliseconds, in order of decoding. */
async function presented(file: string): Promise<readonly number[]> {
  const shown = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0']
  const { stdout } = await run('ffprobe', [...shown, file], limits)
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => Math.round(Number.parseFloat(line) * 1000))
}

const withoutB = ['-preset', 'ultrafast', '-bf', '0']
const withB = ['-preset', 'medium', '-bf', '2', '-b_strategy', '0']

test.skipIf(!hasPrograms).each([
  ['without B-frames, then with them', withoutB, withB],
  ['with B-frames, then without them', withB, withoutB],
])('a recording decodes as FLV, MPEG-TS, MP4 and HLS: %s', async (_, first, second) => {
  const dir = folder()
  const nginx = await platform()
  const target = { protocol: 'rtmp', host: '127.0.0.1', port: nginx.port, app: 'live', key: 'one' } as const
  const made = await rig([target], { graceMs: 30_000 })
  const url = `rtmp://127.0.0.1:${made.port}/live/good`
  for (const [seconds, options] of [first, second].entries()) {
    const file = await sample(dir, seconds + 4, options)
    const sends = publish(file, url)
    expect(await sends.done()).toEqual({ code: 0, said: '' })
  }
  await until(() => made.events.filter(({ type }) => type === 'source-lost').length === 2)
  made.relay.stop(7)
  await made.close()
  const flv = await nginx.recorded('one')
  expect(nginx.recordings('one')).toHaveLength(1)
  const whole = await decode(flv)
  expect(whole.errors).toBe('')
  expect(whole.frames).toBeGreaterThan(200)
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
  expect(frames).toBe(whole.frames)
  // No two frames at one time, and none between those of the other encoder.
  const times = (await presented(flv)).toSorted((a, b) => a - b)
  expect(Math.min(...times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toBeGreaterThanOrEqual(20)
  await nginx.stop()
  rmSync(dir, { recursive: true })
})
