// What a stream shows, by a fake clock: pictures in a pause and for a lost encoder, and the return of the encoder behind its own header.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Hub } from '#server/relay/media/hub.ts'
import type { Packet } from '#server/relay/media/packet.ts'
import { encodeAmf } from '#server/relay/rtmp/amf0.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { aacHeader, audio, avcHeader, interframe, keyframe } from '#server/relay/testing/frames.ts'
import type { Film } from '#server/relay/library/film.ts'
import { FilmLoop } from '#server/relay/library/film-loop.ts'
import { filmMessages, writeFilm } from '#server/relay/testing/films.ts'
import { folder } from '#server/relay/testing/programs.ts'
import type { Loop, Slate } from './fill.ts'
import type { SlateFormat } from './slates.ts'
import { type Feed, Stage } from './stage.ts'

const loops = new Map<string, Slate>()
/** Formats in which pictures were requested. */
const formats = new Set<string>()
/** The same for their sound. */
const sounds = new Set<string>()
let stage: Stage
let feed: Feed
let got: Packet[]
beforeEach(() => {
  vi.useFakeTimers()
  loops.clear()
  formats.clear()
  sounds.clear()
  got = []
  const hub = new Hub()
  hub.attach({ take: (packet) => got.push(packet) })
  const get = (file: string, { width, height, frameRate, sound }: SlateFormat) => {
    formats.add(`${width} ${height} ${frameRate}`)
    sounds.add(JSON.stringify(sound))
    return loops.get(file) ?? null
  }
  stage = new Stage(hub, { get })
  stage.setSlates({ lost: 'lost', pause: 'pause' })
  feed = stage.begin(true)
  take(avcHeader(), aacHeader(), keyframe(0), audio(10), interframe(40))
})
afterEach(() => {
  stage.rest()
  vi.useRealTimers()
})

/** A picture with a header of its own. */
const picture = (mark: number): Loop => ({
  header: avcHeader(0, mark).payload,
  frames: [keyframe(mark).payload, interframe(mark).payload],
  frameMs: 50,
})
const take = (...messages: Message[]) => messages.map((message) => stage.take(message, Date.now()))
const wait = (ms: number) => void vi.advanceTimersByTime(ms)
const header = () => stage.hub.header('video')?.payload
const metadata = (facts: Readonly<Record<string, number>>): Message => ({
  type: messageType.data,
  streamId: 1,
  timestamp: 0,
  payload: encodeAmf('@setDataFrame', 'onMetaData', facts),
})
/** Kinds of what the hub received since the last call. */
const received = () =>
  got
    .splice(0)
    .filter(({ kind }) => kind === 'video')
    .map(({ role }) => role)

test('a pause shows its picture; the encoder enters again with a keyframe, behind its own header', () => {
  loops.set('pause', picture(9))
  received()
  stage.setPaused(true)
  expect([stage.isShowing, stage.fill]).toEqual([true, 'picture'])
  wait(100)
  expect(received().slice(0, 3)).toEqual(['header', 'key', 'frame'])
  expect(header()).toEqual(avcHeader(0, 9).payload)
  // An encoder that is parked now needs its own headers later.
  expect(feed.headers.packets().map(({ payload }) => payload)).toEqual([avcHeader().payload, aacHeader().payload])
  expect(take(keyframe(1_000))).toEqual(['waits'])
  stage.setPaused(false)
  expect(take(interframe(1_040), keyframe(2_000))).toEqual(['waits', 'enters'])
  expect([stage.fill, header()]).toEqual([null, avcHeader().payload])
  expect(received().slice(-2)).toEqual(['header', 'key'])
})

/** A clip of two seconds; its file is gone, but its beginning is in memory. */
async function clip(): Promise<Film> {
  const dir = folder()
  const film = await writeFilm(join(dir, 'one.film'), filmMessages(60))
  rmSync(dir, { recursive: true })
  return film
}

test('a clip starts at its beginning when the encoder is lost, behind its own header, and the encoder returns behind its own', async () => {
  const film = await clip()
  loops.set('lost', film)
  for (let round = 0; round < 3; round++) {
    stage.lose()
    wait(999)
    expect(stage.fill).toBeNull()
    received()
    const from = got.length
    wait(1_501)
    expect(stage.fill).toBe('clip')
    const shown = got.slice(from).filter(({ kind, role }) => kind === 'video' && role !== 'header')
    expect(shown[0]?.payload).toEqual(keyframe(0, 300).payload)
    expect(header()).toEqual(film.video)
    const at = (round + 1) * 5_000
    expect(take(interframe(at - 40), keyframe(at))).toEqual(['waits', 'enters'])
    expect([stage.fill, header()]).toEqual([null, avcHeader().payload])
  }
})

test('a hundred losses and returns: no picture goes back, and none is shown by two', async () => {
  loops.set('lost', await clip())
  let at = 1_000
  for (let round = 0; round < 100; round++) {
    stage.lose(0)
    wait(100 + round * 7)
    expect(stage.fill).toBe('clip')
    expect(take(keyframe((at += 5_000)), audio(at + 10), interframe(at + 40))).toEqual([
      'enters',
      'continues',
      'continues',
    ])
    wait(40)
    expect(stage.fill).toBeNull()
    const sent = got.length
    wait(500)
    expect(got.length).toBe(sent)
  }
  const times = got.map(({ timestamp }) => timestamp)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const pictures = got
    .filter(({ kind, role }) => kind === 'video' && role !== 'header')
    .map(({ timestamp }) => timestamp)
  expect(new Set(pictures).size).toBe(pictures.length)
})

test('a clip that fails gives way to the last frame; in a pause to nothing', async () => {
  const film = await clip()
  loops.set('lost', film)
  loops.set('pause', film)
  stage.lose(0)
  wait(100)
  expect(stage.fill).toBe('clip')
  const fail = vi.spyOn(FilmLoop.prototype, 'failed', 'get').mockReturnValue(true)
  loops.clear()
  wait(100)
  expect(stage.fill).toBe('frame')
  fail.mockRestore()
  expect(take(keyframe(9_000))).toEqual(['enters'])
  loops.set('pause', film)
  stage.setPaused(true)
  expect([stage.fill, stage.isShowing]).toEqual(['clip', true])
  vi.spyOn(FilmLoop.prototype, 'failed', 'get').mockReturnValue(true)
  loops.clear()
  wait(100)
  expect([stage.fill, stage.isShowing]).toEqual([null, false])
})

test('clips are requested for the sound of the encoder', () => {
  stage.watch()
  expect([...sounds]).toEqual(['{"sampleRate":48000,"channels":2}'])
})

test('a pause without a picture shows nothing, until one is ready', () => {
  stage.setPaused(true)
  expect([stage.isShowing, stage.fill]).toEqual([false, null])
  take(keyframe(1_000))
  loops.set('pause', picture(9))
  stage.watch()
  expect([stage.isShowing, stage.fill]).toEqual([true, 'picture'])
  stage.setSlates({})
  expect([stage.isShowing, stage.fill]).toEqual([false, null])
})

test('a lost encoder shows its last frame until the picture is ready, and in a pause the picture of the pause', () => {
  stage.lose()
  wait(999)
  expect(stage.fill).toBe(null)
  wait(1)
  expect(stage.fill).toBe('frame')
  loops.set('lost', picture(8))
  stage.watch()
  expect([stage.fill, header()]).toEqual(['picture', avcHeader(0, 8).payload])
  loops.set('pause', picture(9))
  stage.setPaused(true)
  expect(header()).toEqual(avcHeader(0, 9).payload)
  stage.setPaused(false)
  expect(header()).toEqual(avcHeader(0, 8).payload)
  // Another encoder, with another header.
  stage.begin()
  expect(take(avcHeader(0, 3), keyframe(0))).toEqual(['waits', 'enters'])
  expect([stage.fill, header()]).toEqual([null, avcHeader(0, 3).payload])
})

test('the picture of a pause stays when the encoder is lost, and the lost encoder has its own after it', () => {
  loops.set('pause', picture(9))
  loops.set('lost', picture(8))
  stage.setPaused(true)
  received()
  stage.lose()
  expect([stage.isShowing, stage.fill]).toEqual([true, 'picture'])
  wait(2_000)
  expect([stage.isShowing, header()]).toEqual([true, avcHeader(0, 9).payload])
  expect(received().filter((role) => role === 'header')).toEqual([])
  stage.setPaused(false)
  expect([stage.fill, header()]).toEqual(['picture', avcHeader(0, 8).payload])
})

test('an encoder that begins in a pause enters after it, behind the headers that it sent in the pause', () => {
  loops.set('pause', picture(9))
  stage.setPaused(true)
  stage.begin()
  expect(take(avcHeader(0, 4), keyframe(0))).toEqual(['waits', 'waits'])
  stage.setPaused(false)
  expect(take(keyframe(2_000))).toEqual(['enters'])
  expect(header()).toEqual(avcHeader(0, 4).payload)
})

test('an encoder beside the shown one keeps its headers, and takes over with a keyframe behind them', () => {
  const beside = stage.beside()
  const note = (...messages: Message[]) => messages.forEach((message) => stage.note(message, beside))
  const enter = (message: Message) => stage.take(message, Date.now(), beside)
  received()
  note(avcHeader(0, 5), aacHeader(), keyframe(0), interframe(40))
  take(interframe(80))
  expect(received()).toEqual(['frame'])
  expect(enter(interframe(960))).toBe('waits')
  // The shown one continues until the keyframe of the other.
  expect(take(interframe(120))).toEqual(['continues'])
  expect(enter(keyframe(1_000))).toBe('enters')
  expect(received()).toEqual(['frame', 'header', 'key'])
  expect(header()).toEqual(avcHeader(0, 5).payload)
  // The first encoder returns: its headers were sent once.
  const first = (message: Message) => stage.take(message, Date.now(), feed)
  expect([first(interframe(200)), first(keyframe(1_040))]).toEqual(['waits', 'enters'])
  expect([received(), header()]).toEqual([['header', 'key'], avcHeader().payload])
  note(interframe(2_000))
  expect(received()).toEqual([])
})

test('an encoder beside a lost one stops the frame that is shown in its place', () => {
  const beside = stage.beside()
  stage.note(avcHeader(0, 5), beside)
  stage.lose(0)
  wait(600)
  expect(stage.fill).toBe('frame')
  expect(stage.take(keyframe(5_000), Date.now(), beside)).toBe('enters')
  expect(stage.fill).toBe(null)
})

test('a hundred encoders in a minute keep time monotonic', () => {
  const feeds = [feed, stage.beside()]
  for (const one of feeds) stage.note(avcHeader(0, feeds.indexOf(one) + 1), one)
  for (let round = 0; round < 100; round++) {
    const one = feeds[round % 2] ?? feed
    expect(stage.take(keyframe(round * 600), Date.now(), one)).not.toBe('waits')
    stage.take(audio(round * 600 + 5), Date.now(), one)
    wait(600)
  }
  for (const kind of ['audio', 'video']) {
    const times = got.filter((packet) => packet.kind === kind).map(({ timestamp }) => timestamp)
    expect(times.length).toBeGreaterThanOrEqual(100)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    // A minute of changes is a minute of the stream.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(62_000)
  }
})

test('a hundred changes a minute keep time monotonic', () => {
  for (const name of ['lost', 'pause']) loops.set(name, picture(name.length))
  for (let round = 0; round < 100; round++) {
    if (round % 3 === 0) stage.lose(0)
    stage.setPaused(round % 2 === 0)
    wait(300)
    take(keyframe(round * 600), audio(round * 600 + 5), interframe(round * 600 + 40))
    wait(300)
  }
  for (const kind of ['audio', 'video']) {
    const times = got.filter((packet) => packet.kind === kind).map(({ timestamp }) => timestamp)
    expect(times.length).toBeGreaterThan(100)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  }
})

test('an encoder that sent metadata in the pause enters behind its video header', () => {
  loops.set('pause', picture(9))
  stage.setPaused(true)
  wait(100)
  expect(take(metadata({ width: 1_280 }), aacHeader())).toEqual(['waits', 'waits'])
  stage.setPaused(false)
  expect(take(keyframe(2_000))).toEqual(['enters'])
  expect(header()).toEqual(avcHeader().payload)
})

test('an encoder that was lost in a pause and returned is not lost after it', () => {
  loops.set('pause', picture(9))
  loops.set('lost', picture(8))
  stage.setPaused(true)
  stage.lose()
  wait(2_000)
  expect(take(aacHeader(), interframe(2_000), audio(2_010))).toEqual(['waits', 'returns', 'waits'])
  stage.lose()
  wait(500)
  expect(take(interframe(2_500))).toEqual(['returns'])
  wait(2_000)
  received()
  stage.setPaused(false)
  wait(1_000)
  expect(received()).not.toContain('header')
  expect(take(keyframe(5_500))).toEqual(['enters'])
  expect(header()).toEqual(avcHeader().payload)
})

test('a stream that ends in a pause shows no picture again, one that continues does', () => {
  loops.set('pause', picture(9))
  stage.setPaused(true)
  stage.lose()
  wait(2_000)
  stage.rest()
  stage.watch()
  stage.setSlates({ pause: 'pause' })
  expect([stage.isShowing, stage.fill]).toEqual([false, null])
  stage.begin()
  stage.watch()
  expect([stage.isShowing, stage.fill]).toEqual([true, 'picture'])
})

test('pictures have the format of the encoder, also while another picture is shown', () => {
  // 320x180 at 29.97; the encoder has a header without a rate, and more digits.
  const other = '17000000000142c00dffe100166742c00dda05067e7c04400000fa40003a9803c50aa801000468ce0fc8'
  take(metadata({ width: 321, height: 181, framerate: 30_000 / 1_001 }))
  loops.set('lost', { ...picture(8), header: Buffer.from(other, 'hex') })
  stage.watch()
  formats.clear()
  sounds.clear()
  stage.lose(0)
  for (let second = 0; second < 5; second++) {
    wait(1_000)
    stage.watch()
    expect(stage.fill).toBe('picture')
  }
  stage.setPaused(true)
  stage.setSlates({ lost: 'lost', pause: 'third' })
  stage.watch()
  expect([...formats]).toEqual([`321 181 ${30_000 / 1_001}`])
})
