// SRT destinations: libsrt receives, over good and lossy lines, and comes and goes.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { SrtTarget, Target } from '#contract/relay/desired-state.ts'
import { openPrograms, type Programs } from './programs/programs.ts'
import { freePort } from './testing/free-port.ts'
import { lossyLine } from './testing/lossy-line.ts'
import { decodeErrors, folder, hasPrograms, probe, publish, sample } from './testing/programs.ts'
import { faultyPlatform } from './testing/faulty-platform.ts'
import { live, onAir, project, rig, type Rig, targetOf, until } from './testing/rig.ts'
import { rawListener, recordSrt, type SrtReceiver } from './testing/srt-receiver.ts'
import { handshakeType, srtMagic } from './srt/handshake.ts'
import { packetBytes, TransportReader } from './srt/transport-packets.ts'
import type { RelayOptions } from './relay.ts'
import { slots } from './transcoders/slots.ts'

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

const secret = 'a-passphrase-of-a-receiver'
const streamId = '#!::r=studio/main,m=publish'

const target = (port: number, change: Partial<SrtTarget> = {}): SrtTarget => ({
  protocol: 'srt',
  host: '127.0.0.1',
  port,
  streamId,
  passphrase: '',
  keyBytes: 16,
  // For retransmissions on a busy machine.
  latencyMs: 2_000,
  ...change,
})

/** Starts a relay with these destinations, and ffmpeg as its program. */
async function sendingTo(targets: readonly Target[], options: Partial<RelayOptions> = {}) {
  const made = await rig(targets, { transcoding: { programs, slots: slots(0) }, graceMs: 60_000, ...options })
  onTestFinished(() => made.close())
  return made
}

function record(port: number, parameters = ''): { readonly file: string; readonly receiver: SrtReceiver } {
  const file = join(dir, `${++files}.ts`)
  const receiver = recordSrt(port, file, parameters)
  onTestFinished(() => receiver.stop('SIGKILL'))
  return { file, receiver }
}

/** For tests in which no media is sent. */
const withFfmpeg = {
  transcoding: {
    programs: {
      ...openPrograms(''),
      ffmpeg: Promise.resolve({ version: 'test', x264: false, x265: false, srt: false }),
    },
    slots: slots(0),
  },
}

/** Recording without its last group, of which the end was on its way. */
function upToLastKeyframe(file: string): Buffer {
  const packets = new TransportReader().read(readFileSync(file))
  const last = packets.findLastIndex(({ isStart }) => isStart)
  return Buffer.concat(packets.slice(0, last).map(({ bytes }) => bytes))
}

/** Bytes of some seconds of the source in MPEG-TS. */
const someSeconds = (count: number) => count * 60_000

test.each([
  ['plain', '', {}],
  ['encrypted with 128 bits', `passphrase=${secret}`, { passphrase: secret }],
  ['encrypted with 256 bits', `passphrase=${secret}`, { passphrase: secret, keyBytes: 32 }],
] as const)('libsrt receives a stream that decodes without an error: %s', async (_, parameters, change) => {
  if (!isHere) return
  const port = await freePort()
  const { file, receiver } = record(port, parameters)
  const made = await sendingTo([target(port, change)])
  const encoder = publish(source, `rtmp://127.0.0.1:${made.port}/live/good`, ['-stream_loop', '-1'])
  onTestFinished(() => encoder.stop('SIGKILL'))
  await live(made, 1)
  await until(() => receiver.size() > someSeconds(4))
  await encoder.stop()
  expect(made.report(1)).toMatchObject({ state: 'live', reconnects: 0, dropped: 0, lacks: '' })
  made.relay.stop(project)
  await receiver.stop()
  const whole = upToLastKeyframe(file)
  expect(whole.length % packetBytes).toBe(0)
  writeFileSync(file, whole)
  const packets = await probe(file)
  const video = packets.filter(({ codec_type }) => codec_type === 'video')
  expect(video[0]?.key).toBe(true)
  const steps = video.slice(1).map(({ dts_time }, index) => dts_time - (video[index]?.dts_time ?? 0))
  expect(Math.max(...steps.slice(0, seconds * 30))).toBeLessThan(0.05)
  expect(packets.some(({ codec_type }) => codec_type === 'audio')).toBe(true)
  expect(await decodeErrors(file)).toBe('')
  expect(JSON.stringify([made.events, made.samples])).not.toMatch(/passphrase-of|studio/)
})

/** Publishes the source over and over. */
function publishLoop(made: Rig) {
  const encoder = publish(source, `rtmp://127.0.0.1:${made.port}/live/good`, ['-stream_loop', '-1'])
  onTestFinished(() => encoder.stop('SIGKILL'))
  return encoder
}

const states = (made: Rig, id: number) =>
  made.events.flatMap((event) => (event.type === 'destination' && event.report.id === id ? [event.report] : []))

/**
 * Notes that a destination is live: the relay may have called before its receiver listened.
 * @returns a function that waits until it is lost, and returns the report
 */
function losses(made: Rig, id: number) {
  const before = states(made, id).length
  return () =>
    until(() =>
      states(made, id)
        .slice(before)
        .find(({ state }) => state === 'backoff'),
    )
}

test('a stream arrives whole over a line that loses 2 %, beside an RTMP channel that is not affected', async () => {
  if (!isHere) return
  const port = await freePort()
  const { file, receiver } = record(port, `passphrase=${secret}`)
  const line = await lossyLine(port, 2)
  onTestFinished(() => line.close())
  const platform = await faultyPlatform()
  onTestFinished(() => platform.stop())
  const made = await sendingTo([target(line.port, { passphrase: secret }), targetOf(platform)])
  const encoder = publishLoop(made)
  await live(made, 1)
  await until(() => receiver.size() > someSeconds(5))
  await encoder.stop()
  expect(line.counts().lost).toBeGreaterThan(10)
  expect(made.report(1)).toMatchObject({ state: 'live', reconnects: 0, drops: 0 })
  expect(made.report(2)).toMatchObject({ state: 'live', reconnects: 0, dropped: 0 })
  await receiver.stop()
  writeFileSync(file, upToLastKeyframe(file))
  expect(await decodeErrors(file)).toBe('')
})

test('another passphrase is refused with its code, and only a person can resolve it', async () => {
  if (!isHere) return
  const port = await freePort()
  record(port, `passphrase=${secret}`)
  const made = await sendingTo([target(port, { passphrase: 'another-passphrase' }), target(port, { passphrase: '' })])
  publishLoop(made)
  for (const id of [1, 2]) await until(() => made.report(id)?.state === 'rejected')
  expect([1, 2].map((id) => made.report(id))).toMatchObject([
    { reason: 'publish-rejected', words: 'SRT 1010' },
    { reason: 'publish-rejected', words: 'SRT 1011' },
  ])
  expect(JSON.stringify([made.events, made.samples])).not.toContain('another-passphrase')
})

test('returns to a receiver that was killed and started again', async () => {
  if (!isHere) return
  const port = await freePort()
  const first = record(port)
  const made = await sendingTo([target(port)])
  publishLoop(made)
  await live(made, 1)
  await until(() => first.receiver.size() > someSeconds(1))
  const lost = losses(made, 1)
  await first.receiver.stop('SIGKILL')
  expect(await lost()).toMatchObject({ reason: 'stalled', reconnects: 1 })
  const second = record(port)
  await until(() => made.report(1)?.state === 'live')
  await until(() => second.receiver.size() > someSeconds(1))
  // It begins where a decoder can.
  const packets = await probe(second.file)
  expect(packets.find(({ codec_type }) => codec_type === 'video')?.key).toBe(true)
})

test('a receiver that ends its connection is tried again; one that never answers times out', async () => {
  if (!isHere) return
  const [ending, silent] = [await freePort(), await rawListener(() => null)]
  onTestFinished(() => silent.close())
  const { receiver } = record(ending)
  const made = await sendingTo([target(ending), target(silent.port)])
  publishLoop(made)
  await live(made, 1)
  const lost = losses(made, 1)
  await until(() => made.report(2)?.state === 'backoff')
  expect(states(made, 2).find(({ state }) => state === 'backoff')).toMatchObject({ reason: 'timeout', words: null })
  await receiver.stop('SIGINT')
  expect((await lost()).reason).toBeOneOf(['ended', 'stalled'])
})

test('refusals of a listener: some only a person can resolve, others are tried again', async () => {
  const codes = [1401, 1403, 1404, 1402, 1503, 1002]
  const listeners = await Promise.all(
    codes.map((code) =>
      rawListener((received) =>
        received.type === handshakeType.induction
          ? { ...received, version: 5, extension: srtMagic, cookie: 7, extensions: [] }
          : { ...received, type: code, extensions: [] },
      ),
    ),
  )
  onTestFinished(async () => void (await Promise.all(listeners.map((one) => one.close()))))
  const made = await sendingTo(
    listeners.map(({ port }) => target(port)),
    withFfmpeg,
  )
  await onAir(made)
  await until(() => codes.every((_, index) => (made.report(index + 1)?.attempt ?? 0) > 0))
  const first = codes.map((_, index) => states(made, index + 1).find(({ attempt }) => attempt === 1))
  const rejected = { state: 'rejected', reason: 'publish-rejected' }
  const refused = { state: 'backoff', reason: 'refused' }
  expect(first).toMatchObject([rejected, rejected, rejected, refused, refused, refused])
  expect(first.map((report) => report?.words)).toEqual(codes.map((code) => `SRT ${code}`))
})

test('says that ffmpeg is missing, that a private address is forbidden, and that a name is unknown', async () => {
  const without = await sendingTo([target(9)], { transcoding: { programs: openPrograms(''), slots: slots(0) } })
  await onAir(without)
  await until(() => without.report(1)?.state === 'rejected')
  expect(without.report(1)).toMatchObject({ reason: 'ffmpeg' })
  const forbidden = await sendingTo([target(9), target(9, { host: 'no-such-name.invalid' })], {
    ...withFfmpeg,
    dial: { allowPrivateDestinations: false },
  })
  await onAir(forbidden)
  await until(() => forbidden.report(1)?.state === 'rejected')
  expect(forbidden.report(1)).toMatchObject({ reason: 'forbidden' })
  await until(() => (forbidden.report(2)?.attempt ?? 0) > 0)
  expect(forbidden.report(2)?.reason).toBeOneOf(['dns', 'timeout'])
})

test('a destination that ends leaves no socket, and one that is opening neither', async () => {
  const silent = await rawListener(() => null)
  onTestFinished(() => silent.close())
  const made = await sendingTo([target(silent.port)], withFfmpeg)
  const encoder = await onAir(made)
  await until(() => silent.handshakes.length > 0)
  made.relay.update(project, { destinations: [] })
  await until(() => made.report(1)?.state === 'stopped')
  const before = silent.handshakes.length
  // Three repetitions of the handshake.
  await new Promise((resolve) => setTimeout(resolve, 800))
  expect(silent.handshakes.length).toBeLessThanOrEqual(before + 1)
  encoder.destroy()
})
