// Channels that choose tracks of one encoder, with real pictures and tones: the size and the frequency at nginx-rtmp.
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { TrackChoice } from '#contract/entities/tracks.ts'
import { FlvReader } from './media/flv.ts'
import type { Message } from './rtmp/message.ts'
import { toneOf } from './testing/decode.ts'
import { enhanced, inTrack, manyTracks } from './testing/enhanced.ts'
import { folder, hasPrograms, makeFlv, platform } from './testing/programs.ts'
import { live, project, rig, setUp, targetOf, until } from './testing/rig.ts'

const run = promisify(execFile)
const seconds = 5

/** Makes a stream of a size with a tone: a keyframe each second. @returns its messages without metadata */
async function streamOf(dir: string, size: string, frequency: number): Promise<Message[]> {
  const file = `${dir}/${size}.flv`
  await makeFlv(file, { size, frequency, seconds, bitrate: '300k' })
  return new FlvReader().read(readFileSync(file)).filter(({ type }) => type !== 18)
}

type Layout = 'one' | 'many' | 'manyCodecs'

/** Joins two streams as tracks 0 and 1. */
const joined = (layout: Layout, first: readonly Message[], second: readonly Message[]): Message[] =>
  first.flatMap((message, at) => {
    const [one, other] = [enhanced(message), enhanced(second[at] ?? message)]
    if (layout === 'one') return [inTrack(0, one), inTrack(1, other)]
    return [{ ...message, payload: manyTracks(layout, [0, one], [1, other]) }]
  })

async function sizeOf(file: string): Promise<string> {
  const shown = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=width,height', '-of', 'csv=p=0']
  return (await run('ffprobe', [...shown, file])).stdout.trim()
}

test.skipIf(!hasPrograms).each(['one', 'many', 'manyCodecs'] as const)(
  'portrait and landscape, each with its sound, from messages of the layout "%s"',
  async (layout) => {
    const dir = folder()
    const nginx = await platform()
    const made = await rig([])
    onTestFinished(async () => {
      await made.close()
      await nginx.stop()
      rmSync(dir, { recursive: true })
    })
    const wide = await streamOf(dir, '320x180', 440)
    const high = await streamOf(dir, '180x320', 880)
    // Both have a message for each other's.
    expect(wide.map(({ type, timestamp }) => [type, timestamp])).toEqual(
      high.map(({ type, timestamp }) => [type, timestamp]),
    )
    const choices: readonly [string, TrackChoice | undefined][] = [
      ['main', undefined],
      ['portrait', { video: 'portrait', audio: '1', missing: 'wait' }],
      ['landscape', { video: 'landscape', audio: 'silent', missing: 'wait' }],
    ]
    const encoder = made.encode()
    expect(await encoder.outcome).toBe('live')
    made.relay.update(project, {
      destinations: choices.map(([key, tracks], id) => ({
        id: id + 1,
        target: { ...targetOf(nginx), app: 'live', key },
        ...(tracks && { tracks }),
      })),
    })
    const began = performance.now()
    for (const message of joined(layout, wide, high)) {
      const early = message.timestamp - (performance.now() - began)
      if (early > 5) await wait(early)
      encoder.send(message)
    }
    await Promise.all([1, 2, 3].map((id) => live(made, id)))
    encoder.end()
    await until(() => made.events.some(({ type }) => type === 'ended'))
    const expected = { main: ['320,180', 440], portrait: ['180,320', 880], landscape: ['320,180', 0] } as const
    for (const [key, [size, tone]] of Object.entries(expected)) {
      const file = await nginx.recorded(key)
      expect({ key, size: await sizeOf(file) }).toEqual({ key, size })
      expect(Math.abs((await toneOf(file)) - tone)).toBeLessThan(20)
      const { stderr } = await run('ffmpeg', ['-v', 'error', '-xerror', '-i', file, '-f', 'null', '-'])
      expect({ key, stderr }).toEqual({ key, stderr: '' })
      expect(nginx.recordings(key)).toHaveLength(1)
    }
  },
)

test('a channel whose track is missing opens no connection, and begins with the keyframe of the track', async () => {
  const [made, one, two] = await setUp(1, { graceMs: 60_000 })
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  const tracks: TrackChoice = { video: '1', audio: 'main', missing: 'wait' }
  made.relay.update(project, {
    destinations: [
      { id: 1, target: targetOf(one) },
      { id: 2, target: targetOf(two), tracks },
    ],
  })
  const video = (type: number, first: number, timestamp: number, fill: number): Message => ({
    type: 9,
    streamId: 1,
    timestamp,
    payload: Buffer.concat([Buffer.from([first, type, 0, 0, 0]), Buffer.alloc(200, fill)]),
  })
  const [header, key, frame] = [video(0, 0x17, 0, 1), video(1, 0x17, 0, 2), video(1, 0x27, 40, 3)]
  encoder.send(header, key, frame)
  await live(made, 1)
  made.relay.retry(project, 2)
  expect(made.report(2)).toMatchObject({ state: 'idle', reason: 'track' })
  expect(two.connections()).toBe(0)
  const late = (message: Message, timestamp: number) => inTrack(1, enhanced({ ...message, timestamp }))
  encoder.send(late(header, 80), late(frame, 80), late(key, 120), late(frame, 160))
  await live(made, 2)
  const media = () => two.arrived.filter(({ packet }) => packet.kind === 'video')
  await until(() => media().length >= 3)
  // In plain framing: the header, the keyframe, a frame.
  expect(media().map(({ packet }) => packet.payload)).toEqual([header.payload, key.payload, frame.payload])
  expect(two.connections()).toBe(1)
})
