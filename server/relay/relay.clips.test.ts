// Clips of a project in the place of the encoder, with real programs: a killed encoder, a pause, a damaged clip, and many changes.
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { roundsOf } from '#server/testing/rounds.ts'
import { FlvReader } from './media/flv.ts'
import { expectDecodes } from './testing/containers.ts'
import { colorsOf, longest, presented, toneOf } from './testing/decode.ts'
import { filmStage } from './testing/film-stage.ts'
import { filesIn, makeMaster } from './testing/films.ts'
import { hasPrograms, type Platform, publish, sample } from './testing/programs.ts'
import { project, until } from './testing/rig.ts'

/** Losses of the encoder. */
const rounds = roundsOf({ usual: 12, nightly: 100 })

/** Starts a node with clips, and nginx-rtmp as its only channel. */
async function setUp(silentMs?: number) {
  const { dir, nginx, target, made } = await filmStage(silentMs)
  const films_ = join(dir, 'films')
  const count = (type: string) => made.events.filter((event) => event.type === type).length
  return {
    dir,
    made,
    nginx,
    destinations: [{ id: 1, target }],
    url: `rtmp://127.0.0.1:${made.port}/live/good`,
    /** Films that are ready. */
    films: () => (existsSync(films_) ? filesIn(films_).filter((name) => name.endsWith('.film')) : []),
    filmPath: (name: string) => join(films_, name),
    lost: (times: number) => until(() => count('source-lost') === times),
    began: (times: number) => until(() => count('source-began') === times),
    /** What stands in the place of the encoder. */
    filled: () => made.samples.at(-1)?.ingest,
  }
}

/** Expects one publication without a step of the picture above 1.5 s or backwards. @returns the recording */
async function expectOnePublication(nginx: Platform, dir: string) {
  const flv = await nginx.recorded('one')
  expect(nginx.recordings('one')).toHaveLength(1)
  expect(await expectDecodes(flv, dir)).toBeGreaterThan(200)
  const times = await presented(flv)
  expect(new Set(times).size).toBe(times.length)
  const sorted = times.toSorted((a, b) => a - b)
  // 1.0 s until the loss counts, and 0.5 s for a busy machine.
  expect(longest(sorted)).toBeLessThanOrEqual(1_500)
  return { flv, times: sorted }
}

/** Pictures in a range of seconds: their longest step, milliseconds. */
const stepIn = (times: readonly number[], seconds: readonly number[]) =>
  longest(times.filter((time) => time >= (seconds[0] ?? 0) * 1000 - 1 && time <= (seconds.at(-1) ?? 0) * 1000 + 1))

test.skipIf(!hasPrograms).each([
  ['encoded for the stream', '400x400', [] as readonly string[]],
  ['copied, with B-frames', '320x180', ['-ac', '2']],
])('a killed encoder and a pause show clips with sound in one publication: %s', async (_, size, sound) => {
  const { dir, made, nginx, url, destinations, films, lost, began, filled } = await setUp()
  const source = await sample(dir, 3, ['-preset', 'medium', '-bf', '2', '-b_strategy', '0', ...sound])
  await makeMaster(join(dir, 'lost.mp4'), { color: 'red', size, seconds: 2.5, frequency: 880 })
  await makeMaster(join(dir, 'pause.mp4'), { color: 'blue', size, seconds: 3, frequency: 1_320 })
  const desired = { destinations, slates: { lost: 'lost.mp4', pause: 'pause.mp4' } }
  const first = publish(source, url, ['-stream_loop', '-1'])
  await until(() => made.samples.filter(({ ingest }) => ingest.fps > 0).length > 1)
  made.relay.update(project, desired)
  await until(() => films().length === 2)
  await wait(2_000)
  await first.stop('SIGKILL')
  await lost(1)
  await wait(7_000)
  expect(filled()).toMatchObject({ fill: 'picture', clip: true })
  const second = publish(source, url, ['-stream_loop', '-1'])
  await began(2)
  await wait(2_000)
  made.relay.update(project, { ...desired, paused: true })
  await wait(5_000)
  made.relay.update(project, desired)
  await wait(3_000)
  made.relay.stop(project)
  await second.stop()
  expect(made.report(1)?.reconnects).toBe(0)
  const { flv, times } = await expectOnePublication(nginx, dir)
  const { red, blue } = await colorsOf(flv)
  for (const [shown, least, tone] of [
    [red, 4, 880],
    [blue, 3, 1_320],
  ] as const) {
    const [from = 0, to = 0] = [shown[0], shown.at(-1)]
    expect(to - from).toBeGreaterThan(least)
    expect(to - from).toBeLessThan(least + 5)
    // Also between the rounds.
    expect(stepIn(times, shown)).toBeLessThanOrEqual(34)
    expect(Math.abs((await toneOf(flv, [from + 0.2, to - from - 0.4])) - tone)).toBeLessThan(25)
  }
})

test.skipIf(!hasPrograms)('a clip that is cut short gives way to the last frame', async () => {
  const { dir, made, nginx, url, destinations, films, filmPath, lost, began, filled } = await setUp()
  const source = await sample(dir, 3)
  await makeMaster(join(dir, 'lost.mp4'), { seconds: 60, size: '320x180' })
  const desired = { destinations, slates: { lost: 'lost.mp4' } }
  const first = publish(source, url, ['-stream_loop', '-1'])
  await until(() => made.samples.filter(({ ingest }) => ingest.fps > 0).length > 1)
  made.relay.update(project, desired)
  const [name = ''] = await until(() => films().length === 1 && films())
  // Behind the beginning that is in memory.
  expect(statSync(filmPath(name)).size).toBeGreaterThan(700_000)
  await wait(2_500)
  truncateSync(filmPath(name), 600_000)
  await first.stop('SIGKILL')
  await lost(1)
  await until(() => filled()?.fill === 'frame')
  await wait(2_000)
  const second = publish(source, url, ['-stream_loop', '-1'])
  await began(2)
  await wait(3_000)
  made.relay.stop(project)
  await second.stop()
  await expectOnePublication(nginx, dir)
})

test.skipIf(!hasPrograms)('many losses and returns leave one publication that decodes, and no open file', async () => {
  const { dir, made, nginx, destinations, films, lost, began } = await setUp(200)
  const messages = new FlvReader().read(readFileSync(await sample(dir, 1)))
  await makeMaster(join(dir, 'lost.mp4'), { seconds: 40, size: '320x180' })
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  made.relay.update(project, { destinations, slates: { lost: 'lost.mp4' } })
  const beganAt = Date.now()
  // Its clock is faster than ours, so that its media is never late.
  const send = () => {
    const from = (Date.now() - beganAt) * 10
    encoder.send(...messages.map((message) => ({ ...message, timestamp: message.timestamp + from })))
  }
  send()
  await until(() => films().length === 1)
  const openFiles = () => links('/proc/self/fd').filter((path) => path.startsWith(join(dir, 'films'))).length
  for (let round = 1; round <= rounds; round++) {
    await lost(round)
    await until(() => made.samples.length > 0 && openFiles() > 0)
    await wait(50)
    send()
    await began(round + 1)
  }
  made.relay.stop(project)
  await until(() => openFiles() === 0)
  await expectOnePublication(nginx, dir)
})

/** Targets of the links in a folder; files may close meanwhile. */
const links = (path: string): string[] =>
  readdirSync(path).flatMap((name) => {
    try {
      return readlinkSync(join(path, name))
    } catch {
      return []
    }
  })
