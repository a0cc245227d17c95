// A platform that minds how streams are sent: after two breaks it is sent to as a plain encoder does. Nobody else notices.
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

const timing = { ...quick, firstRetryMs: 20, retryMsMax: 100 }
const lateMs = 60_000
/** Seconds that a broadcast has been on air for a minute begins with, and pictures as large as they are. */
async function onAirLate(made: Rig) {
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(lateMs), aacHeader(lateMs), keyframe(lateMs, 10_000), interframe(lateMs + 40, 5_000))
  return encoder
}

const on = ({ arrived }: FaultyPlatform, connection: number) => arrived.filter((one) => one.connection === connection)
const startsOf = (platform: FaultyPlatform) =>
  on(platform, platform.connections()).map(({ packet }) => [packet.role, packet.timestamp])

test('one that minds large chunks, or a late time, gets the stream as from an encoder that has just begun, and so from then on', async () => {
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
  // They were well: what cuts them later is something else.
  await until(() => made.samples.at(-1)?.destinations.every(({ attempt }) => attempt === 0))
  for (const one of [small, fromZero]) {
    one.cut('reset')
    await until(() => on(one, 4).length > 3)
    expect(startsOf(one).slice(0, 3)).toEqual(opening.slice(0, 3))
  }
})

test('where that does not help either, both ways are tried in turns', async () => {
  const [made, broken] = await setUp(1, { timing })
  broken.fault = 'mid-message'
  await onAirLate(made)
  // The third attempt was plain, the fourth is not, which it minds.
  await until(() => made.report(1)?.state === 'backoff' && made.report(1)?.attempt === 3)
  broken.fault = 'from-zero'
  await until(() => on(broken, 5).length === 4)
  expect([3, 4].map((connection) => on(broken, connection).length)).toEqual([0, 0])
  expect(made.report(1)).toMatchObject({ state: 'live', attempt: 4 })
})

test('one that refuses, says nothing or is away is sent to as before', async () => {
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

test('headers stand where the media begins, also when they are sent again', async () => {
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
  'what arrives so at a real server begins at 0 and decodes',
  { timeout: 120_000 },
  async () => {
    const dir = folder()
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const seconds = 2
    // One keyframe: who is connected late gets all of it.
    const source = await sample(dir, seconds, ['-g', String(seconds * 30)])
    const [made, front] = await setUp(1, { graceMs: 100, timing })
    front.fault = 'mid-message'
    // The time of the stream crosses the end of 24 bits.
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
