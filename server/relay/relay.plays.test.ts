// A play below the encoders, in every order: hand-made encoders, and a hand-made play.
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type IngestSession, plainLink } from './ingest/publication.ts'
import { type Encoder, sendEvenly } from './testing/encoder.ts'
import type { FaultyPlatform } from './testing/faulty-platform.ts'
import { aacHeader, avcHeader, interframe, keyframe } from './testing/frames.ts'
import { project, type Rig, setUp, times, until } from './testing/rig.ts'

const silentMs = 1_000
const run = 5

/** Bitrates of the sources, and the bytes of their frames at a platform. */
const rates = { main: 400, backup: 800, play: 1_200 }
const bytesOf = { main: 1_005, backup: 2_005, play: 3_005 }

const newest = (made: Rig) => made.samples.at(-1)?.ingest
/** Changes of the source: whether it is a play, and losses. */
const changes = (made: Rig) =>
  made.events.flatMap((event) => {
    if (event.type === 'source-began') return [event.play === run ? 'play' : 'encoder']
    return event.type === 'source-lost' || event.type === 'ended' ? [event.type] : []
  })
const from = ({ arrived }: FaultyPlatform, role: keyof typeof rates) =>
  arrived.filter(({ packet }) => packet.payload.length === bytesOf[role])

async function sending(made: Rig, role: 'main' | 'backup'): Promise<Encoder> {
  const encoder = made.encode(role === 'main' ? 'good' : 'good-backup')
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(), aacHeader())
  const stop = sendEvenly(encoder, rates[role])
  onTestFinished(stop)
  void encoder.over.then(stop)
  return { ...encoder, destroy: () => (stop(), encoder.destroy()), end: () => (stop(), encoder.end()) }
}

/** A play that sends until it ends. */
async function playing(made: Rig, stays = false) {
  let stop = () => undefined as void
  const over = Promise.withResolvers<string>()
  const session: IngestSession = {
    end(_code, message) {
      stop()
      over.resolve(message)
    },
    received: () => 0,
    link: () => plainLink(),
  }
  const request = { app: 'scheduler', key: 'good', encoder: 'scheduler', address: '', play: run, stays }
  const publication = await made.relay.admit(request, session)
  if ('refuse' in publication) return publication
  publication.take(avcHeader(0, 3))
  publication.take(aacHeader())
  stop = sendEvenly({ send: (...messages) => messages.forEach((message) => publication.take(message)) }, rates.play)
  onTestFinished(stop)
  return {
    over: over.promise,
    stop,
    end() {
      stop()
      publication.ended('unpublish')
    },
  }
}

async function play(made: Rig, stays = false) {
  const begun = await playing(made, stays)
  if ('refuse' in begun) throw new Error(begun.refuse)
  return begun
}

function expectInOrder(one: FaultyPlatform) {
  const all = times(one)
  expect(all.length).toBeGreaterThan(50)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(one.connections()).toBe(1)
}

test('a play begins a broadcast, an encoder interrupts it, and the play continues when the encoder ends its stream', async () => {
  const [made, one] = await setUp(1, { graceMs: 0, silentMs })
  await play(made)
  await until(() => from(one, 'play').length > 50)
  expect(newest(made)).toMatchObject({ play: 'on_air', link: null, faults: [] })
  expect(made.relay.live(project)?.busy()).toBe(false)
  const main = await sending(made, 'main')
  await until(() => from(one, 'main').length > 50)
  await until(() => newest(made)?.play === 'connected')
  expect(made.relay.live(project)?.busy()).toBe(true)
  const count = from(one, 'play').length
  await until(() => from(one, 'main').length > 150)
  expect(from(one, 'play')).toHaveLength(count)
  main.end()
  await until(() => from(one, 'play').length > count + 50)
  expect(changes(made)).toEqual(['play', 'encoder', 'source-lost', 'play'])
  expectInOrder(one)
})

test('a play that ends below an encoder changes nothing; one on air ends the broadcast without hold', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const main = await sending(made, 'main')
  const first = await play(made)
  await until(() => newest(made)?.play === 'connected')
  first.end()
  await until(() => newest(made)?.play === undefined)
  const second = await play(made)
  await until(() => newest(made)?.play === 'connected')
  main.destroy()
  await until(() => from(one, 'play').length > 50)
  expect(changes(made)).toEqual(['encoder', 'source-lost', 'play'])
  second.end()
  await until(() => changes(made).includes('ended'))
  expectInOrder(one)
})

test('a backup goes before a play, and a play before the last frame', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const main = await sending(made, 'main')
  const backup = await sending(made, 'backup')
  await play(made)
  await until(() => newest(made)?.backup === 'connected' && newest(made)?.play === 'connected')
  main.destroy()
  await until(() => newest(made)?.backup === 'on_air')
  await until(() => from(one, 'backup').length > 50)
  expect(from(one, 'play')).toEqual([])
  backup.destroy()
  await until(() => newest(made)?.play === 'on_air')
  await until(() => from(one, 'play').length > 50)
  await sending(made, 'backup')
  await until(() => newest(made)?.backup === 'on_air')
  await sending(made, 'main')
  await until(() => newest(made)?.backup === 'connected')
  expect(changes(made)).toEqual(['encoder', 'source-lost', 'encoder', 'source-lost', 'play', 'encoder', 'encoder'])
  expectInOrder(one)
})

test('a silent encoder is replaced by the play, also before its own next keyframe, and takes over again', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const main = made.encode()
  expect(await main.outcome).toBe('live')
  main.send(avcHeader(), aacHeader())
  const stop = sendEvenly(main, rates.main)
  await play(made)
  await until(() => from(one, 'main').length > 50)
  stop()
  await until(() => newest(made)?.play === 'on_air')
  const again = sendEvenly(main, rates.main)
  onTestFinished(again)
  await until(() => newest(made)?.play === 'connected')
  expect(changes(made)).toEqual(['encoder', 'source-lost', 'play', 'encoder'])
  expectInOrder(one)
})

test('a play that stays is interrupted once, and keeps the air to its end when the encoder comes back', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const begun = await play(made, true)
  await until(() => from(one, 'play').length > 50)
  const first = await sending(made, 'main')
  await until(() => from(one, 'main').length > 50)
  first.destroy()
  let count = from(one, 'play').length
  await until(() => from(one, 'play').length > count + 50)
  const shown = from(one, 'main').length
  await sending(made, 'main')
  const backup = await sending(made, 'backup')
  await until(() => newest(made)?.backup === 'connected')
  count = from(one, 'play').length
  await until(() => from(one, 'play').length > count + 100)
  expect(from(one, 'main')).toHaveLength(shown)
  expect(from(one, 'backup')).toHaveLength(0)
  backup.end()
  begun.end()
  await until(() => from(one, 'main').length > shown + 50)
  expect(changes(made)).toEqual(['play', 'encoder', 'source-lost', 'play', 'source-lost', 'encoder'])
  expectInOrder(one)
})

test('a play that stays returns after an encoder that was on air before it', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const main = await sending(made, 'main')
  await until(() => from(one, 'main').length > 50)
  await play(made, true)
  await until(() => newest(made)?.play === 'connected')
  main.end()
  await until(() => from(one, 'play').length > 50)
  const shown = from(one, 'main').length
  await sending(made, 'main')
  const count = from(one, 'play').length
  await until(() => from(one, 'play').length > count + 100)
  expect(from(one, 'main')).toHaveLength(shown)
})

test('a play that stops sending shows the last frame, and returns', async () => {
  const [made] = await setUp(1, { graceMs: 60_000, silentMs })
  const first = await play(made)
  await until(() => newest(made)?.play === 'on_air')
  expect(await playing(made)).toEqual({ refuse: 'Another schedule is on air', code: expect.anything() })
  first.stop()
  await until(() => newest(made)?.fill === 'frame')
  await wait(1_100)
  await play(made)
  expect(await first.over).toContain('took over')
  await until(() => newest(made)?.play === 'on_air')
  expect(changes(made)).toEqual(['play', 'source-lost', 'play'])
})

test('a stop parks the encoders and ends the play; a drain disconnects all', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  const main = await sending(made, 'main')
  const first = await play(made)
  await until(() => newest(made)?.play === 'connected')
  made.relay.park(project)
  expect(await first.over).toContain('ended')
  expect(changes(made)).toEqual(['encoder', 'ended'])
  const count = from(one, 'main').length
  main.end()
  const second = await play(made)
  await until(() => newest(made)?.play === 'on_air')
  made.relay.live(project)?.disconnectEncoders('The server is being upgraded. Connect again')
  expect(await second.over).toContain('being upgraded')
  expect(from(one, 'main')).toHaveLength(count)
})

test('an encoder that comes and goes a hundred times leaves the play on air, in one publication', async () => {
  const [made, one] = await setUp(1, { graceMs: 60_000, silentMs })
  await play(made)
  await until(() => newest(made)?.play === 'on_air')
  for (let left = 100; left > 0; left--) {
    const main = made.encode()
    expect(await main.outcome).toBe('live')
    main.send(avcHeader(0, left % 9), aacHeader(), keyframe(left, 1_000), interframe(left + 20, 1_000))
    await wait(20)
    main.destroy()
  }
  const count = from(one, 'play').length
  await until(() => from(one, 'play').length > count + 100)
  // Six changes within a minute, and the first beginning.
  expect(changes(made).filter((change) => change !== 'source-lost').length).toBeLessThanOrEqual(8)
  expectInOrder(one)
})
