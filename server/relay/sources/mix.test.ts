// Mixes of tracks by a fake clock: tracks that vanish, return, change, and changes without end.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mainTracks, type TrackChoice } from '#contract/entities/tracks.ts'
import type { Message } from '#server/relay/rtmp/message.ts'
import { aacHeader, audio, avcHeader, interframe, keyframe } from '#server/relay/testing/frames.ts'
import { Mixes } from './mix.ts'
import type { TrackMessage } from '#server/relay/media/tracks.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const portrait: TrackChoice = { video: '1', audio: 'main', missing: 'wait' }

function begin(choice = portrait) {
  const events: string[] = []
  const mixes = new Mixes({
    slates: { get: () => null },
    gatherMs: 8,
    onReady: () => events.push('ready'),
    onGone: () => events.push('gone'),
  })
  mixes.begin()
  const mix = mixes.of(choice)
  let at = 0
  const one = (message: Message, id: number): TrackMessage => ({
    kind: message.type === 9 ? 'video' : 'audio',
    id,
    isMain: id === 0,
    message,
  })
  /** Sends seconds of the pictures with these numbers, and of the main sound. */
  const send = (seconds: number, ...ids: readonly number[]) => {
    for (let second = 0; second < seconds; second++) {
      if (at % 1000 === 0 || second === 0)
        mixes.take([...ids.map((id) => one(avcHeader(at, id + 1), id)), one(aacHeader(at), 0)])
      for (let frame = 0; frame < 25; frame++) {
        for (const id of ids) mixes.take([one(frame === 0 ? keyframe(at, 500 + id) : interframe(at, 300 + id), id)])
        mixes.take([one(audio(at), 0)])
        at += 40
        vi.advanceTimersByTime(40)
      }
      mixes.watch()
    }
  }
  return { events, mix, mixes, one, send, take: (message: Message, id: number) => mixes.take([one(message, id)]) }
}

test('a track that vanishes for ten seconds rests the mix, and its keyframe begins it again', () => {
  const { events, mix, send } = begin()
  send(2, 0)
  expect(mix.isReady).toBe(false)
  send(2, 0, 1)
  expect(events).toEqual(['ready'])
  send(9, 0)
  expect(events).toEqual(['ready'])
  send(3, 0)
  expect(events).toEqual(['ready', 'gone'])
  send(2, 0, 1)
  expect(events).toEqual(['ready', 'gone', 'ready'])
  expect(mix.hub.group()[0]).toMatchObject({ kind: 'video', role: 'key' })
})

test('a track that drops out for some seconds continues with a keyframe, on an increasing timeline', () => {
  const { events, mix, send, take } = begin()
  const times: number[] = []
  const roles: string[] = []
  send(2, 0, 1)
  mix.hub.attach({
    take: ({ kind, role, timestamp }) => kind === 'video' && void (times.push(timestamp), roles.push(role)),
  })
  send(4, 0)
  take(interframe(6_000, 301), 1)
  send(2, 0, 1)
  expect(events).toEqual(['ready'])
  expect(roles.find((role) => role !== 'header')).toBe('key')
  expect(times.every((time, index) => time >= (times[index - 1] ?? 0))).toBe(true)
})

test('a track that drops out while its encoder sends shows the last frame after a second, with silence in its time', () => {
  const { mix, send } = begin()
  const times = { video: [] as number[], audio: [] as number[], data: [] as number[] }
  mix.hub.attach({ take: ({ kind, role, timestamp }) => role !== 'header' && void times[kind].push(timestamp) })
  send(2, 0, 1)
  send(6, 0)
  send(2, 0, 1)
  for (const kind of ['video', 'audio'] as const) {
    const steps = times[kind].slice(1).map((time, index) => time - (times[kind][index] ?? 0))
    expect(Math.max(...steps)).toBeLessThanOrEqual(1_500)
    expect(Math.min(...steps)).toBeGreaterThan(0)
  }
  expect((times.video.at(-1) ?? 0) - (times.video[0] ?? 0)).toBeGreaterThan(9_500)
})

test('the main track replaces a missing one where chosen, after the encoder had time to announce it', () => {
  const { events, mix, send } = begin({ ...portrait, missing: 'main' })
  send(2, 0)
  expect(events).toEqual([])
  send(3, 0)
  expect(events).toEqual(['ready'])
  // The chosen one is another picture: the channel connects anew.
  send(2, 0, 1)
  expect(events).toEqual(['ready', 'gone', 'ready'])
  expect(mix.hub.group()[0]?.payload.length).toBe(5 + 501)
})

test('a hundred changes of a track in a minute leave one mix, with the newest codec and bounded memory', () => {
  const { events, mix, mixes, send, take } = begin()
  send(1, 0, 1)
  const before = process.memoryUsage().arrayBuffers
  for (let change = 0; change < 100; change++) {
    const codec = change % 2 === 0 ? 'hvc1' : 'av01'
    const head = (first: number) =>
      Buffer.concat([Buffer.from([first]), Buffer.from(codec), Buffer.alloc(5_000, change)])
    const at = 1_000 + change * 600
    take({ type: 9, streamId: 1, timestamp: at, payload: head(0x90) }, 1)
    take({ type: 9, streamId: 1, timestamp: at, payload: head(0x91) }, 1)
    vi.advanceTimersByTime(600)
    mixes.watch()
  }
  expect(mix.isReady).toBe(true)
  expect(mix.hub.codecs().video).toBe('av01')
  expect(events.filter((event) => event === 'ready')).toHaveLength(101)
  expect(events.filter((event) => event === 'gone')).toHaveLength(100)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000)
})

test('another encoder that takes over continues a mix with its keyframe, behind the headers that it sent before', () => {
  const { events, mix, mixes, one, send, take } = begin()
  send(2, 0, 1)
  const got: { role: string; bytes: number; timestamp: number }[] = []
  mix.hub.attach({
    take: ({ kind, role, payload, timestamp }) =>
      kind === 'video' && void got.push({ role, bytes: payload.length, timestamp }),
  })
  mixes.replace([one(avcHeader(0, 7), 0), one(avcHeader(0, 8), 1), one(aacHeader(), 0)])
  take(interframe(90_000, 700), 1)
  expect(got.map(({ role }) => role)).toEqual([])
  // Until its keyframe: the last frame, after a second.
  vi.advanceTimersByTime(1_900)
  expect(got.length).toBeGreaterThan(1)
  got.length = 0
  take(keyframe(92_000, 800), 1)
  take(interframe(92_040, 700), 1)
  expect(got.map(({ role, bytes }) => [role, bytes])).toEqual([
    ['header', 14],
    ['key', 805],
    ['frame', 705],
  ])
  expect(mix.hub.header('video')?.payload).toEqual(avcHeader(0, 8).payload)
  expect(events).toEqual(['ready'])
  mixes.stop()
})

test('a mix whose track the other encoder lacks rests after ten seconds', () => {
  const { events, mixes, one, send } = begin()
  send(2, 0, 1)
  mixes.replace([one(avcHeader(0, 7), 0), one(aacHeader(), 0)])
  send(9, 0)
  expect(events).toEqual(['ready'])
  send(3, 0)
  expect(events).toEqual(['ready', 'gone'])
  mixes.stop()
})

/** AVC header with the set of x264 for 1920×1080 at 30 frames a second. @param level byte that distinguishes headers */
const fullHd = (timestamp: number, level: number): Message => {
  const set = Buffer.from('67640028acd940780227e5c044000003000400000300f03c60c658', 'hex')
  const head = [0x17, 0, 0, 0, 0, 1, 0x64, 0, level, 0xff, 0xe1, 0, set.length]
  return { ...avcHeader(timestamp), payload: Buffer.concat([Buffer.from(head), set, Buffer.from([1, 0, 1, 0x68])]) }
}

/** Returns a function that sends seconds of two pictures, the second one at a third of the bitrate and 20 ms behind the first. */
function twoPictures({ mixes, one }: Pick<ReturnType<typeof begin>, 'mixes' | 'one'>) {
  let at = 0
  return (seconds: number, hasSmall = true) => {
    for (let frame = 0; frame < seconds * 25; frame++, at += 40) {
      const picture = frame % 25 === 0 ? keyframe : interframe
      const small = hasSmall ? [one(picture(at - 20, 1_000), 1)] : []
      mixes.take([one(picture(at, 3_000), 0), ...small, one(audio(at), 0)])
      vi.advanceTimersByTime(40)
      if (frame % 25 === 24) mixes.watch()
    }
  }
}

test('a channel has a ladder only with a further picture of the size, and steps by keyframes without a new mix', () => {
  const { events, mixes, take, ...rest } = begin()
  const send = twoPictures({ mixes, ...rest })
  take(fullHd(0, 40), 0)
  take(aacHeader(), 0)
  expect(mixes.withLadder(1, mainTracks)).toBeNull()
  // A picture of an unknown size is none of this size.
  take(avcHeader(0, 7), 1)
  expect(mixes.withLadder(1, mainTracks)).toBeNull()
  take(fullHd(0, 41), 1)
  const mix = mixes.withLadder(1, mainTracks)
  expect(mixes.withLadder(1, mainTracks)).toBe(mix)
  expect(mixes.withLadder(2, mainTracks)).not.toBe(mix)
  if (!mix) return
  send(3)
  events.length = 0
  const got: { role: string; bytes: number; timestamp: number }[] = []
  mix.hub.attach({
    take: ({ kind, role, payload, timestamp }) =>
      kind === 'video' && void got.push({ role, bytes: payload.length, timestamp }),
  })
  got.length = 0
  mixes.step(mix, 'up')
  send(1)
  expect(mix.isLower).toBe(false)
  mixes.step(mix, 'down')
  send(2)
  expect(mix.isLower).toBe(true)
  mixes.step(mix, 'down')
  send(1)
  expect(got.at(-1)?.bytes).toBe(1_005)
  mixes.step(mix, 'up')
  send(2)
  expect(mix.isLower).toBe(false)
  const steps = got.flatMap(({ role }, index) => {
    const [before, key] = [got[index - 1], got[index + 1]]
    return role === 'header' ? [[before?.bytes, key?.role, key?.bytes]] : []
  })
  expect(steps).toEqual([
    [3_005, 'key', 1_005],
    [1_005, 'key', 3_005],
  ])
  expect(got.every(({ timestamp }, index) => timestamp >= (got[index - 1]?.timestamp ?? 0))).toBe(true)
  expect(events).toEqual([])
  mixes.stop()
})

test('silence follows the picture without a gap, and the frozen picture keeps it while the encoder is lost', () => {
  const { mix, mixes, send } = begin({ video: 'main', audio: 'silent', missing: 'wait' })
  const sounds: number[] = []
  mix.hub.attach({
    take: ({ kind, role, timestamp }) => kind === 'audio' && role === 'frame' && void sounds.push(timestamp),
  })
  send(3, 0)
  const steps = sounds.slice(1).map((time, index) => time - (sounds[index] ?? 0))
  expect(sounds.length).toBeGreaterThan(135)
  expect(Math.max(...steps)).toBeLessThanOrEqual(22)
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(21)
  const count = sounds.length
  mixes.lose(0)
  vi.advanceTimersByTime(3_000)
  expect(sounds.length - count).toBeGreaterThan(100)
  mixes.stop()
})

test('a smaller picture that ends gives way to the chosen one, over the same connection', () => {
  const { events, mixes, take, ...rest } = begin(mainTracks)
  const send = twoPictures({ mixes, ...rest })
  for (const id of [0, 1]) take(fullHd(0, 40 + id), id)
  take(aacHeader(), 0)
  const mix = mixes.withLadder(1, mainTracks)
  if (!mix) return expect.unreachable()
  send(3)
  mixes.step(mix, 'down')
  send(3)
  expect(mix.isLower).toBe(true)
  const times: number[] = []
  mix.hub.attach({
    take: ({ kind, role, timestamp }) => kind === 'video' && role !== 'header' && void times.push(timestamp),
  })
  events.length = 0
  send(15, false)
  expect([mix.isLower, events]).toEqual([false, []])
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(Math.min(...steps)).toBeGreaterThan(0)
  expect(Math.max(...steps)).toBeLessThanOrEqual(1_500)
  expect(times.length).toBeGreaterThan(12 * 25)
})
