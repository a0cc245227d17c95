import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aacHeader, audio, avcHeader, interframe, keyframe, stream } from '#server/relay/testing/frames.ts'
import { decodeErrors, folder, hasPrograms, probe, sample } from '#server/relay/testing/programs.ts'
import { flvHeader, FlvReader } from '#server/relay/media/flv.ts'
import { Fill } from './fill.ts'
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
