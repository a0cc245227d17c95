// What an encoder gets, and what it cannot do.
import { messageType } from './rtmp/message.ts'
import { FromNode } from '#contract/relay/from-node.ts'
import { readMessage } from '#contract/relay/protocol.ts'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openPublisher } from './destinations/publisher.ts'
import { type Amf, encodeAmf } from './rtmp/amf0.ts'
import { writeChunks } from './rtmp/chunks.ts'
import { command } from './rtmp/messages.ts'
import { aacHeader, audio, avcHeader, interframe, keyframe, stream } from './testing/frames.ts'
import type { Encoder } from './testing/encoder.ts'
import { live, onAir, project, type Rig, setUp, targetOf, times, until } from './testing/rig.ts'

test('a wrong key is refused before the encoder hears that it may start, and costs nobody anything', async () => {
  const [made] = await setUp(1)
  const wrong = made.encode('wrong')
  expect(await wrong.outcome).toContain('BadName: No such key')
  expect(made.events).toEqual([])
})

test('the encoder drops and comes back within the grace: same connections, time goes on, never back', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000 })
  const first = await onAir(made)
  await until(() => times(one).length === 50)
  first.destroy()
  await until(() => made.events.some(({ type }) => type === 'source-lost'))
  const second = made.encode()
  expect(await second.outcome).toBe('live')
  second.send(avcHeader(), aacHeader(), ...stream(0, 1))
  await until(() => times(one).length === 100)
  const all = times(one)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(one.connections()).toBe(1)
  expect(made.events.filter(({ type }) => type === 'ended')).toEqual([])
})

test('the encoder stays away: after the grace the broadcast ends and destinations hear goodbye', async () => {
  const [made, one] = await setUp(1, { graceMs: 100 })
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  encoder.end()
  await until(() => made.events.some(({ type }) => type === 'ended'))
  expect(made.report(1)).toMatchObject({ state: 'stopped', reason: null })
  expect(made.relay.live(project)).toBeUndefined()
})

test('a second encoder has to wait while the first one sends, and takes over when it is silent', async () => {
  const [made, one] = await setUp(1)
  const first = await onAir(made)
  expect(await made.encode().outcome).toContain('Another encoder is on air')
  const second = await published(made)
  second.send(avcHeader(), keyframe(0))
  first.send(interframe(5_000))
  await until(() => one.arrived.some(({ packet }) => packet.role === 'key' && packet.timestamp > 2_000))
})

/** An encoder that tries until it is let in. */
async function published(made: Rig): Promise<Encoder> {
  for (;;) {
    const encoder = made.encode()
    if ((await encoder.outcome) === 'live') return encoder
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

test('an encoder that asks and asks and does not read the answers is sent away', async () => {
  const [made] = await setUp(0)
  const socket = connect(made.port, '127.0.0.1')
  const began = Promise.withResolvers<void>()
  const target = { ...targetOf(made), key: 'good' }
  const handlers = { onLive: began.resolve, onClose: () => undefined }
  const publisher = openPublisher(socket, target, handlers, { readyMs: 10_000 })
  await began.promise
  socket.pause()
  // The answer is longer than the question.
  const question = writeChunks(command('connect', 1, { app: 'live' }), 3, 128)
  const questions = Buffer.concat(Array.from({ length: 2_000 }, () => question))
  const timer = setInterval(() => publisher.queued() < 1e6 && socket.write(questions))
  onTestFinished(() => clearInterval(timer))
  const lost = await until(() => made.events.find(({ type }) => type === 'source-lost'))
  expect(lost).toMatchObject({ how: 'protocol' })
})

test('a header that changes in mid-stream reaches everybody', async () => {
  const [made, one] = await setUp(1)
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  encoder.send(avcHeader(1000, 2), keyframe(1000))
  await until(() => times(one).includes(1000))
  expect(one.arrived.filter(({ packet }) => packet.role === 'header' && packet.kind === 'video')).toHaveLength(2)
})

test('metadata that is none, or says what cannot be, ends nothing: the stream goes on, and the service can read of it', async () => {
  const [made, one] = await setUp(1)
  const encoder = await onAir(made)
  const metadata = (facts: Amf) => Buffer.concat([encodeAmf('onMetaData'), encodeAmf(facts)])
  const hostile = [
    Buffer.from('onMetaData\x03\xff\xff'),
    metadata({ width: Number.NaN, height: Number.POSITIVE_INFINITY }),
    metadata({ width: { valueOf: 1 }, encoder: 'x'.repeat(60_000) }),
  ]
  for (const payload of hostile) {
    const seen = made.samples.length
    encoder.send({ type: messageType.data, timestamp: 1_000, streamId: 1, payload })
    await until(() => made.samples.length > seen + 1)
    const told = { type: 'told', seq: 1, event: { type: 'sample', ...made.samples.at(-1) } }
    expect(readMessage(FromNode, JSON.stringify(told))).not.toBeNull()
  }
  encoder.send(keyframe(2_000))
  await until(() => times(one).includes(2_000))
})

test('sound alone is a stream too', async () => {
  const [made, one] = await setUp(1)
  const encoder = made.encode()
  await encoder.outcome
  encoder.send(aacHeader())
  await until(() => one.connections() === 1 && made.report(1)?.state === 'publishing')
  encoder.send(audio(0), audio(20), audio(40))
  expect(await until(() => times(one).length === 3)).toBe(true)
  await live(made, 1)
})

test('whoever connects and does not publish goes again; too many at once are not let in', async () => {
  const [made] = await setUp(0, { pendingMax: 3, readyMs: 3_000 })
  const start = performance.now()
  const gone: number[] = []
  for (let left = 6; left > 0; left--) {
    const socket = connect(made.port, '127.0.0.1').on('error', () => undefined)
    socket.on('close', () => gone.push(performance.now() - start))
    socket.resume()
  }
  await until(() => gone.length === 6)
  // Three had to go before the time of the others was over.
  expect(gone.filter((ms) => ms >= 2_900)).toHaveLength(3)
})

test('bitrate, frames and keyframe distance are measured', async () => {
  const [made] = await setUp(0)
  await onAir(made, 2)
  const sample = await until(() => made.samples.find(({ ingest }) => ingest.gopMs !== null))
  expect(sample.ingest.gopMs).toBe(1000)
  expect(sample.ingest.fps).toBeGreaterThan(0)
  // What came at once may be measured in two of them, which may be longer than a second.
  expect(made.samples.reduce((sum, { ingest }) => sum + ingest.kbps, 0)).toBeGreaterThan(10)
})

test('no key is in anything that the relay tells', async () => {
  const [made, one] = await setUp(1)
  one.fault = 'reject-publish'
  await onAir(made)
  await until(() => made.report(1)?.state === 'rejected')
  expect(JSON.stringify([made.events, made.samples])).not.toContain('secret-key')
})

test('held: connections stay and nothing goes out; it goes on at a keyframe, and time has passed', async () => {
  const [made, one] = await setUp(1)
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  const destinations = [{ id: 1, target: targetOf(one) }]
  made.relay.update(project, { destinations, paused: true })
  const { bytes } = made.relay.totals()
  const held = [...stream(1_000, 1)]
  encoder.send(...held)
  const length = held.reduce((sum, { payload }) => sum + payload.length, 0)
  await until(() => made.relay.totals().bytes >= bytes + length)
  expect(times(one)).toHaveLength(50)
  made.relay.update(project, { destinations })
  encoder.send(interframe(2_000), audio(2_010), keyframe(2_040), audio(2_050))
  await until(() => times(one).length === 52)
  const [key, sound] = one.arrived.slice(-2)
  expect([key?.packet.role, key?.packet.timestamp, sound?.packet.kind]).toEqual(['key', 2_040, 'audio'])
  expect(one.connections()).toBe(1)
})
