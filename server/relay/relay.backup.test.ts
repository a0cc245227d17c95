// A backup encoder beside the main one: real programs that are killed, and hand-made encoders in every order.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { refusal } from './ingest/refusal.ts'
import { openPrograms } from './programs/programs.ts'
import { expectDecodes } from './testing/containers.ts'
import { colorsOf, longest, presented } from './testing/decode.ts'
import { type Encoder, sendEvenly } from './testing/encoder.ts'
import { type FaultyPlatform, faultyPlatform } from './testing/faulty-platform.ts'
import { aacHeader, avcHeader, interframe, keyframe } from './testing/frames.ts'
import { hasPrograms, publish, publishSrt } from './testing/programs.ts'
import { recorder } from './testing/recorder.ts'
import { project, type Rig, rig, setUp, targetOf, times, until } from './testing/rig.ts'
import { slots } from './transcoders/slots.ts'

const run = promisify(execFile)
const silentMs = 1_000

/** Makes ten seconds of one colour with a tone. @returns the FLV file */
async function colored(dir: string, color: string, options: readonly string[]) {
  const file = join(dir, `${color}.flv`)
  const picture = `color=${color}:size=320x180:rate=30:duration=10,format=yuv420p,noise=c0s=40:c0f=t`
  const input = `-v error -y -f lavfi -i ${picture} -f lavfi -i sine=frequency=440:sample_rate=48000:duration=10`
  const codecs = '-c:v libx264 -g 30 -pix_fmt yuv420p -c:a aac'
  await run('ffmpeg', [...`${input} ${codecs}`.split(' '), ...options, '-f', 'flv', file])
  return file
}

const newest = (made: Rig) => made.samples.at(-1)?.ingest
const changes = (made: Rig) => made.events.flatMap(({ type }) => (type.startsWith('source') ? [type] : []))
const beginnings = (made: Rig, count: number) =>
  until(() => changes(made).filter((type) => type === 'source-began').length >= count)
/** Waits until so many pictures of what is on air have arrived: the recording has to show them. */
function shown(made: Rig, pictures: number) {
  const before = made.samples.length
  return until(() => made.samples.slice(before).reduce((sum, { ingest }) => sum + ingest.fps, 0) >= pictures)
}

test.skipIf(!hasPrograms)(
  'a killed main encoder is replaced by the backup, and takes over when it is back, in one publication',
  async () => {
    const { dir, nginx, target } = await recorder()
    const main = await colored(dir, 'red', ['-preset', 'medium', '-bf', '2', '-b_strategy', '0'])
    const backup = await colored(dir, 'blue', ['-preset', 'ultrafast', '-bf', '0'])
    const made = await rig([target], { graceMs: 30_000, silentMs })
    onTestFinished(() => made.close())
    const url = `rtmp://127.0.0.1:${made.port}/live/good`
    const send = (file: string, to: string) => publish(file, to, ['-stream_loop', '-1'])
    const first = send(main, url)
    await until(() => made.report(1)?.state === 'live')
    const second = send(backup, `${url}-backup`)
    await until(() => newest(made)?.backup === 'connected')
    await shown(made, 90)
    expect(changes(made)).toEqual(['source-began'])
    await first.stop('SIGKILL')
    await beginnings(made, 2)
    await until(() => newest(made)?.backup === 'on_air')
    await shown(made, 90)
    const again = send(main, url)
    await beginnings(made, 3)
    await until(() => newest(made)?.backup === 'connected')
    await shown(made, 90)
    expect(changes(made)).toEqual(['source-began', 'source-lost', 'source-began', 'source-began'])
    const began = made.events.flatMap((event) => (event.type === 'source-began' ? [event.isBackup ?? false] : []))
    expect(began).toEqual([false, true, false])
    await Promise.all([again.stop('SIGKILL'), second.stop('SIGKILL')])
    await until(() => newest(made)?.fill === 'frame')
    expect(newest(made)?.backup).toBeUndefined()
    // Two seconds of the last frame.
    const before = made.samples.length
    await until(() => made.samples.length >= before + 2)
    made.relay.stop(project)
    expect(made.report(1)?.reconnects).toBe(0)
    const flv = await nginx.recorded('one')
    expect(nginx.recordings('one')).toHaveLength(1)
    expect(await expectDecodes(flv, dir)).toBeGreaterThan(300)
    const at = (await presented(flv)).toSorted((a, b) => a - b)
    expect(longest(at)).toBeLessThanOrEqual(1_500)
    const { red, blue } = await colorsOf(flv)
    // Blue stands between red and red: nothing of the backup before the loss and after the return.
    const [from = 0, to = 0] = [blue[0], blue.at(-1)]
    expect(to - from).toBeGreaterThan(2)
    expect(red.filter((time) => time > from && time < to)).toEqual([])
    expect(red.some((time) => time < from) && red.some((time) => time > to)).toBe(true)
  },
)

test.skipIf(!hasPrograms)('a stopped main encoder is replaced by a backup that sends by SRT, encrypted', async () => {
  const { dir, nginx, target } = await recorder()
  const main = await colored(dir, 'red', ['-preset', 'ultrafast', '-bf', '0'])
  const backup = await colored(dir, 'blue', ['-preset', 'ultrafast', '-bf', '0'])
  const key = 'a-long-stream-key'
  const programs = openPrograms('ffmpeg')
  onTestFinished(() => programs.close())
  const made = await rig([target], {
    graceMs: 30_000,
    silentMs,
    transcoding: { programs, slots: slots(0) },
    admit: async (request) =>
      request.key === key
        ? { projectId: project, destinations: [{ id: 1, target }] }
        : { refuse: 'No such key', code: refusal.unauthorized },
    keyOf: async ({ number }) => (number === project ? { key } : { refuse: 'No such project' }),
  })
  onTestFinished(() => made.close())
  const srt = await made.relay.listenSrt(0, '127.0.0.1')
  const first = publish(main, `rtmp://127.0.0.1:${made.port}/live/${key}`, ['-stream_loop', '-1'])
  await until(() => made.report(1)?.state === 'live')
  const to = `srt://127.0.0.1:${srt.port}?streamid=project/${project}-backup&passphrase=${key}&pbkeylen=16&latency=2000000`
  const second = publishSrt(backup, to, ['-stream_loop', '-1'])
  await until(() => newest(made)?.backup === 'connected')
  first.child.kill('SIGSTOP')
  await until(() => newest(made)?.backup === 'on_air')
  await shown(made, 60)
  first.child.kill('SIGCONT')
  await until(() => newest(made)?.backup === 'connected')
  await shown(made, 60)
  await Promise.all([first.stop(), second.stop()])
  made.relay.stop(project)
  const flv = await nginx.recorded('one')
  expect(nginx.recordings('one')).toHaveLength(1)
  expect(await expectDecodes(flv, dir)).toBeGreaterThan(100)
  expect((await colorsOf(flv)).blue.length).toBeGreaterThan(30)
})

/** Bitrates of hand-made encoders, and the bytes of their frames at a platform. */
const rates = { main: 400, backup: 800 }
const bytesOf = { main: 1_005, backup: 2_005 }

/** Connects an encoder and sends with its bitrate until it ends. */
async function sending(made: Rig, role: keyof typeof rates, profile = 1): Promise<Encoder> {
  const encoder = made.encode(role === 'main' ? 'good' : 'good-backup')
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(0, profile), aacHeader())
  const stop = sendEvenly(encoder, rates[role])
  onTestFinished(stop)
  void encoder.over.then(stop)
  return { ...encoder, destroy: () => (stop(), encoder.destroy()), end: () => (stop(), encoder.end()) }
}

/** Frames of an encoder at a platform. */
const from = ({ arrived }: FaultyPlatform, role: keyof typeof rates) =>
  arrived.filter(({ packet }) => packet.payload.length === bytesOf[role])
const onAir = (made: Rig) => until(() => newest(made)?.backup === 'on_air')
const beside = (made: Rig) => until(() => newest(made)?.backup === 'connected')

function expectInOrder(one: FaultyPlatform) {
  const all = times(one)
  expect(all.length).toBeGreaterThan(50)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(one.connections()).toBe(1)
}

test('media of the backup does not reach channels while the main encoder sends', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const main = await sending(made, 'main')
  await sending(made, 'backup', 2)
  await beside(made)
  await until(() => from(one, 'main').length > 100)
  expect(from(one, 'backup')).toEqual([])
  main.destroy()
  await until(() => from(one, 'backup').length > 50)
  // The headers that it sent before stand before its first keyframe.
  const first = one.arrived.findIndex(({ packet }) => packet.payload.length === bytesOf.backup)
  expect(one.arrived[first]?.packet.role).toBe('key')
  const before = one.arrived.slice(first - 2, first).map(({ packet }) => packet)
  expect(before.map(({ role }) => role)).toEqual(['header', 'header'])
  expect(before.some(({ payload }) => payload.equals(avcHeader(0, 2).payload))).toBe(true)
  expectInOrder(one)
})

test('refuses a second main encoder and a second backup, and replaces silent ones', async () => {
  const refused: unknown[] = []
  const [made] = await setUp(1, { graceMs: 60_000, silentMs, onRefused: (one) => void refused.push(one) })
  const main = await sending(made, 'main')
  const backup = await sending(made, 'backup')
  expect(await made.encode('good').outcome).toContain('Another encoder is on air')
  expect(await made.encode('good-backup').outcome).toContain('Another backup encoder is connected')
  expect(refused).toMatchObject([{ reason: 'another_encoder' }, { reason: 'another_encoder' }])
  expect(await made.encode('other-backup').outcome).toContain('No such key')
  backup.destroy()
  await until(() => newest(made)?.backup === undefined)
  const quiet = made.encode('good-backup')
  expect(await quiet.outcome).toBe('live')
  await wait(2_100)
  await sending(made, 'backup')
  expect(await quiet.over).toContain('Another encoder took over')
  main.destroy()
  await onAir(made)
})

test('a backup alone goes on air, and the main encoder takes over without a reconnect', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const backup = await sending(made, 'backup')
  await onAir(made)
  await until(() => from(one, 'backup').length > 50)
  expect(changes(made)).toEqual(['source-began'])
  await sending(made, 'main')
  await until(() => from(one, 'main').length > 50)
  await beside(made)
  const count = from(one, 'backup').length
  await until(() => from(one, 'main').length > 150)
  expect(from(one, 'backup')).toHaveLength(count)
  backup.end()
  await until(() => newest(made)?.backup === undefined)
  expect(changes(made)).toEqual(['source-began', 'source-began'])
  expectInOrder(one)
})

test('main encoder and backup reset together: the last frame, then the first of them that is back', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const both = [await sending(made, 'main'), await sending(made, 'backup')]
  await beside(made)
  await until(() => from(one, 'main').length > 50)
  for (const encoder of both) encoder.destroy()
  await until(() => newest(made)?.fill === 'frame')
  expect(changes(made)).toEqual(['source-began', 'source-lost'])
  await sending(made, 'backup')
  await onAir(made)
  await sending(made, 'main')
  await beside(made)
  expect(changes(made).slice(2)).toEqual(['source-began', 'source-began'])
  expectInOrder(one)
})

test('a main encoder that connects and sends nothing does not keep the backup off air', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const main = await sending(made, 'main')
  await sending(made, 'backup')
  await beside(made)
  main.destroy()
  await until(() => changes(made).length >= 2)
  const mute = made.encode()
  await onAir(made)
  await until(() => from(one, 'backup').length > 50)
  mute.send(avcHeader(), keyframe(0, 1_000), interframe(20, 1_000))
  await beginnings(made, 3)
  // It is silent again a second later.
  expect(changes(made).slice(0, 4)).toEqual(['source-began', 'source-lost', 'source-began', 'source-began'])
  expectInOrder(one)
})

test('a broadcast that does not wait continues with the backup', async () => {
  const [made, one] = await setUp(1, { graceMs: 0, silentMs })
  const main = await sending(made, 'main')
  await sending(made, 'backup')
  await beside(made)
  main.destroy()
  await onAir(made)
  expect(changes(made)).not.toContain('ended')
  await until(() => from(one, 'backup').length > 50)
  expectInOrder(one)
})

test('a main encoder that comes and goes a hundred times leaves the backup on air', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  await sending(made, 'main').then((main) => main.destroy())
  await sending(made, 'backup')
  await onAir(made)
  for (let left = 100; left > 0; left--) {
    const main = made.encode()
    expect(await main.outcome).toBe('live')
    main.send(avcHeader(0, left % 9), aacHeader(), keyframe(left, 1_000), interframe(left + 20, 1_000))
    await wait(20)
    main.destroy()
  }
  await onAir(made)
  const count = from(one, 'backup').length
  await until(() => from(one, 'backup').length > count + 100)
  // Six changes between the encoders, and the first beginning.
  expect(changes(made).filter((type) => type === 'source-began').length).toBeLessThanOrEqual(8)
  expectInOrder(one)
})

test('a backup above the bitrate of the tariff is refused for a while, and the main encoder stays on air', async () => {
  const limit = { patienceMs: 1_000, refuseMs: 60_000 }
  const refused: unknown[] = []
  const one = await faultyPlatform()
  const made = await rig([], {
    admit: async () => ({ projectId: project, destinations: [{ id: 1, target: targetOf(one) }], kbpsMax: 500 }),
    bitrate: limit,
    onRefused: (who) => void refused.push(who),
  })
  onTestFinished(async () => {
    await made.close()
    await one.stop()
  })
  await sending(made, 'main')
  const backup = await sending(made, 'backup')
  expect(await backup.over).toContain('above what the tariff allows: 500 kbps')
  expect(await made.encode('good-backup').outcome).toContain('above what the tariff allows: 500 kbps')
  expect(refused).toMatchObject([{ reason: 'bitrate' }])
  const count = from(one, 'main').length
  await until(() => from(one, 'main').length > count + 50)
  expect(made.events.filter(({ type }) => type === 'bitrate')).toEqual([])
  expect(changes(made)).toEqual(['source-began'])
})

test('drain and the end of a broadcast disconnect both encoders', async () => {
  const [made] = await setUp(1, { graceMs: 60_000, silentMs })
  const first = [await sending(made, 'main'), await sending(made, 'backup')]
  await beside(made)
  made.relay.live(project)?.disconnectEncoders('The server is being upgraded. Connect again')
  for (const encoder of first) expect(await encoder.over).toContain('being upgraded')
  expect(changes(made)).toEqual(['source-began', 'source-lost'])
  const second = [await sending(made, 'main'), await sending(made, 'backup')]
  await beside(made)
  made.relay.stop(project, 'The stream key was replaced')
  for (const encoder of second) expect(await encoder.over).toContain('The stream key was replaced')
  expect(made.relay.projects()).toEqual([])
})

test('a poor main encoder gives way to the backup, and takes over when its bitrate is back', async () => {
  const one = await faultyPlatform()
  const quality = { kbps: 300, ms: 2_000, backKbps: 390, backMs: 3_000 }
  const made = await rig([], {
    admit: async () => ({ projectId: project, destinations: [{ id: 1, target: targetOf(one) }], quality }),
    silentMs,
  })
  onTestFinished(async () => {
    await made.close()
    await one.stop()
  })
  const main = made.encode()
  expect(await main.outcome).toBe('live')
  main.send(avcHeader(), aacHeader())
  const stopGood = sendEvenly(main, 600)
  await sending(made, 'backup')
  await beside(made)
  await until(() => from(one, 'backup').length === 0 && one.arrived.length > 100)
  stopGood()
  const stopPoor = sendEvenly(main, 50)
  await onAir(made)
  expect(changes(made)).toEqual(['source-began', 'source-lost', 'source-began'])
  expect(made.events.find(({ type }) => type === 'source-lost')).toMatchObject({ how: 'poor' })
  await until(() => from(one, 'backup').length > 100)
  stopPoor()
  onTestFinished(sendEvenly(main, 600))
  await beside(made)
  expect(changes(made).slice(3)).toEqual(['source-began'])
  expect(one.connections()).toBe(1)
})
