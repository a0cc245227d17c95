import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aacHeader, audio, avcHeader, interframe, keyframe, stream } from '#server/relay/testing/frames.ts'
import { decodeErrors, folder, hasPrograms, probe, sample } from '#server/relay/testing/programs.ts'
import { flvHeader, FlvReader } from './flv.ts'
import { Freeze } from './freeze.ts'
import { Hub } from './hub.ts'
import type { Packet } from './packet.ts'

let hub: Hub
let freeze: Freeze
let got: Packet[]
const wait = (ms: number) => void vi.advanceTimersByTime(ms)
beforeEach(() => {
  vi.useFakeTimers()
  hub = new Hub()
  got = []
  freeze = new Freeze(hub)
  hub.attach({ take: (packet) => got.push(packet) })
})
afterEach(() => {
  freeze.stop()
  vi.useRealTimers()
})

const push = (...messages: Parameters<Hub['push']>[0]) => hub.push(messages, Date.now())
const kinds = (packets: readonly Packet[]) => packets.map(({ kind, role }) => `${kind} ${role}`)

test('repeats the last frame twice a second with silence, and keeps time monotonic', () => {
  push(avcHeader(), aacHeader(), ...stream(0, 1), keyframe(1000), audio(1020), interframe(1040), interframe(1080))
  const sent = got.length
  freeze.start(10)
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
  freeze.stop()
  const before = got.length
  wait(200)
  expect(got).toHaveLength(before)
  // The encoder has reconnected: its timestamps follow.
  hub.timeline.restart()
  push(...stream(0, 1))
  expect(got[before]?.timestamp).toBeGreaterThan(got[before - 1]?.timestamp ?? 0)
})

test('ignores a short absence; sends nothing without video and known audio', () => {
  const patient = new Freeze(hub)
  push(avcHeader(), ...stream(0, 1))
  patient.start(500)
  patient.stop()
  push(avcHeader(1000, 9))
  const sent = got.length
  freeze.start(10)
  wait(300)
  expect(got).toHaveLength(sent)
})

test.skipIf(!hasPrograms).each([
  ['mono', '1'],
  ['stereo', '2'],
])('ffmpeg decodes the output without errors: %s', async (_, channels) => {
  const dir = folder()
  const source = new FlvReader().read(readFileSync(await sample(dir, 2, ['-ac', channels, '-bf', '2'])))
  push(...source)
  freeze.start(10)
  wait(1_200)
  freeze.stop()
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
