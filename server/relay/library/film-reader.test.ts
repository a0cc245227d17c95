// Films on the disk: index, positions, read-ahead, joints of a loop, and damaged files.
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Hub } from '#server/relay/media/hub.ts'
import { messageType } from '#server/relay/rtmp/message.ts'
import { filmMessages, writeFilm } from '#server/relay/testing/films.ts'
import { keyframe } from '#server/relay/testing/frames.ts'
import { folder } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import { openFilm } from './film.ts'
import { FilmLoop } from './film-loop.ts'
import { FilmReader } from './film-reader.ts'

let dir: string
let path: string
beforeEach(() => {
  dir = folder()
  path = join(dir, 'one.film')
})
afterEach(() => rmSync(dir, { recursive: true }))

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** Bytes of buffers in use. */
function memory(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}

const timesOf = (messages: readonly { readonly type: number; readonly timestamp: number }[], wanted: number) =>
  messages.flatMap(({ type, timestamp }) => (type === wanted ? [timestamp] : []))

test('a film has times from its first picture, a whole duration, and its headers', async () => {
  const film = await writeFilm(path, [...filmMessages(150, { startMs: 21 })])
  expect(film).toMatchObject({ durationMs: 5_000, sound: { sampleRate: 48_000, channels: 2 } })
  expect(film.pictures).toMatchObject({ width: 320, height: 180 })
  expect(film.keys.map(([ms]) => ms)).toEqual([0, 2_000, 4_000])
  const reader = new FilmReader(film)
  expect(timesOf(reader.take(100), messageType.video)).toEqual([0, 33, 67, 100])
  const rest = reader.take(10_000)
  expect(reader.isOver).toBe(true)
  expect(timesOf(rest, messageType.video).at(-1)).toBe(4_967)
  reader.close()
})

test('begins at the keyframe at or before a position', async () => {
  const film = await writeFilm(path, filmMessages(300, { bytes: 20_000 }))
  for (const [fromMs, first] of [
    [-5, 0],
    [1_999, 0],
    [2_000, 2_000],
    [7_999, 6_000],
    [99_999, 8_000],
  ] as const) {
    const reader = new FilmReader(film, fromMs)
    expect(reader.beginsAt).toBe(first)
    const messages = await until(() => {
      const taken = reader.take(first)
      return taken.some(({ type }) => type === messageType.video) && taken
    })
    expect(messages.find(({ type }) => type === messageType.video)).toMatchObject({ timestamp: first })
    expect(messages.find(({ type }) => type === messageType.video)?.payload[0]).toBe(0x17)
    expect(timesOf(messages, messageType.audio).every((time) => time >= first)).toBe(true)
    reader.close()
  }
})

test('reads ahead no more than some megabytes, and everything in order', async () => {
  const film = await writeFilm(path, filmMessages(900, { bytes: 20_000 }))
  expect(film.bytes).toBeGreaterThan(17_000_000)
  const reader = new FilmReader(film)
  await new Promise((resolve) => setTimeout(resolve, 300))
  // All that is read so far.
  const ahead = reader.take(1e9)
  expect(ahead.reduce((sum, { payload }) => sum + payload.length, 0)).toBeLessThan(2_500_000)
  const all = [...ahead]
  await until(() => {
    all.push(...reader.take(1e9))
    return reader.isOver
  })
  expect(timesOf(all, messageType.video)).toEqual(Array.from({ length: 900 }, (_, at) => Math.round((at * 1000) / 30)))
  expect(reader.failed).toBe(false)
  reader.close()
})

test('what was taken does not stay in memory', async () => {
  const film = await writeFilm(path, filmMessages(1_800, { bytes: 20_000 }))
  const loop = new FilmLoop(film)
  const before = memory()
  let now = 0
  await until(() => {
    loop.take((now += 500))
    return now > 50_000 && !loop.failed
  })
  // 30 MB were taken.
  expect(memory() - before).toBeLessThan(8_000_000)
  loop.close()
})

test('a loop of minutes has each picture, in steps of a frame, and no sound twice', async () => {
  // 101 pictures: the length is no whole number of milliseconds, nor of frames of sound.
  const film = await writeFilm(path, filmMessages(101))
  const loop = new FilmLoop(film)
  const all = []
  for (let now = 0; now < 10 * 60_000; now += 40) all.push(...loop.take(now))
  const pictures = timesOf(all, messageType.video)
  const steps = pictures.slice(1).map((time, at) => time - (pictures[at] ?? 0))
  expect(Math.max(...steps)).toBeLessThanOrEqual(34)
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(33)
  expect(pictures.length).toBeGreaterThan(17_990)
  const sounds = timesOf(all, messageType.audio)
  const gaps = sounds.slice(1).map((time, at) => time - (sounds[at] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(20)
  // At most one frame is missing.
  expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * 22)
  loop.close()
})

test('a film of one picture repeats', async () => {
  const loop = new FilmLoop(await writeFilm(path, [...filmMessages(1)]))
  const all = Array.from({ length: 51 }, (_, at) => loop.take(at * 100)).flat()
  expect(timesOf(all, messageType.video)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000])
  loop.close()
})

test.each([
  ['cut short', () => truncateSync(path, 3_000_000)],
  ['gone', () => rmSync(path)],
  [
    'overwritten',
    () => {
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(0x41, 2_000_000, 2_100_000))
    },
  ],
])('a film that is %s fails, and its shelf knows', async (_, damage) => {
  const film = await writeFilm(path, filmMessages(900, { bytes: 20_000 }))
  damage()
  const loop = new FilmLoop(film)
  let now = 0
  let pictures = 0
  await until(() => {
    pictures += timesOf(loop.take((now += 200)), messageType.video).length
    return loop.failed
  })
  expect(pictures).toBeGreaterThan(10)
  expect(film.isBroken).toBe(true)
  loop.close()
})

test('no file is a film but a complete one', async () => {
  const film = await writeFilm(path, filmMessages(60))
  const whole = readFileSync(path)
  expect(whole.length).toBeGreaterThan(film.bytes)
  for (const length of [0, 5, 12, film.bytes, whole.length - 12, whole.length - 1]) {
    writeFileSync(path, whole.subarray(0, length))
    expect(await openFilm(path)).toBeNull()
  }
  writeFileSync(path, whole)
  appendFileSync(path, 'x')
  expect(await openFilm(path)).toBeNull()
  // An index that does not belong to the file.
  writeFileSync(path, Buffer.concat([whole.subarray(100, film.bytes), whole.subarray(film.bytes)]))
  expect(await openFilm(path)).toBeNull()
  expect(await openFilm(join(dir, 'none.film'))).toBeNull()
  expect(await openFilm(dir)).toBeNull()
})

test('media that is no film is refused', async () => {
  await expect(writeFilm(path, [])).rejects.toThrow('no picture')
  await expect(writeFilm(path, [...filmMessages(2)].slice(1))).rejects.toThrow('no picture')
  await expect(writeFilm(path, [...filmMessages(2), keyframe(100, 9_000_000)])).rejects.toThrow('too large')
  const [opus] = [{ type: 8, streamId: 1, timestamp: 0, payload: Buffer.from([0x90, 0, 0, 0, 0]) }]
  await expect(writeFilm(path, [...filmMessages(2), opus])).rejects.toThrow('not H.264 and AAC')
})

test('a reader that is closed while it reads keeps no file open', async () => {
  const film = await writeFilm(path, filmMessages(900, { bytes: 20_000 }))
  for (let round = 0; round < 200; round++) new FilmReader(film, 20_000).close()
  const open = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('FS')).length
  await until(() => open() === 0)
  expect(film.isBroken).toBe(false)
})

test('a loop continues on the timeline of a stream', async () => {
  const film = await writeFilm(path, filmMessages(45))
  const hub = new Hub()
  const times: number[] = []
  hub.attach({
    take: ({ kind, role, timestamp }) => void (kind === 'video' && role !== 'header' && times.push(timestamp)),
  })
  const loop = new FilmLoop(film)
  for (let now = 0; now < 20_000; now += 33) hub.push(loop.take(now), 1_000_000 + now)
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  expect(Math.max(...steps)).toBeLessThanOrEqual(34)
  loop.close()
})
