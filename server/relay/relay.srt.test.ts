// SRT with a real ffmpeg as encoder and as player, and over a line that loses packets.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { flvHeader } from './media/flv.ts'
import { openPrograms, type Programs } from './programs/programs.ts'
import { bondedSender } from './testing/bonded-sender.ts'
import type { FaultyPlatform } from './testing/faulty-platform.ts'
import { lossyLine } from './testing/lossy-line.ts'
import { decodeErrors, type Encoder, folder, hasPrograms, probe, publishSrt, sample } from './testing/programs.ts'
import { live, onAir, project, setUp, targetOf, until } from './testing/rig.ts'
import { slots } from './transcoders/slots.ts'

const run = promisify(execFile)
const dir = folder()
const seconds = 4
let source: string
let programs: Programs
let isHere = false
let files = 0

beforeAll(async () => {
  programs = openPrograms('ffmpeg')
  isHere = hasPrograms && (await programs.ffmpeg)?.srt === true
  if (isHere) source = await sample(dir, seconds)
})
afterAll(async () => {
  await programs.close()
  rmSync(dir, { recursive: true, force: true })
})

const pullKey = 3
const admitPlayer = async ({ key, transport }: { readonly key: string; readonly transport: string }) =>
  key === 'pull-key' && transport === 'srt' ? { projectId: project, keyId: pullKey } : { refuse: 'Not known' }

/** Relay with one destination that accepts SRT. */
async function listening(
  options: { readonly programs?: Programs; readonly lossy?: number; readonly paths?: number } = {},
) {
  const [made, platform] = await setUp(1, {
    admitPlayer,
    // Above the start time of a program on a busy machine.
    graceMs: 60_000,
    transcoding: { programs: options.programs ?? programs, slots: slots(0) },
  })
  const { port: own } = await made.relay.listenSrt(0, '127.0.0.1')
  const line = options.lossy === undefined ? null : await lossyLine(own, options.lossy)
  if (line) onTestFinished(() => line.close())
  const lines = await Promise.all(Array.from({ length: options.paths ?? 0 }, () => lossyLine(own, 1)))
  for (const one of lines) onTestFinished(() => one.close())
  const [first, ...others] = lines.map((one) => one.port)
  const bonded = first === undefined ? null : await bondedSender([first, ...others])
  if (bonded) onTestFinished(() => bonded.close())
  const port = bonded?.port ?? line?.port ?? own
  // Latency of seconds for retransmissions, because the test machine may be busy.
  const address = (streamId: string, latencyMs: number) =>
    `srt://127.0.0.1:${port}?streamid=${encodeURIComponent(streamId)}&latency=${latencyMs}000`
  const encode = (streamId: string, ...more: readonly string[]): Encoder => {
    const encoder = publishSrt(source, address(streamId, 6_000), more)
    onTestFinished(() => encoder.stop('SIGKILL'))
    return encoder
  }
  const play = async (streamId: string, forSeconds: number) => {
    const file = join(dir, `${++files}.ts`)
    const args = [
      '-v',
      'error',
      '-y',
      '-analyzeduration',
      '1M',
      '-i',
      address(streamId, 4_000),
      '-t',
      String(forSeconds),
      '-c',
      'copy',
      file,
    ]
    await run('ffmpeg', args, { timeout: 100_000 })
    return file
  }
  return { made, platform, line, bonded, encode, play }
}

/** Writes the first received video frames and the audio between them to a file. */
function fileOf(platform: FaultyPlatform, count: number): string {
  const file = join(dir, 'arrived.flv')
  const end = platform.arrived.indexOf(pictures(platform)[count] ?? platform.arrived[0]!)
  const tags = platform.arrived.slice(0, end).map(({ packet }) => packet.tag())
  writeFileSync(file, Buffer.concat([flvHeader({ audio: true, video: true }), ...tags]))
  return file
}

const pictures = ({ arrived }: FaultyPlatform) =>
  arrived.filter(({ packet }) => packet.kind === 'video' && packet.role !== 'header')

/** SRT processes of this process: pid and arguments. */
const children = (): { readonly pid: number; readonly args: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(process.pid)
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return isOurs && args.includes('mpegts') && args.includes('pipe:') ? [{ pid: Number(pid), args }] : []
      } catch {
        return []
      }
    })

test('receives an encoder that publishes with 5 % packet loss', async () => {
  if (!isHere) return
  const { made, platform, line, encode } = await listening({ lossy: 5 })
  const encoder = encode('good', '-stream_loop', '1')
  await live(made, 1)
  expect(children().length).toBeGreaterThan(0)
  expect(children().every(({ args }) => !args.includes('good'))).toBe(true)
  expect(await encoder.done()).toMatchObject({ code: 0 })
  await until(() => made.events.some((event) => event.type === 'source-lost'))
  // The shutdown may be lost too.
  const ending = made.events.find((event) => event.type === 'source-lost')
  expect(['unpublish', 'timeout']).toContain(ending?.how)
  expect(made.events.find((event) => event.type === 'source-began')).toMatchObject({
    encoder: expect.stringMatching(/^SRT \d/),
    address: '127.0.0.1',
  })
  expect(line?.counts().lost).toBeGreaterThan(10)
  // Packets lost just before the shutdown are not retransmitted: the first seconds must be complete.
  const file = fileOf(platform, seconds * 30 - 10)
  const packets = await probe(file)
  const video = packets.filter(({ codec_type }) => codec_type === 'video')
  expect(video[0]?.key).toBe(true)
  // No frame is missing in between.
  const steps = video.slice(1).map(({ dts_time }, index) => dts_time - (video[index]?.dts_time ?? 0))
  expect(Math.max(...steps)).toBeLessThan(0.05)
  expect(video).toHaveLength(seconds * 30 - 10)
  const audio = packets.filter(({ codec_type }) => codec_type === 'audio')
  expect(audio.length).toBeGreaterThan((seconds - 1) * 40)
  expect(await decodeErrors(file)).toBe('')
  expect(JSON.stringify([made.events, made.samples])).not.toContain('good')
  await until(() => children().length === 0)
})

test('receives a bonded encoder by three lossy paths, one of which ends', async () => {
  if (!isHere) return
  const { made, platform, bonded, encode } = await listening({ paths: 3 })
  const encoder = encode('good', '-stream_loop', '1')
  await live(made, 1)
  const link = () => made.samples.at(-1)?.ingest.link
  await until(() => (link()?.paths?.length ?? 0) === 3 && link()?.paths?.every(({ packets }) => packets > 100))
  bonded?.cut(1)
  expect(await encoder.done()).toMatchObject({ code: 0 })
  await until(() => made.events.some((event) => event.type === 'source-lost'))
  expect(Math.min(...(bonded?.acknowledged() ?? [0]))).toBeGreaterThan(90)
  const file = fileOf(platform, seconds * 30 * 2 - 15)
  const video = (await probe(file)).filter(({ codec_type }) => codec_type === 'video')
  const steps = video.slice(1).map(({ dts_time }, index) => dts_time - (video[index]?.dts_time ?? 0))
  expect(Math.max(...steps)).toBeLessThan(0.05)
  expect(await decodeErrors(file)).toBe('')
  // Ours are one request for each lost packet, not for each that another path overtook.
  const { lost = 0 } = made.samples.findLast(({ ingest }) => ingest.link)?.ingest.link ?? {}
  const packets = (bonded?.acknowledged() ?? []).reduce((sum, named) => sum + named, 0)
  expect(lost).toBeLessThan(packets * 0.05)
})

test('refuses a wrong key, and every key without ffmpeg', async () => {
  if (!isHere) return
  const { made, encode } = await listening()
  const wrong = await encode('wrong').done()
  expect(wrong.code).not.toBe(0)
  expect(made.events).toEqual([])
  const without = openPrograms('')
  const other = await listening({ programs: without })
  expect((await other.encode('good').done()).code).not.toBe(0)
  expect(other.made.events).toEqual([])
})

test('replaces a disconnected encoder; a crash of ffmpeg disconnects no destination', async () => {
  if (!isHere) return
  const { made, platform, encode } = await listening()
  const first = encode('#!::r=good,m=publish', '-stream_loop', '-1')
  await live(made, 1)
  await until(() => pictures(platform).length > 30)
  // Another encoder must wait while the first one sends.
  expect((await encode('good').done()).code).not.toBe(0)
  const [child] = children()
  if (child) process.kill(child.pid, 'SIGKILL')
  const before = pictures(platform).length
  await until(() => pictures(platform).length > before + 20)
  const keys = pictures(platform).slice(before)
  expect(keys.some(({ packet }) => packet.role === 'key')).toBe(true)
  await first.stop('SIGKILL')
  await until(() => made.relay.live(project)?.busy() === false)
  const stopped = pictures(platform).length
  const second = encode('good', '-stream_loop', '-1')
  await until(() => pictures(platform).length > stopped + 10)
  expect(made.report(1)).toMatchObject({ state: 'live', reconnects: 0 })
  expect(made.events.filter(({ type }) => type === 'ended')).toEqual([])
  await second.stop()
  await until(() => made.events.findLast((event) => event.type === 'source-lost')?.how === 'unpublish')
  const times = pictures(platform).map(({ packet }) => packet.timestamp)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('starts a player at a keyframe, also with packet loss; one ffmpeg serves several players', async () => {
  if (!isHere) return
  const { made, platform, encode, play } = await listening({ lossy: 3 })
  encode('good', '-stream_loop', '-1')
  await until(() => pictures(platform).length > 30)
  const playing = [play('pull/pull-key', 2), play('#!::r=pull-key,m=request', 2)]
  await until(() => made.samples.at(-1)?.pulls[0]?.kbps)
  expect(children()).toHaveLength(2)
  expect(children().every(({ args }) => !args.includes('pull-key'))).toBe(true)
  for (const file of await Promise.all(playing)) {
    const packets = await probe(file)
    const video = packets.filter(({ codec_type }) => codec_type === 'video')
    expect(video[0]?.key).toBe(true)
    expect(video.length).toBeGreaterThan(45)
    expect(packets.some(({ codec_type }) => codec_type === 'audio')).toBe(true)
    expect(await decodeErrors(file)).toBe('')
  }
  // A removed key disconnects its own players only.
  const last = play('pull/pull-key', 30).catch(() => undefined)
  await until(() => made.samples.at(-1)?.pulls[0]?.viewers === 1)
  made.relay.update(project, { destinations: [{ id: 1, target: targetOf(platform) }], pullKeys: [] })
  await last
  await until(() => made.samples.at(-1)?.pulls.length === 0)
  expect(made.report(1)).toMatchObject({ state: 'live', reconnects: 0 })
})

test('refuses a player with a wrong key, or of a project that is off air', async () => {
  if (!isHere) return
  const { made, play } = await listening()
  await expect(play('pull/pull-key', 1)).rejects.toThrow('ffmpeg')
  await onAir(made)
  await expect(play('pull/wrong', 1)).rejects.toThrow('ffmpeg')
  expect(made.relay.live(project)?.pulls.watch(Date.now())).toEqual([])
})
