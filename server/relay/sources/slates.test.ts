// Shelf of pictures with a double of ffmpeg: many projects, retries, pictures in no use, and limits of the program.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { flvHeader, writeTag } from '#server/relay/media/flv.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { avcHeader, interframe, keyframe } from '#server/relay/testing/frames.ts'
import { until } from '#server/relay/testing/rig.ts'
import { createSlateShelf, type SlateShelf } from './slates.ts'

const encoded = Buffer.concat([
  flvHeader({ audio: false, video: true }),
  ...[avcHeader(), keyframe(0), interframe(33)].map(writeTag),
])
const ok = { code: 0, out: encoded, said: '' }
const failed = { code: 1, out: Buffer.alloc(0), said: '' }
const format = (width = 320) => ({ width, height: 180, frameRate: 30, sound: null })

/** Runs of ffmpeg: the file, and its arguments. */
let runs: { readonly file: string; readonly args: readonly string[] }[]
let fetched: string[]
/** Files with another content than their name. */
const files = new Map<string, Buffer>()
/** Ends a run. */
let run: (file: string) => Promise<typeof ok>
let close: () => void
let shelf: SlateShelf
let service: string
const programs = (ffmpeg: Awaited<Programs['ffmpeg']>): Programs => ({
  ffmpeg: Promise.resolve(ffmpeg),
  run: ({ args }, input) => {
    const file = input?.toString('latin1') ?? ''
    runs.push({ file, args })
    return run(file)
  },
  start: () => expect.unreachable(),
  keep: () => expect.unreachable(),
  close: async () => undefined,
})

beforeEach(async () => {
  runs = []
  fetched = []
  run = async () => ok
  const server = createServer(({ url = '' }, response) => {
    const name = url.replace('/relay/files/', '')
    fetched.push(name)
    response.end(files.get(name) ?? name)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => void server.close()
  service = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/relay`
  shelf = createSlateShelf({ service, programs: programs({ version: '1', x264: true, x265: false, srt: false }) })
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  close()
})

test('a hundred pictures in use stay ready; those in no use make room', async () => {
  const names = Array.from({ length: 100 }, (_, at) => `${at}.png`)
  const ready = () => names.filter((name) => shelf.get(name, format())).length
  await until(() => ready() === 100)
  for (let second = 0; second < 20; second++) {
    vi.advanceTimersByTime(1_000)
    expect(ready()).toBe(100)
  }
  expect(runs).toHaveLength(100)
  vi.advanceTimersByTime(20_000)
  await until(() => shelf.get('new.png', format()))
  expect(shelf.get('99.png', format())).not.toBeNull()
  expect(shelf.get('0.png', format())).toBeNull()
})

test('a size that the stream has no longer is not prepared', async () => {
  const first = Promise.withResolvers<typeof ok>()
  run = () => first.promise
  for (let second = 0; second < 60; second++) {
    shelf.get('a.png', format(100 + 2 * second))
    vi.advanceTimersByTime(1_000)
  }
  await until(() => runs.length === 1)
  shelf.get('b.png', format())
  run = async () => ok
  first.resolve(ok)
  await until(() => shelf.get('b.png', format()))
  expect(runs.length).toBeLessThan(15)
})

test('a file that cannot be encoded is retried ever less often, behind all others', async () => {
  run = async (file) => (file === 'bad.png' ? failed : ok)
  const attempts = () => runs.filter(({ file }) => file === 'bad.png').length
  for (let second = 0; second < 7_200; second += 5) {
    shelf.get('bad.png', format())
    vi.advanceTimersByTime(5_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(attempts()).toBeGreaterThan(1)
  expect(attempts()).toBeLessThanOrEqual(9)
  vi.advanceTimersByTime(3_600_000)
  const running = Promise.withResolvers<typeof ok>()
  run = () => running.promise
  shelf.get('first.png', format())
  await until(() => runs.at(-1)?.file === 'first.png')
  shelf.get('bad.png', format())
  shelf.get('good.png', format())
  run = async (file) => (file === 'bad.png' ? failed : ok)
  running.resolve(ok)
  await until(() => shelf.get('good.png', format()))
  expect(runs.findLastIndex(({ file }) => file === 'good.png')).toBe(
    runs.findIndex(({ file }) => file === 'first.png') + 1,
  )
})

test('nothing is fetched without ffmpeg, and ffmpeg has limits of pixels and of processor time', async () => {
  await until(() => shelf.get('a.png', format()))
  const args = runs[0]?.args.join(' ')
  expect(args).toContain('-max_pixels 16777216')
  expect(args).toContain('-timelimit 20')
  const none = createSlateShelf({ service, programs: programs(null) })
  for (let second = 0; second < 100; second++) {
    expect(none.get('b.png', format())).toBeNull()
    vi.advanceTimersByTime(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(fetched).toEqual(['a.png'])
})

test('ffmpeg gets the pixels of a PNG alone: it inflates texts and profiles without a limit', async () => {
  const chunk = (type: string, data: string) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(data.length)
    return Buffer.concat([bytes, Buffer.from(`${type}${data}sums`)])
  }
  const head = Buffer.from('89504e470d0a1a0a', 'hex')
  const made = (...chunks: (readonly [string, string])[]) =>
    Buffer.concat([head, ...chunks.map((one) => chunk(...one))])
  const [ihdr, idat, iend] = [
    ['IHDR', 'size'],
    ['IDAT', 'pixels'],
    ['IEND', ''],
  ] as const
  files.set('bomb.png', made(ihdr, ['iCCP', 'bomb'], ['zTXt', 'bomb'], ['iTXt', 'bomb'], idat, iend))
  await until(() => shelf.get('bomb.png', format()))
  expect(runs[0]?.file).toBe(made(ihdr, idat, iend).toString('latin1'))
})
