// MPEG-TS made by hand: start positions of decoders, and players of different speed.
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Hub } from '#server/relay/media/hub.ts'
import type { KeepOptions } from '#server/relay/programs/programs.ts'
import { SrtPublisher } from './publisher.ts'
import { packetBytes, TransportReader } from './transport-packets.ts'
import { TransportStream } from './transport-stream.ts'

const [tablePid, picturePid, soundPid] = [4096, 256, 257]

function packet(pid: number, { begins = true, isKey = false, load = Buffer.alloc(0) } = {}): Buffer {
  const bytes = Buffer.alloc(packetBytes, 0xff)
  bytes[0] = 0x47
  bytes.writeUInt16BE((begins ? 0x4000 : 0) | pid, 1)
  bytes[3] = isKey ? 0x30 : 0x10
  if (isKey) Buffer.from([1, 0x40]).copy(bytes, 4)
  load.copy(bytes, isKey ? 6 : 4)
  return bytes
}

/** Section after its pointer field; the checksum is not checked. */
const section = (table: number, rest: readonly number[]) =>
  Buffer.from([0, table, 0xb0, rest.length + 4, ...rest, 0, 0, 0, 0])
const associations = packet(0, { load: section(0, [0, 1, 0xc1, 0, 0, 0, 1, 0xe0 | (tablePid >> 8), tablePid & 0xff]) })
const tableHead = [0, 1, 0xc1, 0, 0, 0xe1, 0, 0xf0, 0]
const table = (...streams: readonly (readonly [type: number, pid: number])[]) =>
  packet(tablePid, {
    load: section(2, [
      ...tableHead,
      ...streams.flatMap(([type, pid]) => [type, 0xe0 | (pid >> 8), pid & 0xff, 0xf0, 0]),
    ]),
  })
const both = table([0x0f, soundPid], [0x1b, picturePid])
const key = packet(picturePid, { isKey: true })
const picture = packet(picturePid)
const sound = packet(soundPid)

test('starts at a keyframe after the tables, for any split of the bytes and after garbage', () => {
  const bytes = Buffer.concat([
    Buffer.from('rubbish'),
    picture,
    associations,
    both,
    sound,
    picture,
    key,
    picture,
    sound,
  ])
  for (const size of [1, 100, 188, 500, 5000]) {
    const reader = new TransportReader()
    const packets = []
    for (let at = 0; at < bytes.length; at += size) packets.push(...reader.read(bytes.subarray(at, at + size)))
    expect(packets.map(({ isStart }) => isStart)).toEqual([false, false, false, false, false, true, false, false])
    expect(packets[5]?.bytes).toEqual(key)
    expect(reader.opening()).toEqual([associations, both])
  }
})

test('reads the sounds of a table: the main one, and up to seven further ones in AAC', () => {
  const reader = new TransportReader()
  const streamsOf = (...streams: readonly (readonly [type: number, pid: number])[]) => {
    reader.read(table(...streams))
    return reader.streams
  }
  reader.read(associations)
  expect(reader.streams).toEqual({ picture: null, sound: null, further: [] })
  expect(streamsOf([0x1b, 256], [0x0f, 257], [0x81, 258], [0x0f, 259])).toEqual({
    picture: 256,
    sound: 257,
    further: [259],
  })
  expect(reader.hasHeard(259)).toBe(false)
  reader.read(packet(259))
  expect(reader.hasHeard(259)).toBe(true)
  // The same sound twice, and more of them than encoders may have.
  const many = Array.from({ length: 12 }, (_, at) => [0x0f, 300 + at] as const)
  expect(streamsOf(...many, ...many).further).toEqual([301, 302, 303, 304, 305, 306, 307])
  expect(reader.hasHeard(259)).toBe(false)
})

test('hostile tables start no more programs than one each five seconds, and break nothing', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let runs = 0
  const keep = ({ attach, outputs = 0 }: KeepOptions) => {
    runs++
    expect(outputs).toBeLessThanOrEqual(7)
    const more = Array.from({ length: outputs }, () => new PassThrough())
    const letGo = attach({ stdin: new PassThrough().resume(), stdout: new PassThrough(), more })
    return { state: () => ({}) as never, stop: async () => letGo() }
  }
  const publisher = new SrtPublisher({
    programs: { keep },
    publication: { take: () => undefined, ended: () => undefined },
    onUseless: () => undefined,
    onFlushed: () => undefined,
  })
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 0x7fffffff) % below
  for (let turn = 0; turn < 20_000; turn++) {
    const types = [0x0f, 0x1b, 0x03, 0x24, 0x06]
    const streams = Array.from({ length: random(12) }, () => [types[random(5)]!, 256 + random(12)] as const)
    const hostile = Buffer.from(table(...streams))
    // Lengths and types of any value.
    for (let left = random(4); left > 0; left--) hostile[5 + random(40)] = random(256)
    publisher.take(Buffer.concat([associations, hostile, packet(256 + random(12), { isKey: random(2) === 0 })]))
    vi.advanceTimersByTime(10)
  }
  expect(runs).toBeGreaterThan(5)
  expect(runs).toBeLessThan(100)
})

test('starts audio-only streams anywhere and ignores broken tables', () => {
  const reader = new TransportReader()
  const alone = reader.read(Buffer.concat([associations, table([0x0f, soundPid]), sound]))
  expect(alone.map(({ isStart }) => isStart)).toEqual([false, false, true])
  const broken = new TransportReader()
  const tooLong = packet(0, { load: Buffer.from([0, 0, 0xbf, 0xff]) })
  const beyond = packet(0, { load: Buffer.from([255]) })
  expect(broken.read(Buffer.concat([tooLong, beyond, key])).some(({ isStart }) => isStart)).toBe(false)
  expect(broken.opening()).toEqual([])
})

/** Stream whose ffmpeg is the test. */
function stream() {
  const io = { stdin: new PassThrough(), stdout: new PassThrough(), more: [] }
  let runs = 0
  const keep = ({ attach }: KeepOptions) => {
    runs++
    const letGo = attach(io)
    return { state: () => ({}) as never, stop: async () => letGo() }
  }
  const transport = new TransportStream(new Hub(), { keep }, () => 10_000)
  const viewer = () => {
    const one = {
      queue: 0,
      got: [] as Buffer[],
      send: (piece: Buffer) => void one.got.push(piece),
      queued: () => one.queue,
    }
    return one
  }
  const put = async (...packets: readonly Buffer[]) => {
    io.stdout.write(Buffer.concat(packets))
    await new Promise((resolve) => setImmediate(resolve))
  }
  const gotBy = ({ got }: { readonly got: readonly Buffer[] }) => Buffer.concat(got)
  return { transport, viewer, put, gotBy, runs: () => runs }
}

test('starts a later player with the current group; all players share one ffmpeg', async () => {
  const { transport, viewer, put, gotBy, runs } = stream()
  const [first, second] = [viewer(), viewer()]
  transport.add(first)
  await put(picture, associations, both, key, sound)
  transport.add(second)
  await put(picture)
  const whole = Buffer.concat([associations, both, key, sound, picture])
  expect([gotBy(first), gotBy(second)]).toEqual([whole, whole])
  expect(runs()).toBe(1)
  transport.end()
})

test('drops whole groups for a slow player only', async () => {
  const { transport, viewer, put, gotBy } = stream()
  const [quick, slow] = [viewer(), viewer()]
  transport.add(quick)
  const feed = transport.add(slow)
  await put(associations, both, key)
  slow.queue = 10_001
  await put(picture)
  expect(feed.dropping).toBe(true)
  slow.queue = 3_000
  await put(key)
  // The queue is still above the limit.
  slow.queue = 2_000
  await put(picture, key, sound)
  expect(feed.dropping).toBe(false)
  const opening = [associations, both]
  expect(gotBy(quick)).toEqual(Buffer.concat([...opening, key, picture, key, picture, key, sound]))
  expect(gotBy(slow)).toEqual(Buffer.concat([...opening, key, ...opening, key, sound]))
  feed.close()
  await put(picture)
  expect(gotBy(slow).subarray(-packetBytes)).toEqual(sound)
  transport.end()
})
