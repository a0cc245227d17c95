// Platforms that reject the sending mode: after two breaks the relay sends to them like a plain encoder.
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { quick } from './testing/encoder.ts'
import type { Arrived, FaultyPlatform } from './testing/faulty-platform.ts'
import { aacHeader, avcHeader, interframe, keyframe, stream } from './testing/frames.ts'
import { decodeErrors, folder, hasPrograms, probe, publish, sample } from './testing/programs.ts'
import { onAir, type Rig, setUp, times, until } from './testing/rig.ts'

const timing = { ...quick, retries: { firstMs: 20, mostMs: 100, jitter: 0.5 } }
const lateMs = 60_000
/** Start of a broadcast that has been on air for a minute, with frames of real size. */
async function onAirLate(made: Rig) {
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(lateMs), aacHeader(lateMs), keyframe(lateMs, 10_000), interframe(lateMs + 40, 5_000))
  return encoder
}

const on = ({ arrived }: FaultyPlatform, connection: number) => arrived.filter((one) => one.connection === connection)
const startsOf = (platform: FaultyPlatform) =>
  on(platform, platform.connections()).map(({ packet }) => [packet.role, packet.timestamp])

test('sends like a plain encoder to a platform that rejects large chunks or late timestamps, and keeps this mode', async () => {
  const [made, small, fromZero, other] = await setUp(3, { timing: { ...timing, wellMs: 500 } })
  small.fault = 'small-chunks'
  fromZero.fault = 'from-zero'
  const encoder = await onAirLate(made)
  const opening = [
    ['header', 0],
    ['header', 0],
    ['key', 0],
    ['frame', 40],
  ]
  const payloads = (some: readonly Arrived[]) => some.map(({ packet }) => packet.payload)
  for (const one of [small, fromZero]) {
    await until(() => on(one, 3).length === 4)
    expect(startsOf(one)).toEqual(opening)
    expect(payloads(on(one, 3))).toEqual(payloads(other.arrived))
  }
  const next = [...stream(lateMs + 1000, 1)]
  encoder.send(...next)
  await until(() => [small, fromZero].every((one) => times(one).at(-1) === 1980))
  await until(() => times(other).length === 52)
  expect(times(other)).toEqual([lateMs, lateMs + 40, ...next.map(({ timestamp }) => timestamp)])
  expect([small, fromZero, other].map((one) => one.connections())).toEqual([3, 3, 1])
  // The connections were stable: a later cut has another cause.
  await until(() => made.samples.at(-1)?.destinations.every(({ attempt }) => attempt === 0))
  for (const one of [small, fromZero]) {
    one.cut('reset')
    await until(() => on(one, 4).length > 3)
    expect(startsOf(one).slice(0, 3)).toEqual(opening.slice(0, 3))
  }
})

test('alternates both modes if the plain mode fails too', async () => {
  const [made, broken] = await setUp(1, { timing })
  broken.fault = 'mid-message'
  await onAirLate(made)
  // The third attempt was plain; the fourth is not, and the platform rejects it.
  await until(() => made.report(1)?.state === 'backoff' && made.report(1)?.attempt === 3)
  broken.fault = 'from-zero'
  await until(() => on(broken, 5).length === 4 && made.report(1)?.state === 'live')
  expect([3, 4].map((connection) => on(broken, connection).length)).toEqual([0, 0])
  expect(made.report(1)).toMatchObject({ state: 'live', attempt: 4 })
})

test('keeps the mode for a platform that refuses, is silent or is unreachable', async () => {
  const [made, particular] = await setUp(1, { timing: { ...timing, publishMs: 150, rejectedMs: 20 } })
  particular.fault = 'mute'
  await onAirLate(made)
  await until(() => made.report(1)?.attempt === 2)
  particular.fault = 'reject-publish'
  await until(() => made.report(1)?.state === 'rejected' && (made.report(1)?.attempt ?? 0) > 4)
  await particular.down()
  await until(() => made.report(1)?.reason === 'refused')
  particular.fault = 'none'
  await particular.up()
  await until(() => times(particular).length > 0)
  expect(times(particular)[0]).toBe(lateMs)
})

test('sends headers with the timestamp of the first media, also when they are repeated', async () => {
  const [made, one] = await setUp(1)
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  encoder.send(...stream(1000, 1))
  await until(() => times(one).length === 100)
  one.cut('reset')
  await until(() => on(one, 2).length > 3)
  expect(startsOf(one).slice(0, 3)).toEqual([
    ['header', 1000],
    ['header', 1000],
    ['key', 1000],
  ])
})

test.skipIf(!hasPrograms)(
  'a real server receives plain mode from time 0, and the recording decodes',

  async () => {
    const dir = folder()
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const seconds = 2
    // One keyframe, so that a late connection receives all of it.
    const source = await sample(dir, seconds, ['-g', String(seconds * 30)])
    const [made, front] = await setUp(1, { graceMs: 100, timing })
    front.fault = 'mid-message'
    // The timestamps cross 24 bits.
    const offset = ['-output_ts_offset', String(0xffffff / 1000 - 0.5)]
    const encoder = publish(source, `rtmp://127.0.0.1:${made.port}/live/good`, [], offset)
    await until(() => made.report(1)?.attempt === 2)
    await front.down()
    const file = join(dir, 'arrived.flv')
    const address = `rtmp://127.0.0.1:${front.port}/live2/secret-key`
    const server = promisify(execFile)('ffmpeg', [
      '-v',
      'error',
      '-listen',
      '1',
      '-copyts',
      '-i',
      address,
      '-c',
      'copy',
      file,
    ])
    expect((await encoder.done()).code).toBe(0)
    await server
    const got = await probe(file)
    const video = got.filter(({ codec_type }) => codec_type === 'video')
    expect(video).toHaveLength(seconds * 30)
    expect(video[0]).toMatchObject({ dts_time: 0, key: true })
    expect(Math.max(...got.map(({ dts_time }) => dts_time))).toBeLessThan(seconds + 0.1)
    expect(await decodeErrors(file)).toBe('')
  },
)
