// Plays with hand-made films: their clock, joints, states, and what the service and the relay may do to them.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DesiredPlay } from '#contract/entities/play.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import type { IngestSession, Publication, PublishRequest } from '#server/relay/ingest/publication.ts'
import type { Refused } from '#server/relay/ingest/refusal.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { filmMessages, writeFilm } from '#server/relay/testing/films.ts'
import { folder } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import type { Film } from './film.ts'
import { placeAt } from './playlist.ts'
import { createPlays, type Plays } from './plays.ts'

const items = [
  { file: 'a', ms: 1_000 },
  { file: 'b', ms: 500 },
]

test('the place of a moment is a clock', () => {
  const once = { items, loop: false }
  const loop = { items, loop: true }
  expect(placeAt(once, -5)).toEqual({ index: 0, ms: 0 })
  expect(placeAt(once, 999)).toEqual({ index: 0, ms: 999 })
  expect(placeAt(once, 1_000)).toEqual({ index: 1, ms: 0 })
  expect(placeAt(once, 1_500)).toBeNull()
  expect(placeAt(loop, 1_500)).toEqual({ index: 0, ms: 0 })
  expect(placeAt(loop, 1_500 * 1_000_000 + 1_200)).toEqual({ index: 1, ms: 200 })
  expect(placeAt({ items: [{ file: 'a', ms: 1e-9 }], loop: true }, 12_345)).toMatchObject({ index: 0 })
})

let dir: string
let films: Map<string, Film>
let failures: Map<string, string>
let plays: Plays
let sent: Extract<FromNode, { type: 'play' }>[]
let taken: Message[]
let ended: string[]
let session: IngestSession | null
let asked: PublishRequest[]
let answer: () => Publication | Refused

beforeEach(() => {
  dir = folder()
  films = new Map()
  failures = new Map()
  ;[sent, taken, ended, asked, session] = [[], [], [], [], null]
  answer = () => ({ take: (message) => void taken.push(message), ended: (how) => void ended.push(how) })
  plays = createPlays({
    films: {
      get: (file) => films.get(file) ?? null,
      failure: (file) => failures.get(file) ?? '',
      fileBytesMax: () => null,
      close: async () => undefined,
    },
    send: (message) => void (message.type === 'play' && sent.push(message)),
    async admit(request, one) {
      asked.push(request)
      const found = answer()
      if (!('refuse' in found)) session = one
      return found
    },
  })
})
afterEach(() => {
  plays.close()
  vi.useRealTimers()
  rmSync(dir, { recursive: true })
})

const film = async (file: string, pictures: number, more = {}) =>
  films.set(file, await writeFilm(join(dir, file), filmMessages(pictures, more)))
const desired = (more: Partial<DesiredPlay> = {}): DesiredPlay => ({
  projectId: 7,
  run: 3,
  key: 'key',
  beginAt: Date.now(),
  endAt: null,
  loop: true,
  items,
  ...more,
})
const states = () => sent.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1])
const pictures = () =>
  taken.filter(({ type, payload }) => type === messageType.video && payload[1] !== 0).map(({ timestamp }) => timestamp)
const steps = () =>
  pictures()
    .slice(1)
    .map((time, index) => time - (pictures()[index] ?? 0))

test('items follow each other by the clock of their pictures, also when their time is not exact', async () => {
  await film('a', 30)
  // A film that is 20 ms shorter than its item.
  await film('b', 15)
  const begun = Date.now()
  plays.update([desired({ items: [items[0] ?? { file: '', ms: 0 }, { file: 'b', ms: 520 }] })])
  await until(() => sent.filter(({ item }) => item === 0).length > 3)
  const elapsed = Date.now() - begun
  expect(Math.min(...steps())).toBeGreaterThanOrEqual(32)
  expect(Math.max(...steps())).toBeLessThanOrEqual(35)
  const all = pictures()
  // Real time, but for the beginning and a batch.
  expect(Math.abs((all.at(-1) ?? 0) - (all[0] ?? 0) - elapsed)).toBeLessThan(1_000)
  const sound = taken.filter(({ type, payload }) => type === messageType.audio && payload[1] !== 0)
  const gaps = sound.slice(1).map(({ timestamp }, index) => timestamp - (sound[index]?.timestamp ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(20)
  // What the film lacks, and the sound that overlapped.
  expect(Math.max(...gaps)).toBeLessThanOrEqual(65)
  expect(states()).toEqual(['waiting', 'live'])
  expect(asked).toMatchObject([{ key: 'key', play: 3, app: 'scheduler' }])
})

test('waits for its films and its time, and ends at its end', async () => {
  const play = desired({ beginAt: Date.now() + 60_000 })
  plays.update([play])
  await until(() => states().includes('preparing'))
  await film('a', 30)
  await film('b', 15)
  await until(() => states().at(-1) === 'ready')
  expect(asked).toEqual([])
  // The service moves it.
  plays.update([{ ...play, beginAt: Date.now() + 100 }])
  await until(() => states().at(-1) === 'live')
  plays.update([{ ...play, beginAt: Date.now() - 10, endAt: Date.now() + 300 }])
  await until(() => states().at(-1) === 'ended')
  expect(ended).toEqual(['unpublish'])
  expect(states()).toEqual(['preparing', 'ready', 'waiting', 'live', 'ended'])
})

test('joins inside an item with its keyframe, and moves without a step back', async () => {
  await film('a', 300)
  const long = [{ file: 'a', ms: 10_000 }]
  const play = desired({ items: long, beginAt: Date.now() - 5_000 })
  plays.update([play])
  await until(() => pictures().length > 50)
  // From the keyframe at four seconds on.
  expect(pictures().length).toBeLessThan(90)
  plays.update([{ ...play, beginAt: Date.now() - 1_000 }])
  const count = pictures().length
  await until(() => pictures().length > count + 40)
  expect(Math.min(...steps())).toBeGreaterThan(0)
  expect(ended).toEqual([])
})

test('a refused play asks again, and one whose broadcast was ended too', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
  await film('a', 30)
  const publish = answer
  answer = () => ({ refuse: 'Another encoder is on air' })
  plays.update([desired({ items: [{ file: 'a', ms: 1_000 }] })])
  await vi.advanceTimersByTimeAsync(12_000)
  expect(asked).toHaveLength(3)
  expect(sent.at(-1)).toMatchObject({ state: 'waiting', words: 'Another encoder is on air' })
  answer = publish
  await vi.advanceTimersByTimeAsync(5_000)
  expect(sent.at(-1)).toMatchObject({ state: 'live' })
  session?.end('NetStream.Unpublish.Success', 'Another server has the stream')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent.at(-1)).toMatchObject({ state: 'waiting', words: 'Another server has the stream' })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(sent.at(-1)).toMatchObject({ state: 'live' })
  plays.update([])
  expect(ended).toEqual(['unpublish'])
})

test('fails after a minute in which no item can be played, and not before its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
  for (const { file } of items) failures.set(file, 'The service answered 503')
  plays.update([desired({ beginAt: Date.now() + 100_000 })])
  await vi.advanceTimersByTimeAsync(150_000)
  expect(sent.at(-1)).toMatchObject({ state: 'preparing', words: 'The service answered 503' })
  await vi.advanceTimersByTimeAsync(15_000)
  expect(sent.at(-1)).toMatchObject({ state: 'failed', words: 'The service answered 503' })
  // The films are made after all.
  failures.clear()
  await film('a', 30)
  await film('b', 15)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent.at(-1)).toMatchObject({ state: 'live' })
})

test('a film that is damaged while it plays is skipped, and the stream continues', async () => {
  const damaged = await writeFilm(join(dir, 'a'), filmMessages(3_000, { bytes: 2_000 }))
  films.set('a', damaged)
  await film('b', 15)
  rmSync(join(dir, 'a'))
  plays.update([
    desired({
      items: [
        { file: 'a', ms: 100_000 },
        { file: 'b', ms: 500 },
      ],
      loop: false,
    }),
  ])
  await until(() => states().at(-1) === 'ended')
  expect(sent.find(({ words }) => words !== '')).toMatchObject({ item: 0, words: 'The film could not be read' })
  expect(sent.some(({ item, words }) => item === 1 && words === '')).toBe(true)
})

test('a play that was held up joins at its place, and sends no backlog', async () => {
  await film('a', 3_000, { bytes: 30 })
  plays.update([desired({ items: [{ file: 'a', ms: 100_000 }] })])
  await until(() => pictures().length > 10)
  const count = pictures().length
  const stalledUntil = performance.now() + 4_000
  while (performance.now() < stalledUntil);
  await wait(300)
  // The keyframe before its place is two seconds old at most.
  expect(pictures().length - count).toBeLessThan(90)
  expect(Math.min(...steps())).toBeGreaterThan(0)
})
