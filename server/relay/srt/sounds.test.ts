// Further sounds of an MPEG-TS, remuxed by a real ffmpeg: three tones, a sound that comes and goes, and tables that lie.
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { inspectAudio } from '#server/relay/media/codecs.ts'
import { type TrackMessage, Tracks } from '#server/relay/media/tracks.ts'
import { openPrograms } from '#server/relay/programs/programs.ts'
import { folder, hasPrograms } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import { packetBytes } from './transport-packets.ts'
import { SrtPublisher } from './publisher.ts'

const run = promisify(execFile)
const dir = folder()
const programs = openPrograms('ffmpeg')
afterAll(async () => {
  await programs.close()
  rmSync(dir, { recursive: true, force: true })
})

const firstSoundPid = 0x101

/** Makes a transport stream with tones: a keyframe each second. @param offset of its times, seconds */
async function streamOf(tones: readonly number[], seconds: number, offset: number): Promise<Buffer> {
  const file = join(dir, `${tones.join('-')}-${offset}.ts`)
  const sounds = tones.flatMap((tone) => [
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=${tone}:sample_rate=48000:duration=${seconds}`,
  ])
  const maps = tones.flatMap((_, index) => ['-map', `${index + 1}:a`])
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${seconds}`]
  const codecs = '-c:v libx264 -preset ultrafast -g 25 -bf 0 -pix_fmt yuv420p -c:a aac'.split(' ')
  const times = ['-output_ts_offset', String(offset), '-pat_period', '0.1', '-f', 'mpegts']
  await run('ffmpeg', ['-v', 'error', '-y', ...picture, ...sounds, '-map', '0:v', ...maps, ...codecs, ...times, file])
  return readFileSync(file)
}

function publishing() {
  const tracks = new Tracks()
  const got: TrackMessage[] = []
  let isUseless = false
  const publisher = new SrtPublisher({
    programs,
    publication: { take: (message) => void got.push(...tracks.split(message)), ended: () => undefined },
    onUseless: () => (isUseless = true),
    onFlushed: () => undefined,
  })
  onTestFinished(() => publisher.end())
  /** Sends in the time of the stream. */
  const send = async (bytes: Buffer, seconds: number) => {
    const piece = packetBytes * 7
    const began = performance.now()
    for (let at = 0; at < bytes.length; at += piece) {
      const early = (at / bytes.length) * seconds * 1000 - (performance.now() - began)
      if (early > 5) await wait(early)
      publisher.take(bytes.subarray(at, at + piece))
    }
  }
  const soundsOf = (id: number) =>
    got.filter((one) => one.kind === 'audio' && one.id === id && inspectAudio(one.message.payload).role === 'frame')
  const pictures = () => got.filter(({ kind }) => kind === 'video')
  return { got, publisher, send, soundsOf, pictures, isUseless: () => isUseless }
}

test.skipIf(!hasPrograms)(
  'a sound that comes and goes is a track while it is there, and the picture continues',
  async () => {
    const { send, soundsOf, pictures, publisher, got } = publishing()
    await send(await streamOf([440], 4, 10), 4)
    await send(await streamOf([440, 880], 5, 14), 5)
    await send(await streamOf([440], 5, 19), 5)
    await publisher.end()
    const times = (messages: readonly TrackMessage[]) => messages.map(({ message }) => message.timestamp)
    const [main, other] = [times(soundsOf(0)), times(soundsOf(1))]
    // It begins with a keyframe behind its first data, and ends with one.
    expect(other.length).toBeGreaterThan(125)
    expect(other[0]).toBeGreaterThan(15_000)
    expect(other.at(-1)).toBeLessThan(21_000)
    // The picture, and the main sound, have no gap.
    const steps = (list: readonly number[]) => list.slice(1).map((time, at) => time - (list[at] ?? 0))
    const frames = times(pictures().filter(({ message }) => message.payload[1] === 1))
    expect(Math.min(...steps(frames))).toBeGreaterThanOrEqual(0)
    expect(frames.length).toBeGreaterThan(340)
    expect(Math.max(...steps(frames))).toBeLessThan(100)
    expect(Math.max(...steps(main))).toBeLessThan(100)
    // Its header comes before its frames.
    const ofOther = got.filter(({ kind, id }) => kind === 'audio' && id === 1)
    expect(inspectAudio(ofOther[0]!.message.payload).role).toBe('header')
  },
)

test.skipIf(!hasPrograms)('a sound that is announced and never sent does not hold the stream back', async () => {
  const { send, soundsOf, pictures, isUseless } = publishing()
  const bytes = await streamOf([440, 880, 1320], 6, 10)
  const silent = withoutPid(bytes, firstSoundPid + 1)
  await send(silent, 6)
  await until(() => soundsOf(2).length > 100)
  expect(soundsOf(1)).toEqual([])
  expect(pictures().length).toBeGreaterThan(50)
  expect(isUseless()).toBe(false)
})

test.skipIf(!hasPrograms)('a sound of rubbish leaves the picture and the main sound', async () => {
  const { send, soundsOf, pictures, publisher, isUseless } = publishing()
  const bytes = await streamOf([440, 880], 20, 10)
  for (let at = 0; at < bytes.length; at += packetBytes)
    if (pidOf(bytes, at) === firstSoundPid + 1) {
      const begins = ((bytes[at + 1] ?? 0) & 0x40) !== 0
      bytes.fill(0xa5, at + (begins ? 24 : 12), at + packetBytes)
    }
  await send(bytes, 20)
  await publisher.end()
  expect(pictures().length).toBeGreaterThan(20)
  expect(soundsOf(0).length).toBeGreaterThan(20)
  expect(soundsOf(1)).toEqual([])
  expect(isUseless()).toBe(false)
})

test.skipIf(!hasPrograms)('ffmpeg that exits while the stream ends is not started again', async () => {
  let starts = 0
  let exit = () => undefined as void
  const publisher = new SrtPublisher({
    programs: {
      keep({ attach }) {
        starts++
        exit = attach({ stdin: new PassThrough(), stdout: new PassThrough(), more: [new PassThrough()] })
        return { state: () => expect.unreachable(), stop: async () => undefined }
      },
    },
    publication: { take: () => undefined, ended: () => undefined },
    onUseless: () => undefined,
    onFlushed: () => undefined,
  })
  publisher.take(await streamOf([440, 880], 6, 10))
  expect(starts).toBe(1)
  const ending = publisher.end()
  exit()
  await ending
  expect(starts).toBe(1)
})

const pidOf = (bytes: Buffer, at: number) => bytes.readUInt16BE(at + 1) & 0x1fff

/** Removes the packets of a PID; the tables still have it. */
function withoutPid(bytes: Buffer, pid: number): Buffer {
  const left: Buffer[] = []
  for (let at = 0; at < bytes.length; at += packetBytes)
    if (pidOf(bytes, at) !== pid) left.push(bytes.subarray(at, at + packetBytes))
  return Buffer.concat(left)
}

test.skipIf(!hasPrograms).each([
  ['an encoder that leaves: the rest of its pictures is passed on', false],
  ['an encoder that was silent: nothing is passed on seconds later', true],
])('%s', async (_, isStale) => {
  const { publisher, send, pictures } = publishing()
  await send(await streamOf([440], 2, 3), 2)
  await until(() => pictures().length > 10)
  const before = await settled(() => pictures().length)
  await publisher.end(isStale)
  if (isStale) expect(pictures()).toHaveLength(before)
  else expect(pictures().length).toBeGreaterThan(before)
})

/** Returns a value that has not changed for half a second. */
async function settled(read: () => number): Promise<number> {
  for (let last = read(); ; last = read()) {
    await wait(500)
    if (read() === last) return last
  }
}
