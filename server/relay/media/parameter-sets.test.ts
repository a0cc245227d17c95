import { expect, test } from 'vitest'
import { Packet } from './packet.ts'
import { ParameterSets } from './parameter-sets.ts'

const video = (...bytes: (number | Buffer)[]) =>
  new Packet(9, 0, Buffer.concat(bytes.map((one) => (typeof one === 'number' ? Buffer.from([one]) : one))))
/** NAL unit behind its length. */
const unit = (lengthBytes: number, ...bytes: number[]) => {
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(bytes.length, 0, lengthBytes)
  return Buffer.concat([length, Buffer.from(bytes)])
}
const name = (fourCc: string) => Buffer.from(fourCc, 'latin1')

const avcC = (mark: number) =>
  Buffer.concat([Buffer.from([1, 100, 0, 31, 0xff, 0xe1]), unit(2, 0x67, mark), Buffer.from([1]), unit(2, 0x68, mark)])
const hvcC = (mark: number) =>
  Buffer.concat([
    Buffer.alloc(21, 1),
    Buffer.from([0xff, 3, 0xa0, 0, 1]),
    unit(2, 0x40, 1, mark),
    Buffer.from([0xa1, 0, 1]),
    unit(2, 0x42, 1, mark),
    Buffer.from([0xa2, 0, 1]),
    unit(2, 0x44, 1, mark),
  ])
const idr = unit(4, 0x65, 1, 2, 3)
const idrOfHevc = unit(4, 0x26, 1, 2, 3)
const setsOfAvc = Buffer.concat([unit(4, 0x67, 2), unit(4, 0x68, 2)])
const setsOfHevc = Buffer.concat([unit(4, 0x40, 1, 2), unit(4, 0x42, 1, 2), unit(4, 0x44, 1, 2)])

const cases = [
  { name: 'AVC', start: [0x17, 0, 0, 0, 0], config: avcC, head: [0x17, 1, 0, 0, 80], body: idr, sets: setsOfAvc },
  {
    name: 'HEVC by its old number',
    start: [0x1c, 0, 0, 0, 0],
    config: hvcC,
    head: [0x1c, 1, 0, 0, 80],
    body: idrOfHevc,
    sets: setsOfHevc,
  },
  {
    name: 'Enhanced AVC',
    start: [0x90, ...name('avc1')],
    config: avcC,
    head: [0x91, ...name('avc1'), 0, 0, 80],
    body: idr,
    sets: setsOfAvc,
  },
  {
    name: 'Enhanced HEVC',
    start: [0x90, ...name('hvc1')],
    config: hvcC,
    head: [0x91, ...name('hvc1'), 0, 0, 80],
    body: idrOfHevc,
    sets: setsOfHevc,
  },
  {
    name: 'Enhanced HEVC without time',
    start: [0x90, ...name('hvc1')],
    config: hvcC,
    head: [0x93, ...name('hvc1')],
    body: idrOfHevc,
    sets: setsOfHevc,
  },
]

test.each(cases)('$name: keyframes carry the parameter sets after they have changed', (codec) => {
  const { start, config, head, body, sets } = codec
  const stream = new ParameterSets()
  const header = (mark: number) => video(Buffer.from(start), config(mark))
  const key = video(Buffer.from(head), body)
  for (const packet of [header(1), key, header(1), key]) expect(stream.of(packet)).toBe(packet)
  stream.of(header(2))
  expect(stream.of(key).payload).toEqual(Buffer.concat([Buffer.from(head), sets, body]))
  expect(stream.of(key)).toMatchObject({ role: 'key', kind: 'video' })
  // The frame that is repeated without an encoder has them already.
  expect(stream.of(stream.of(key)).payload).toEqual(stream.of(key).payload)
})

test('puts the sets behind an access unit delimiter, and leaves frames and other codecs unchanged', () => {
  const stream = new ParameterSets()
  const header = (mark: number) => video(Buffer.from([0x17, 0, 0, 0, 0]), avcC(mark))
  stream.of(header(1))
  stream.of(header(2))
  const head = Buffer.from([0x17, 1, 0, 0, 0])
  const delimiter = unit(4, 0x09, 0xf0)
  expect(stream.of(video(head, delimiter, idr)).payload).toEqual(Buffer.concat([head, delimiter, setsOfAvc, idr]))
  const others = [
    video(Buffer.from([0x27, 1, 0, 0, 0]), unit(4, 0x41, 1)),
    video(Buffer.from([0x91, ...name('av01')]), Buffer.from([1, 2, 3])),
    new Packet(8, 0, Buffer.from([0xaf, 1, 1])),
  ]
  for (const packet of others) expect(stream.of(packet)).toBe(packet)
})

test('survives mutated configurations and keyframes, and changes no keyframe that it cannot parse', () => {
  let seed = 7
  const random = (max: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % max
  const mutate = (bytes: Buffer, from: number) => {
    const copy = Buffer.from(bytes.subarray(0, bytes.length - random(3)))
    for (let left = random(4); left > 0; left--) copy[from + random(copy.length - from)] = random(256)
    return copy
  }
  let changed = 0
  for (let round = 0; round < 20_000; round++) {
    const codec = cases[round % cases.length]
    if (!codec) continue
    const { start, config, head, body } = codec
    const stream = new ParameterSets()
    stream.of(video(Buffer.from(start), config(1)))
    stream.of(new Packet(9, 0, mutate(Buffer.concat([Buffer.from(start), config(2)]), start.length)))
    const key = new Packet(9, 0, mutate(Buffer.concat([Buffer.from(head), body]), head.length))
    const result = stream.of(key)
    if (result === key) continue
    expect(result.payload.length).toBeGreaterThan(key.payload.length)
    changed++
  }
  expect(changed).toBeGreaterThan(1_000)
})

test('adds sets to keyframes without them once a keyframe had its own', () => {
  const stream = new ParameterSets()
  const head = [0x17, 1, 0, 0, 0]
  stream.of(video(0x17, 0, 0, 0, 0, avcC(2)))
  const plain = video(...head, idr)
  expect(stream.of(plain)).toBe(plain)
  const own = video(...head, setsOfAvc, idr)
  expect(stream.of(own)).toBe(own)
  // Another encoder with the same settings.
  stream.of(video(0x17, 0, 0, 0, 0, avcC(2)))
  expect(stream.of(plain).payload).toEqual(own.payload)
})
