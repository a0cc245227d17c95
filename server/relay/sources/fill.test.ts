import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aacHeader, audio, avcHeader, interframe, keyframe, stream } from '#server/relay/testing/frames.ts'
import { decodeErrors, folder, hasPrograms, probe, sample } from '#server/relay/testing/programs.ts'
import { flvHeader, FlvReader } from '#server/relay/media/flv.ts'
import { Fill } from './fill.ts'
import type { Film } from '#server/relay/library/film.ts'
import { avcHeaderOf320, filmMessages, writeFilm } from '#server/relay/testing/films.ts'
import { messageType } from '#server/relay/rtmp/message.ts'
import { Hub } from '#server/relay/media/hub.ts'
import type { Packet } from '#server/relay/media/packet.ts'

let hub: Hub
let fill: Fill
let got: Packet[]
const wait = (ms: number) => void vi.advanceTimersByTime(ms)
beforeEach(() => {
  vi.useFakeTimers()
  hub = new Hub()
  got = []
  fill = new Fill(hub)
  hub.attach({ take: (packet) => got.push(packet) })
})
afterEach(() => {
  fill.stop()
  vi.useRealTimers()
})

const push = (...messages: Parameters<Hub['push']>[0]) => hub.push(messages, Date.now())
const kinds = (packets: readonly Packet[]) => packets.map(({ kind, role }) => `${kind} ${role}`)

test('repeats the last frame twice a second with silence, and keeps time monotonic', () => {
  push(avcHeader(), aacHeader(), ...stream(0, 1), keyframe(1000), audio(1020), interframe(1040), interframe(1080))
  const sent = got.length
  fill.play(fill.frozen())
  wait(1_200)
  const made = got.slice(sent)
  const pictures = made.filter(({ kind }) => kind === 'video')
  expect(kinds(pictures)).toEqual(['video key', 'video frame', 'video key'])
  expect(pictures.map(({ payload }) => payload)).toEqual(
    [keyframe(1000), interframe(1040), keyframe(1000)].map(({ payload }) => payload),
  )
  const sounds = made.filter(({ kind }) => kind === 'audio')
  expect(sounds.length).toBeGreaterThan(40)
  const times = got.map(({ timestamp }) => timestamp)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  fill.stop()
  const before = got.length
  wait(200)
  expect(got).toHaveLength(before)
  // The encoder has reconnected: its timestamps follow.
  hub.timeline.restart()
  push(...stream(0, 1))
  expect(got[before]?.timestamp).toBeGreaterThan(got[before - 1]?.timestamp ?? 0)
})

test('sends nothing without video and known audio', () => {
  push(avcHeader(), ...stream(0, 1))
  push(avcHeader(1000, 9))
  const sent = got.length
  fill.play(fill.frozen())
  wait(300)
  expect(got).toHaveLength(sent)
})

test('a picture is sent behind its own header at its own rate, and again the last frame of the encoder behind that of the encoder', () => {
  push(avcHeader(), aacHeader(), keyframe(0), audio(20), interframe(40))
  const sent = got.length
  const header = avcHeader(0, 9).payload
  const frames = [keyframe(7).payload, interframe(8).payload]
  fill.play({ header, frames, frameMs: 40 })
  wait(200)
  const pictures = got.slice(sent).filter(({ kind }) => kind === 'video')
  expect(kinds(pictures).slice(0, 4)).toEqual(['video header', 'video key', 'video frame', 'video key'])
  expect(pictures.length).toBeGreaterThan(4)
  const before = got.length
  fill.play(fill.frozen())
  wait(600)
  const frozen = got.slice(before).filter(({ kind }) => kind === 'video')
  expect(kinds(frozen)).toEqual(['video header', 'video key', 'video frame'])
  expect(frozen[0]?.payload).toEqual(avcHeader().payload)
  const times = got.map(({ timestamp }) => timestamp)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

/** A film in memory: its file is gone again. */
async function filmOf(pictures: number): Promise<Film> {
  const dir = folder()
  const film = await writeFilm(join(dir, 'one.film'), filmMessages(pictures))
  rmSync(dir, { recursive: true })
  return film
}
const timesOf = (packets: readonly Packet[], kind: string) =>
  packets.filter((one) => one.kind === kind && one.role !== 'header').map(({ timestamp }) => timestamp)
const stepsOf = (times: readonly number[]) => times.slice(1).map((time, at) => time - (times[at] ?? 0))
/** Header of AAC-LC with 44.1 kHz. */
const otherSound = { type: messageType.audio, streamId: 1, timestamp: 0, payload: Buffer.from([0xaf, 0, 0x12, 0x10]) }

test('a film repeats for an hour without a missing picture, and with its sound', async () => {
  const film = await filmOf(101)
  push(avcHeader(), aacHeader(), keyframe(0), audio(20), interframe(40))
  const sent = got.length
  fill.play(film)
  wait(3_600_000)
  const made = got.slice(sent)
  expect(made[0]?.payload).toEqual(film.video)
  const pictures = timesOf(made, 'video')
  // A round is a whole number of milliseconds: 101 pictures in 3,366 ms.
  expect(Math.abs(pictures.length - (3_600_000 / 3_366) * 101)).toBeLessThan(3)
  for (const step of stepsOf(pictures)) expect(step === 33 || step === 34).toBe(true)
  const sounds = timesOf(made, 'audio')
  for (const step of stepsOf(sounds)) expect(step).toBeLessThanOrEqual(43)
  expect(made.filter(({ kind, role }) => kind === 'audio' && role === 'header')).toEqual([])
  // By the clock: it is not ahead of what was asked.
  expect(Math.abs((pictures.at(-1) ?? 0) - (pictures[0] ?? 0) - 3_600_000)).toBeLessThan(200)
})

test('a film whose first picture is still read from the disk is sent behind its own header', async () => {
  push(avcHeader(), aacHeader(), keyframe(0), audio(20), interframe(40))
  const dir = folder()
  const film = await writeFilm(join(dir, 'one.film'), [avcHeaderOf320, keyframe(0, 1_200_000), interframe(33)])
  const sent = got.length
  fill.play(film)
  const pictures = () => got.slice(sent).filter(({ kind }) => kind === 'video')
  await vi.waitUntil(() => (wait(40), pictures().some(({ role }) => role === 'frame')), { timeout: 20_000 })
  fill.stop()
  rmSync(dir, { recursive: true })
  expect(kinds(pictures()).slice(0, 3)).toEqual(['video header', 'video key', 'video frame'])
  expect(pictures()[0]?.payload).toEqual(film.video)
})

test.each([
  ['silence for another rate', otherSound, {}, true],
  ['silence where the sound is silent by choice', aacHeader(), { isSilent: true }, true],
  ['no sound for a stream without one', null, {}, false],
  ['no sound for a codec that has no silence', { ...aacHeader(), payload: Buffer.from([0x2f, 1, 2]) }, {}, false],
])('a film has %s', async (_, sound, options, isSilent) => {
  fill.stop()
  hub = new Hub()
  hub.attach({ take: (packet) => got.push(packet) })
  fill = new Fill(hub, options)
  push(avcHeader(), ...(sound ? [sound] : []), keyframe(0), interframe(40))
  const film = await filmOf(60)
  const sent = got.length
  fill.play(film)
  wait(5_000)
  const made = got.slice(sent)
  expect(timesOf(made, 'video').length).toBeGreaterThan(145)
  const sounds = made.filter(({ kind }) => kind === 'audio')
  expect(sounds.length > 0).toBe(isSilent)
  for (const { payload } of sounds) expect(payload).not.toEqual(audio(0).payload)
  const times = made.map(({ timestamp }) => timestamp)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('a thread that stood still leaves out what is late, and a clock that jumps changes nothing', async () => {
  push(avcHeader(), aacHeader(), keyframe(0), interframe(40))
  fill.play(await filmOf(60))
  wait(1_000)
  vi.setSystemTime(Date.now() + 3_600_000)
  const sent = got.length
  wait(1_000)
  expect(timesOf(got.slice(sent), 'video').length).toBeLessThan(35)
  vi.setSystemTime(Date.now() - 7_200_000)
  const before = got.length
  wait(1_000)
  expect(timesOf(got.slice(before), 'video').length).toBeGreaterThan(25)
})

test('a film that fails is stopped, and reported once', async () => {
  const failed = vi.fn<() => void>()
  fill = new Fill(hub, { onFail: failed })
  push(avcHeader(), aacHeader(), keyframe(0), interframe(40))
  const dir = folder()
  const film = await writeFilm(join(dir, 'one.film'), filmMessages(300, { bytes: 20_000 }))
  rmSync(dir, { recursive: true })
  fill.play(film)
  vi.useRealTimers()
  await vi.waitUntil(() => film.isBroken)
  vi.useFakeTimers()
  fill.play(film)
  await vi.waitUntil(() => (wait(100), failed.mock.calls.length > 0), { timeout: 20_000 })
  expect(fill.slate).toBeNull()
  wait(1_000)
  expect(failed).toHaveBeenCalledTimes(1)
})

test.skipIf(!hasPrograms).each([
  ['mono', '1'],
  ['stereo', '2'],
])('ffmpeg decodes the output without errors: %s', async (_, channels) => {
  const dir = folder()
  const source = new FlvReader().read(readFileSync(await sample(dir, 2, ['-ac', channels, '-bf', '2'])))
  push(...source)
  fill.play(fill.frozen())
  wait(1_200)
  fill.stop()
  hub.timeline.restart()
  push(...source)
  vi.useRealTimers()
  const file = join(dir, 'out.flv')
  const tags = got.map((packet) => packet.tag())
  writeFileSync(file, Buffer.concat([flvHeader({ audio: true, video: true }), ...tags]))
  expect(await decodeErrors(file)).toBe('')
  const packets = await probe(file)
  expect(packets.filter(({ codec_type }) => codec_type === 'video')).toHaveLength(60 + 3 + 60)
  for (const type of ['video', 'audio']) {
    const times = packets.filter(({ codec_type }) => codec_type === type).map(({ dts_time }) => dts_time)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toBeLessThan(0.8)
  }
  rmSync(dir, { recursive: true })
})
