// Transcoders with a real ffmpeg: the output has the chosen settings, and a crash of ffmpeg disconnects no destination.
import type { DesiredState, DesiredTranscoder } from '#contract/relay/desired-state.ts'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { flvHeader } from './media/flv.ts'
import { openPrograms, type Programs } from './programs/programs.ts'
import { type FaultyPlatform, faultyPlatform } from './testing/faulty-platform.ts'
import { type Encoder, folder, hasPrograms, publish, sample } from './testing/programs.ts'
import { project, rig, type Rig, targetOf, until } from './testing/rig.ts'
import { slots } from './transcoders/slots.ts'

const run = promisify(execFile)

const half: DesiredTranscoder = {
  id: 5,
  codec: 'h264',
  preset: 'ultrafast',
  width: 160,
  height: 120,
  fps: 15,
  videoKbps: 1000,
  audioKbps: 64,
  rotation: null,
  bFrames: null,
}

const dir = folder()
let source: string
let programs: Programs
let plain: FaultyPlatform
let other: FaultyPlatform
let made: Rig
let encoder: Encoder

/** Channel 1 receives the source, channel 2 the output of a transcoder. */
const stateWith = (transcoders: readonly DesiredTranscoder[], transcoder: number | null = half.id): DesiredState => ({
  destinations: [
    { id: 1, target: targetOf(plain) },
    { id: 2, target: targetOf(other), transcoder: transcoder ?? undefined },
  ],
  transcoders,
})

async function onAir(transcoders: readonly DesiredTranscoder[] = [half]): Promise<void> {
  made = await rig([], {
    graceMs: 200,
    transcoding: { programs, slots: slots(1) },
    admit: async () => ({ projectId: project, ...stateWith(transcoders) }),
  })
  encoder = publish(source, `rtmp://127.0.0.1:${made.port}/live/good`, ['-stream_loop', '-1'])
}

const factOf = (id: number) => made.samples.at(-1)?.transcoders.find((one) => one.id === id)
const pictures = ({ arrived }: FaultyPlatform) =>
  arrived.flatMap(({ packet }) => (packet.kind === 'video' && packet.role !== 'header' ? [packet] : []))
const keyTimes = (one: FaultyPlatform) =>
  pictures(one).flatMap(({ role, timestamp }) => (role === 'key' ? [timestamp] : []))
/** Waits for this number of further video frames. */
async function more(one: FaultyPlatform, count: number): Promise<void> {
  const before = pictures(one).length
  await until(() => pictures(one).length >= before + count)
}

/** Transcoders of this process. */
const pids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/stat`, 'utf8').includes(` ${process.pid} `)
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('zerolatency')
      } catch {
        return false
      }
    })
    .map(Number)

/** Packets received since the last header, in the output of ffprobe. */
async function probed({ arrived }: FaultyPlatform): Promise<string> {
  const from = arrived.findLastIndex(({ packet }) => packet.kind === 'video' && packet.role === 'header')
  const tags = arrived.slice(from).map(({ packet }) => packet.tag())
  const file = join(dir, 'arrived.flv')
  writeFileSync(file, Buffer.concat([flvHeader({ audio: true, video: true }), ...tags]))
  const ask = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'compact', file]
  return (await run('ffprobe', ask)).stdout
}

describe.skipIf(!hasPrograms)('with ffmpeg', () => {
  beforeAll(async () => {
    source = await sample(dir, 6)
    programs = openPrograms('ffmpeg')
  })
  afterAll(async () => {
    await programs.close()
    rmSync(dir, { recursive: true, force: true })
  })
  beforeEach(async () => {
    ;[plain, other] = [await faultyPlatform(), await faultyPlatform()]
  })
  afterEach(async () => {
    await encoder.stop()
    await made.close()
    await Promise.all([plain.stop(), other.stop()])
  })

  test('sends the chosen size and frame rate, and a keyframe every two seconds', async () => {
    await onAir()
    await until(() => keyTimes(other).length >= 3)
    const text = await probed(other)
    expect(text).toContain('width=160|height=120')
    expect(text).toContain('codec_name=aac')
    const keys = keyTimes(other)
    const steps = keys.slice(1).map((at, index) => at - (keys[index] ?? 0))
    // Exact to one frame, which is 67 ms.
    for (const step of steps) expect(Math.abs(step - 2000)).toBeLessThanOrEqual(70)
    const all = pictures(other).map(({ timestamp }) => timestamp)
    expect(((all.at(-1) ?? 0) - (all[0] ?? 0)) / (all.length - 1)).toBeCloseTo(1000 / 15, 0)
    expect(factOf(half.id)).toMatchObject({ running: true, reason: null, restarts: 0 })
    await until(() => (factOf(half.id)?.kbps ?? 0) > 0)
    // The other channel receives the source.
    expect(await probed(plain)).toContain('width=320|height=180')
  })

  test('continues the output after kill -9 without disconnecting a channel', async () => {
    await onAir()
    await more(other, 15)
    const pid = await until(() => pids()[0])
    process.kill(pid, 'SIGKILL')
    await until(() => factOf(half.id)?.restarts === 1)
    await more(other, 15)
    expect(pids()).not.toContain(pid)
    expect(made.report(2)).toMatchObject({ state: 'live', reconnects: 0 })
    expect(made.report(1)).toMatchObject({ state: 'live', reconnects: 0, drops: 0 })
    const all = pictures(other).map(({ timestamp }) => timestamp)
    expect(all).toEqual(all.toSorted((a, b) => a - b))
  })

  test('queues a channel while all slots are in use, and starts it when one is free', async () => {
    const first = { ...half, id: 4 }
    await onAir([first, half])
    await until(() => factOf(half.id)?.reason === 'no_slot')
    expect(made.report(2)).toMatchObject({ state: 'idle', reason: 'transcoding' })
    await until(() => made.report(1)?.state === 'live')
    made.relay.update(project, stateWith([half]))
    await more(other, 5)
    await until(() => made.report(2)?.state === 'live')
    expect(made.report(2)).toMatchObject({ reason: null })
  })

  test('changes the settings on air on the same connection', async () => {
    await onAir()
    await more(other, 5)
    const headers = () =>
      other.arrived.filter(({ packet }) => packet.kind === 'video' && packet.role === 'header').length
    const before = headers()
    made.relay.update(project, stateWith([{ ...half, width: 80, height: 60 }]))
    await until(() => headers() > before)
    await more(other, 5)
    expect(await probed(other)).toContain('width=80|height=60')
    expect(made.report(2)).toMatchObject({ state: 'live', reconnects: 0 })
  })

  test('sends the source to a channel whose transcoder is removed', async () => {
    await onAir()
    await more(other, 5)
    made.relay.update(project, stateWith([], null))
    await until(() => pids().length === 0)
    await until(() => made.report(2)?.state === 'live')
    await more(other, 10)
    expect(await probed(other)).toContain('width=320|height=180')
  })
})
