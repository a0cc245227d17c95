// Encoders: admission, reconnects, takeover and limits.
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

test('refuses a wrong key before Publish.Start and affects no other connection', async () => {
  const [made] = await setUp(1)
  const wrong = made.encode('wrong')
  expect(await wrong.outcome).toContain('BadName: No such key')
  expect(made.events).toEqual([])
})

test('keeps connections and monotonic time when the encoder reconnects within the grace period', async () => {
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

test('ends the broadcast and unpublishes after the grace period', async () => {
  const [made, one] = await setUp(1, { graceMs: 100 })
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  encoder.end()
  await until(() => made.events.some(({ type }) => type === 'ended'))
  expect(made.report(1)).toMatchObject({ state: 'stopped', reason: null })
  expect(made.relay.live(project)).toBeUndefined()
})

/** Wait after a loss, and after an end by the encoder, milliseconds. */
const waits = (waitMs: number, holdMs: number): NonNullable<Parameters<typeof setUp>[1]> => ({
  admit: () => Promise.resolve({ projectId: project, destinations: [], waitMs, holdMs }),
})

test('ends the broadcast with the stream where no hold is wanted, and waits for a lost encoder', async () => {
  const [made] = await setUp(0, waits(60_000, 0))
  const lost = await onAir(made)
  lost.destroy()
  await until(() => made.events.some(({ type }) => type === 'source-lost'))
  expect(made.relay.live(project)).toBeDefined()
  const back = await onAir(made)
  back.end()
  await until(() => made.events.some(({ type }) => type === 'ended'))
  const ends = made.events.flatMap((event) => (event.type === 'source-lost' ? [event.how] : []))
  expect(ends).toEqual(['ended', 'unpublish'])
})

test('ends the broadcast of an encoder that closes its socket before the relay has read all', async () => {
  const [made] = await setUp(0, waits(60_000, 0))
  const socket = connect(made.port, '127.0.0.1').on('error', () => undefined)
  const began = Promise.withResolvers<void>()
  const handlers = { onLive: began.resolve, onClose: () => undefined }
  openPublisher(socket, { ...targetOf(made), key: 'good' }, handlers, { readyMs: 10_000 })
  await began.promise
  const answered = new Promise((resolve) => void socket.once('data', resolve))
  socket.write(writeChunks(command('FCUnpublish', 7, null, ['good']), 3, 128))
  await answered
  socket.resetAndDestroy()
  await until(() => made.events.some(({ type }) => type === 'ended'))
  expect(made.events.find(({ type }) => type === 'source-lost')).toMatchObject({ how: 'unpublish' })
})

test('holds a broadcast whose stream the encoder ended where a hold is wanted', async () => {
  const [made] = await setUp(0, waits(0, 60_000))
  const encoder = await onAir(made)
  encoder.end()
  await until(() => made.events.some(({ type }) => type === 'source-lost'))
  const again = await onAir(made)
  expect(made.events.some(({ type }) => type === 'ended')).toBe(false)
  again.destroy()
  await until(() => made.events.some(({ type }) => type === 'ended'))
})

test('refuses a second encoder while the first one sends, and accepts it when the first one is silent', async () => {
  const [made, one] = await setUp(1)
  const first = await onAir(made)
  expect(await made.encode().outcome).toContain('Another encoder is on air')
  const second = await published(made)
  second.send(avcHeader(), keyframe(0))
  first.send(interframe(5_000))
  await until(() => one.arrived.some(({ packet }) => packet.role === 'key' && packet.timestamp > 2_000))
})

/** Publishes repeatedly until the relay accepts. */
async function published(made: Rig): Promise<Encoder> {
  for (;;) {
    const encoder = made.encode()
    if ((await encoder.outcome) === 'live') return encoder
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

test('disconnects an encoder that sends requests and does not read the responses', async () => {
  const [made] = await setUp(0)
  const socket = connect(made.port, '127.0.0.1')
  const began = Promise.withResolvers<void>()
  const target = { ...targetOf(made), key: 'good' }
  const handlers = { onLive: began.resolve, onClose: () => undefined }
  const publisher = openPublisher(socket, target, handlers, { readyMs: 10_000 })
  await began.promise
  socket.pause()
  // The response is longer than the request.
  const question = writeChunks(command('connect', 1, { app: 'live' }), 3, 128)
  const questions = Buffer.concat(Array.from({ length: 2_000 }, () => question))
  const timer = setInterval(() => publisher.queued() < 1e6 && socket.write(questions))
  onTestFinished(() => clearInterval(timer))
  const lost = await until(() => made.events.find(({ type }) => type === 'source-lost'))
  expect(lost).toMatchObject({ how: 'protocol' })
})

test('forwards a header that changes during the stream to every receiver', async () => {
  const [made, one] = await setUp(1)
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  encoder.send(avcHeader(1000, 2), keyframe(1000))
  await until(() => times(one).includes(1000))
  expect(one.arrived.filter(({ packet }) => packet.role === 'header' && packet.kind === 'video')).toHaveLength(2)
})

test('continues the stream after invalid metadata, and reports values that the service can read', async () => {
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
    const reported = { type: 'event', seq: 1, event: { type: 'sample', ...made.samples.at(-1) } }
    expect(readMessage(FromNode, JSON.stringify(reported))).not.toBeNull()
  }
  encoder.send(keyframe(2_000))
  await until(() => times(one).includes(2_000))
})

test('accepts an audio-only stream', async () => {
  const [made, one] = await setUp(1)
  const encoder = made.encode()
  await encoder.outcome
  encoder.send(aacHeader())
  // An audio-only stream has no keyframe to start at: a destination gets the frames sent after its Publish.Start.
  let time = 0
  await until(() => {
    encoder.send(audio((time += 20)))
    return times(one).length >= 3
  })
  expect(one.arrived.map(({ packet }) => packet.kind)).not.toContain('video')
  await live(made, 1)
})

test('disconnects a client that does not publish, and limits concurrent connections', async () => {
  const [made] = await setUp(0, { pendingMax: 3, readyMs: 3_000 })
  const start = performance.now()
  const gone: number[] = []
  for (let left = 6; left > 0; left--) {
    const socket = connect(made.port, '127.0.0.1').on('error', () => undefined)
    socket.on('close', () => gone.push(performance.now() - start))
    socket.resume()
  }
  await until(() => gone.length === 6)
  // Three were refused before the others timed out.
  expect(gone.filter((ms) => ms >= 2_900)).toHaveLength(3)
})

test('measures bitrate, frames and keyframe distance', async () => {
  const [made] = await setUp(0)
  await onAir(made, 2)
  const sample = await until(() => made.samples.find(({ ingest }) => ingest.gopMs !== null))
  expect(sample.ingest.gopMs).toBe(1000)
  expect(sample.ingest.fps).toBeGreaterThan(0)
  // Data sent in one burst may fall into two samples, each possibly longer than a second.
  expect(made.samples.reduce((sum, { ingest }) => sum + ingest.kbps, 0)).toBeGreaterThan(10)
})

test('reports no key', async () => {
  const [made, one] = await setUp(1)
  one.fault = 'reject-publish'
  await onAir(made)
  await until(() => made.report(1)?.state === 'rejected')
  expect(JSON.stringify([made.events, made.samples])).not.toContain('secret-key')
})

test('pauses output on open connections and resumes at a keyframe with continuous time', async () => {
  const [made, one] = await setUp(1)
  const encoder = await onAir(made)
  await until(() => times(one).length === 50)
  const destinations = [{ id: 1, target: targetOf(one) }]
  made.relay.update(project, { destinations, paused: true })
  const { bytes } = made.relay.totals()
  const sent = [...stream(1_000, 1)]
  encoder.send(...sent)
  const length = sent.reduce((sum, { payload }) => sum + payload.length, 0)
  await until(() => made.relay.totals().bytes >= bytes + length)
  expect(times(one)).toHaveLength(50)
  made.relay.update(project, { destinations })
  encoder.send(interframe(2_000), audio(2_010), keyframe(2_040), audio(2_050))
  await until(() => times(one).length === 52)
  const [key, sound] = one.arrived.slice(-2)
  expect([key?.packet.role, key?.packet.timestamp, sound?.packet.kind]).toEqual(['key', 2_040, 'audio'])
  expect(one.connections()).toBe(1)
})
