// With real programs: ffmpeg as the encoder, nginx-rtmp as the platform that records, ffprobe as the judge.
import type { Target } from '#contract/relay/desired-state.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { quick } from './testing/encoder.ts'
import {
  decodeErrors,
  folder,
  hasPrograms,
  platform,
  type Platform,
  probe,
  type ProbedPacket,
  publish,
  sample,
} from './testing/programs.ts'
import { rig, type Rig, until } from './testing/rig.ts'

const seconds = 4
const dir = folder()
let source: string
/** The same with one keyframe, so that a platform connected late receives all of it. */
let whole: string
let nginx: Platform
let made: Rig

const keys = ['one', 'two', 'three']
const targets = (): Target[] =>
  keys.map((key) => ({ protocol: 'rtmp', host: '127.0.0.1', port: nginx.port, app: 'live', key }))
const address = () => `rtmp://127.0.0.1:${made.port}/live/good`
const videoOf = (packets: readonly ProbedPacket[]) => packets.filter(({ codec_type }) => codec_type === 'video')

/** Expects that every track is continuous and starts where a decoder can. */
function expectSound(packets: readonly ProbedPacket[]): void {
  for (const type of ['video', 'audio']) {
    const track = packets.filter(({ codec_type }) => codec_type === type).map(({ dts_time }) => dts_time)
    expect(track).toEqual(track.toSorted((a, b) => a - b))
  }
  expect(videoOf(packets)[0]?.key).toBe(true)
}

describe.skipIf(!hasPrograms)('with ffmpeg and nginx-rtmp', () => {
  beforeAll(async () => {
    source = await sample(dir, seconds)
    whole = await sample(mkdtempSync(join(dir, 'whole-')), seconds, ['-g', String(seconds * 30)])
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  afterEach(async () => {
    await made.close()
    await nginx.stop()
  })

  test('delivers the sent stream to every platform, and it decodes', async () => {
    nginx = await platform()
    made = await rig(targets(), { graceMs: 100 })
    expect(await publish(whole, address()).done()).toEqual({ code: 0, said: '' })
    await until(() => made.events.some(({ type }) => type === 'ended'))
    const sent = await probe(whole)
    for (const key of keys) {
      const file = await nginx.recorded(key)
      const got = await probe(file)
      expectSound(got)
      expect(videoOf(got)).toHaveLength(videoOf(sent).length)
      // Only audio before the first video frame may be missing.
      expect(sent.length - got.length).toBeLessThanOrEqual(2)
      expect(await decodeErrors(file)).toBe('')
    }
  })

  test('crosses the wrap of 24-bit timestamps', async () => {
    nginx = await platform()
    made = await rig(targets().slice(0, 1), { graceMs: 100 })
    const offset = 0xffffff / 1000 - 2
    const { code } = await publish(whole, address(), [], ['-output_ts_offset', String(offset)]).done()
    expect(code).toBe(0)
    await until(() => made.events.some(({ type }) => type === 'ended'))
    const file = await nginx.recorded('one')
    const got = await probe(file)
    expectSound(got)
    expect(videoOf(got)).toHaveLength(seconds * 30)
    expect(await decodeErrors(file)).toBe('')
  })

  test('continues the same recording after ffmpeg is killed and restarted', async () => {
    nginx = await platform()
    made = await rig(targets().slice(0, 1), { graceMs: 5_000 })
    const first = publish(source, address())
    await until(() => made.samples.some(({ ingest }) => ingest.fps > 0))
    await first.stop('SIGKILL')
    await until(() => made.events.some(({ type }) => type === 'source-lost'))
    expect((await publish(source, address()).done()).code).toBe(0)
    made.relay.stop(7)
    const file = await nginx.recorded('one')
    expect(nginx.recordings('one')).toHaveLength(1)
    const got = await probe(file)
    expectSound(got)
    expect(videoOf(got).length).toBeGreaterThan(seconds * 30)
    expect(await decodeErrors(file)).toBe('')
  })

  test('starts a new recording on a keyframe when the platform returns', async () => {
    nginx = await platform()
    made = await rig(targets().slice(0, 1), { graceMs: 100 })
    const encoder = publish(source, address(), ['-stream_loop', '2'])
    await until(() => made.samples.some(({ destinations }) => (destinations[0]?.packets ?? 0) > 60))
    const { port } = nginx
    await nginx.stop()
    await until(() => made.report(1)?.state === 'backoff')
    nginx = await platform({ port })
    await until(() => made.report(1)?.state === 'live')
    expect((await encoder.done()).code).toBe(0)
    await until(() => made.events.some(({ type }) => type === 'ended'))
    const again = await nginx.recorded('one')
    const got = await probe(again)
    expectSound(got)
    expect(await decodeErrors(again)).toBe('')
  })

  test('reports a wrong key and is never live when nginx-rtmp denies the publisher', async () => {
    nginx = await platform({ rules: 'deny publish all;' })
    made = await rig(targets().slice(0, 1), { graceMs: 60_000, timing: { ...quick, steadyMs: 3_000 } })
    const encoder = publish(source, address(), ['-stream_loop', '-1'])
    await until(() => (made.report(1)?.attempt ?? 0) >= 3)
    await encoder.stop()
    const reported = made.events.flatMap((event) => (event.type === 'destination' ? [event.report] : []))
    expect(reported.map(({ state }) => state)).not.toContain('live')
    expect(new Set(reported.filter(({ state }) => state === 'backoff').map(({ reason }) => reason))).toEqual(
      new Set(['closed-early']),
    )
    expect(reported.every(({ words }) => words === null)).toBe(true)
  })
})
