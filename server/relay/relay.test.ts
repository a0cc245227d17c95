// What a streamer gets when platforms, networks and encoders misbehave: nobody else notices, and it comes back by itself.
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Target } from './destinations/publisher.ts'
import { faultyPlatform, type FaultyPlatform } from './testing/faulty-platform.ts'
import { aacHeader, audio, avcHeader, interframe, keyframe, stream } from './testing/frames.ts'
import { type Encoder, project, rig, type Rig, until } from './testing/rig.ts'

const open: { close(): Promise<void> }[] = []
const platforms: FaultyPlatform[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
  await Promise.all(platforms.splice(0).map((one) => one.stop()))
})

async function setUp(count: number, options?: Parameters<typeof rig>[1]) {
  const some = await Promise.all(Array.from({ length: count }, faultyPlatform))
  platforms.push(...some)
  const made = await rig(some.map(targetOf), options)
  open.push(made)
  return { rig: made, platforms: some }
}
const targetOf = ({ port }: { readonly port: number }): Target => ({
  protocol: 'rtmp',
  host: '127.0.0.1',
  port,
  app: 'live2',
  key: 'secret-key',
})

/** An encoder on air that sends a second of stream at once. */
async function onAir(made: Rig, seconds = 1): Promise<Encoder> {
  const encoder = made.encode()
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(), aacHeader(), ...stream(0, seconds))
  return encoder
}
const live = (made: Rig, id: number) => until(() => made.report(id)?.state === 'live')
const times = ({ arrived }: FaultyPlatform) =>
  arrived.filter(({ packet }) => packet.role !== 'header').map(({ packet }) => packet.timestamp)

test('every destination gets every frame, headers and a keyframe first', async () => {
  const { rig: made, platforms: some } = await setUp(3)
  await onAir(made)
  for (const one of some) {
    await until(() => times(one).length === 50)
    const roles = one.arrived.map(({ packet }) => `${packet.kind} ${packet.role}`)
    expect(roles.slice(0, 3)).toEqual(['video header', 'audio header', 'video key'])
    expect(times(one)).toEqual([...stream(0, 1)].map(({ timestamp }) => timestamp))
  }
})

test('a wrong key is refused before the encoder hears that it may start, and costs nobody anything', async () => {
  const { rig: made } = await setUp(1)
  const wrong = made.encode('wrong')
  expect(await wrong.outcome).toContain('BadName: No such key')
  expect(made.events).toEqual([])
})

test('a destination that joins late begins with headers and the last keyframe', async () => {
  const {
    rig: made,
    platforms: [first],
  } = await setUp(1)
  const late = await faultyPlatform()
  platforms.push(late)
  const encoder = await onAir(made)
  await until(() => times(first!).length === 50)
  encoder.send(...stream(1000, 1))
  await until(() => times(first!).length === 100)
  made.relay.wish(
    project,
    [first!, late].map((one, index) => ({ id: index + 1, target: targetOf(one) })),
  )
  await until(() => times(late).length === 50)
  expect(late.arrived[0]?.packet.role).toBe('header')
  expect(late.arrived[2]?.packet).toMatchObject({ role: 'key', timestamp: 1000 })
})

test('one is cut in mid-stream: it comes back on a keyframe with headers, and the other never notices', async () => {
  const {
    rig: made,
    platforms: [cut, other],
  } = await setUp(2)
  const encoder = await onAir(made)
  await until(() => times(cut!).length === 50)
  cut!.cut('reset')
  await until(() => made.report(1)?.state === 'backoff')
  expect(made.report(1)).toMatchObject({ reason: 'socket', attempt: 1, reconnects: 1 })
  encoder.send(...stream(1000, 1))
  await live(made, 1)
  encoder.send(...stream(2000, 1))
  await until(() => times(other!).length === 150)
  await until(() => times(cut!).at(-1) === 2980)
  const again = cut!.arrived.filter(({ connection }) => connection === cut!.arrived.at(-1)?.connection)
  expect(again.slice(0, 3).map(({ packet }) => packet.role)).toEqual(['header', 'header', 'key'])
  expect(other!.arrived.every(({ connection }) => connection === 1)).toBe(true)
})

test('a platform that is away is tried again, and live soon after it is back', async () => {
  const {
    rig: made,
    platforms: [away],
  } = await setUp(1)
  await away!.down()
  const encoder = await onAir(made)
  await until(() => (made.report(1)?.attempt ?? 0) >= 3)
  expect(made.report(1)).toMatchObject({ reason: 'refused' })
  await away!.up()
  await live(made, 1)
  encoder.send(keyframe(3000))
  await until(() => times(away!).includes(3000))
})

test('one stops reading: it drops whole groups, is found out, and the other gets every frame', async () => {
  const {
    rig: made,
    platforms: [dead, other],
  } = await setUp(2)
  const encoder = await onAir(made)
  await until(() => times(other!).length === 50)
  await live(made, 1)
  dead!.stall(true)
  // More than the kernel's buffers and the queue hold.
  let frames = 0
  for (let at = 1000; at < 31_000; at += 100) {
    encoder.send(at % 1000 === 0 ? keyframe(at, 60_000) : interframe(at, 60_000))
    frames++
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await until(() => times(other!).length === 50 + frames)
  await until(() => made.report(1)?.reason === 'stalled')
  expect(made.report(1)?.dropped).toBeGreaterThan(0)
  expect(made.report(2)).toMatchObject({ state: 'live', dropped: 0, reconnects: 0 })
}, 30_000)

test.each([
  ['says no to the key', 'reject-publish', 'publish-rejected'],
  ['says no to the application', 'reject-connect', 'connect-rejected'],
] as const)('a platform that %s is left alone until somebody says otherwise', async (_, fault, reason) => {
  const {
    rig: made,
    platforms: [strict],
  } = await setUp(1)
  strict!.fault = fault
  await onAir(made)
  await until(() => made.report(1)?.state === 'rejected')
  expect(made.report(1)).toMatchObject({ reason })
  expect(made.report(1)?.words).toMatch(/Unknown key|No such application/)
  strict!.fault = 'none'
  made.relay.retry(project, 1)
  await live(made, 1)
})

test.each([
  ['says nothing', 'mute', 'timeout'],
  ['speaks something else', 'gibberish', 'protocol'],
] as const)('a platform that %s is given up in time, and tried again', async (_, fault, reason) => {
  const {
    rig: made,
    platforms: [odd],
  } = await setUp(1)
  odd!.fault = fault
  await onAir(made)
  await until(() => made.report(1)?.state === 'backoff')
  expect(made.report(1)?.reason).toBe(reason)
  odd!.fault = 'none'
  await live(made, 1)
})

test('a platform that numbers its streams otherwise gets them with its number', async () => {
  const {
    rig: made,
    platforms: [odd],
  } = await setUp(1)
  odd!.fault = 'other-stream'
  await onAir(made)
  await until(() => times(odd!).length === 50)
})

test('the encoder drops and comes back within the grace: same connections, time goes on, never back', async () => {
  const {
    rig: made,
    platforms: [one],
  } = await setUp(1)
  const first = await onAir(made)
  await until(() => times(one!).length === 50)
  first.destroy()
  await until(() => made.events.some(({ type }) => type === 'source-lost'))
  const second = made.encode()
  expect(await second.outcome).toBe('live')
  second.send(avcHeader(), aacHeader(), ...stream(0, 1))
  await until(() => times(one!).length === 100)
  const all = times(one!)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(one!.connections()).toBe(1)
  expect(made.events.filter(({ type }) => type === 'ended')).toEqual([])
})

test('the encoder stays away: after the grace the broadcast ends and destinations hear goodbye', async () => {
  const {
    rig: made,
    platforms: [one],
  } = await setUp(1, { graceMs: 100 })
  const encoder = await onAir(made)
  await until(() => times(one!).length === 50)
  encoder.end()
  await until(() => made.events.some(({ type }) => type === 'ended'))
  expect(made.report(1)).toMatchObject({ state: 'stopped', reason: null })
  expect(made.relay.live(project)).toBeUndefined()
})

test('a second encoder has to wait while the first one sends, and takes over when it is silent', async () => {
  const {
    rig: made,
    platforms: [one],
  } = await setUp(1)
  const first = await onAir(made)
  expect(await made.encode().outcome).toContain('Another encoder is on air')
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  const second = made.encode()
  expect(await second.outcome).toBe('live')
  second.send(avcHeader(), keyframe(0))
  first.send(interframe(5_000))
  await until(() => one!.arrived.some(({ packet }) => packet.role === 'key' && packet.timestamp > 2_000))
})

test('a header that changes in mid-stream reaches everybody', async () => {
  const {
    rig: made,
    platforms: [one],
  } = await setUp(1)
  const encoder = await onAir(made)
  await until(() => times(one!).length === 50)
  encoder.send(avcHeader(1000, 2), keyframe(1000))
  await until(() => times(one!).includes(1000))
  expect(one!.arrived.filter(({ packet }) => packet.role === 'header' && packet.kind === 'video')).toHaveLength(2)
})

test('sound alone is a stream too', async () => {
  const {
    rig: made,
    platforms: [one],
  } = await setUp(1)
  const encoder = made.encode()
  await encoder.outcome
  encoder.send(aacHeader())
  await live(made, 1)
  encoder.send(audio(0), audio(20), audio(40))
  await until(() => times(one!).length === 3)
})

test('destinations are switched off and on while the others run', async () => {
  const {
    rig: made,
    platforms: [first, second],
  } = await setUp(2)
  const encoder = await onAir(made)
  await until(() => times(second!).length === 50)
  made.relay.wish(project, [{ id: 1, target: targetOf(first!) }])
  await until(() => made.report(2)?.state === 'stopped')
  encoder.send(...stream(1000, 1))
  await until(() => times(first!).length === 100)
  expect(times(second!).length).toBe(50)
  expect(first!.connections()).toBe(1)
})

test('whoever connects and does not publish goes again; too many at once are not let in', async () => {
  const { rig: made } = await setUp(0, { strangersMax: 3 })
  const closed = Array.from({ length: 6 }, () => {
    const socket = connect(made.port, '127.0.0.1')
    return new Promise<number>((resolve) =>
      socket.on('close', () => resolve(performance.now())).on('error', () => undefined),
    )
  })
  const start = performance.now()
  const after = (await Promise.all(closed)).map((at) => at - start)
  expect(after.filter((ms) => ms < 500)).toHaveLength(3)
  expect(after.filter((ms) => ms >= 500)).toHaveLength(3)
})

test('bitrate, frames and keyframe distance are measured', async () => {
  const { rig: made } = await setUp(0)
  await onAir(made, 2)
  const sample = await until(() => made.samples.find(({ ingest }) => ingest.fps > 0))
  expect(sample.ingest.gopMs).toBe(1000)
  expect(sample.ingest.kbps).toBeGreaterThan(50)
})

test('no key is in anything that the relay tells', async () => {
  const {
    rig: made,
    platforms: [one],
  } = await setUp(1)
  one!.fault = 'reject-publish'
  await onAir(made)
  await until(() => made.report(1)?.state === 'rejected')
  expect(JSON.stringify([made.events, made.samples])).not.toContain('secret-key')
})
