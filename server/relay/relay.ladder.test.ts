// Slow channels of an encoder with several pictures of one size: the smaller one over the same publication, and the larger one again.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { LadderChoice } from '#contract/entities/tracks.ts'
import type { DesiredDestination } from '#contract/relay/desired-state.ts'
import { FlvReader, flvHeader } from './media/flv.ts'
import type { Packet } from './media/packet.ts'
import type { Message } from './rtmp/message.ts'
import { expectDecodes } from './testing/containers.ts'
import { quick } from './testing/encoder.ts'
import { enhanced, inTrack } from './testing/enhanced.ts'
import { folder, hasPrograms, makeFlv } from './testing/programs.ts'
import { live, project, setUp, targetOf, until } from './testing/rig.ts'

const seconds = 4
/** Beginning of the last frame of sound that ends within these seconds, milliseconds. */
const soundMs = 3_979

/** Streams of this file, made once. */
const streams = new Map<string, Promise<Message[]>>()
const dir = folder()
afterAll(() => rmSync(dir, { recursive: true }))

/** A stream of a bitrate: a keyframe each second. @returns its messages without metadata */
function streamOf(bitrate: string, size = '640x360'): Promise<Message[]> {
  const name = `${bitrate}-${size}`
  const stream = streams.get(name) ?? makeStream(join(dir, `${name}.flv`), bitrate, size)
  streams.set(name, stream)
  return stream
}

async function makeStream(file: string, bitrate: string, size: string): Promise<Message[]> {
  const noisy = ['-vf', 'noise=alls=60:allf=t', '-maxrate', bitrate, '-bufsize', bitrate]
  await makeFlv(file, { size, frequency: 440, seconds, bitrate, options: noisy })
  const media = new FlvReader().read(readFileSync(file)).filter(({ type }) => type !== 18)
  // Without the end of the sequence and the sound that would reach into the next round, because it is sent again and again.
  return media.filter(({ type, payload, timestamp }) => (type === 9 ? payload[1] !== 2 : timestamp <= soundMs))
}

/** Sends both pictures again and again, as tracks 0 and 1, by the clock. @returns a function that stops it */
function sendBoth(send: (message: Message) => void, large: readonly Message[], small: readonly Message[]) {
  const isHeader = ({ payload }: Message) => payload[1] === 0
  const began = performance.now()
  let [round, at] = [0, 0]
  const timer = setInterval(() => {
    for (;;) {
      const [one, other] = [large[at], small[at]]
      if (!one || !other) {
        round++
        at = 0
        continue
      }
      const timestamp = one.timestamp + round * seconds * 1000
      if (timestamp > performance.now() - began) return
      if (round === 0 || !isHeader(one)) {
        send({ ...one, timestamp })
        if (other.type === 9) send(inTrack(1, enhanced({ ...other, timestamp })))
      }
      at++
    }
  }, 10)
  onTestFinished(() => clearInterval(timer))
}

async function slow(ladder: LadderChoice | undefined, size?: string) {
  const destinations: DesiredDestination[] = []
  const [made, platform] = await setUp(1, {
    graceMs: 60_000,
    timing: { ...quick, ladderMs: 6_000 },
    admit: async () => ({ projectId: project, destinations }),
  })
  destinations.push({ id: 1, target: targetOf(platform), ...(ladder && { ladder }) })
  const [large, small] = [await streamOf('6000k'), await streamOf('400k', size)]
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  encoder.send(large[0]!, inTrack(1, enhanced(small[0]!)))
  sendBoth((message) => encoder.send(message), large, small)
  await live(made, 1)
  const sample = () => made.samples.at(-1)?.destinations.find(({ id }) => id === 1)
  const pictures = () => platform.arrived.map(({ packet }) => packet).filter(({ kind }) => kind === 'video')
  /** Returns whether the platform has had pictures of a stream. */
  const hasHad = (from: readonly Message[]) => {
    const frames = from.filter(({ type, payload }) => type === 9 && payload[0] === 0x27)
    return pictures().some(({ payload }) => frames.some((frame) => frame.payload.equals(payload)))
  }
  return { made, platform, sample, pictures, hasHad, large, small }
}

/** Media that a platform received, as a file. */
function fileOf(packets: readonly Packet[]): string {
  const file = join(dir, 'arrived.flv')
  const from = packets.find(({ role }) => role !== 'header')?.timestamp ?? 0
  const tags = packets.map((packet) => packet.tagAt(Math.max(0, packet.timestamp - from)))
  writeFileSync(file, Buffer.concat([flvHeader({ audio: true, video: true }), ...tags]))
  return file
}

test.skipIf(!hasPrograms)(
  'a slow platform receives the smaller picture, and the larger one again, over one publication',
  async () => {
    const { made, platform, sample, pictures, hasHad, large, small } = await slow(undefined)
    await until(() => pictures().length > 60)
    platform.stall(true)
    await until(() => (sample()?.drops ?? 0) > 0)
    platform.stall(false)
    await until(() => sample()?.smaller === true && sample()?.state === 'live')
    const reported = made.events.flatMap((event) => (event.type === 'destination' ? [event.report] : []))
    expect(reported.at(-1)).toMatchObject({ id: 1, smaller: true })
    const lowerFrom = pictures().length
    await until(() => pictures().length > lowerFrom + 60)
    // After some seconds without a drop.
    await until(() => sample()?.smaller === undefined)
    const upperFrom = pictures().length
    await until(() => pictures().length > upperFrom + 60)
    expect(platform.connections()).toBe(1)
    expect(platform.publishersMax()).toBe(1)
    expect([hasHad(large), hasHad(small)]).toEqual([true, true])
    expect(await expectDecodes(fileOf(platform.arrived.map(({ packet }) => packet)), dir)).toBeGreaterThan(500)
  },
)

test.skipIf(!hasPrograms)(
  'a channel whose ladder is off keeps its picture, and so does one without another picture of its size',
  async () => {
    for (const [ladder, size] of [
      ['off', undefined],
      ['same_size', '320x180'],
    ] as const) {
      const { platform, sample, pictures, hasHad, small } = await slow(ladder, size)
      await until(() => pictures().length > 60)
      platform.stall(true)
      await until(() => (sample()?.drops ?? 0) > 0)
      platform.stall(false)
      await until(() => sample()?.state === 'live')
      await wait(3_000)
      expect(sample()?.smaller).toBeUndefined()
      expect(hasHad(small)).toBe(false)
      expect(platform.connections()).toBe(1)
    }
  },
)
