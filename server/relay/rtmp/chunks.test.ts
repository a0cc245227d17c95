import type { Message } from './message.ts'
import { expect, test } from 'vitest'
import { ChunkReader, writeChunks } from './chunks.ts'
import { setChunkSize } from './messages.ts'
import { ProtocolError } from './protocol-error.ts'

const generous = { messageBytes: 8 * 1024 * 1024, streams: 16 }
const message = (timestamp: number, bytes: number, type = 9): Message => ({
  type,
  streamId: 1,
  timestamp,
  payload: Buffer.alloc(bytes, timestamp % 251),
})
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')

test('reads written messages for any split of the bytes', () => {
  const sent = [message(0, 10), message(40, 127), message(80, 128), message(120, 129), message(160, 5000, 8)]
  const bytes = Buffer.concat(sent.map((one, index) => writeChunks(one, 4 + (index % 3), 128)))
  for (let piece = 1; piece <= 64; piece++) {
    const reader = new ChunkReader(generous)
    const got: Message[] = []
    for (let at = 0; at < bytes.length; at += piece) got.push(...reader.read(bytes.subarray(at, at + piece)))
    expect(got).toEqual(sent)
  }
})

test('applies a chunk size from its position on', () => {
  const bytes = Buffer.concat([
    writeChunks(message(0, 300), 6, 128),
    writeChunks(setChunkSize(4096), 2, 128),
    writeChunks(message(40, 3000), 6, 4096),
  ])
  expect(new ChunkReader(generous).read(bytes)).toEqual([message(0, 300), message(40, 3000)])
})

test.each([0xfffffe, 0xffffff, 0x1000000, 0xffffffff])('keeps timestamp %i over several chunks', (timestamp) => {
  const sent = message(timestamp, 400)
  expect(new ChunkReader(generous).read(writeChunks(sent, 6, 128))).toEqual([sent])
})

test('accepts continuation chunks without extended timestamp', () => {
  const payload = Buffer.alloc(200, 7)
  const head = hex('06 ffffff 0000c8 09 01000000 01000000')
  const bytes = Buffer.concat([head, payload.subarray(0, 128), hex('c6'), payload.subarray(128)])
  expect(new ChunkReader(generous).read(bytes)).toEqual([{ type: 9, streamId: 1, timestamp: 0x1000000, payload }])
})

test('repeats values of the previous header in short headers', () => {
  const bytes = Buffer.concat([
    hex('06 000064 000003 09 01000000 010203'),
    hex('46 000028 000002 09 0405'),
    hex('86 000010 0607'),
    hex('c6 0809'),
  ])
  const got = new ChunkReader(generous).read(bytes)
  expect(got.map(({ timestamp, payload }) => [timestamp, payload.toString('hex')])).toEqual([
    [100, '010203'],
    [140, '0405'],
    [156, '0607'],
    [172, '0809'],
  ])
})

test('reads long chunk stream numbers', () => {
  const rest = '000000 000001 09 01000000 aa'
  const reader = new ChunkReader(generous)
  expect(reader.read(hex(`00 10 ${rest}`))).toHaveLength(1)
  expect(reader.read(hex(`01 1002 ${rest}`))).toHaveLength(1)
})

test('drops an aborted message', () => {
  const bytes = Buffer.concat([
    writeChunks(message(0, 300), 6, 128).subarray(0, 140),
    hex('02 000000 000004 02 00000000 00000006'),
    writeChunks(message(40, 20), 6, 128),
  ])
  expect(new ChunkReader(generous).read(bytes)).toEqual([message(40, 20)])
})

test.each([
  [
    'a message larger than a stranger may send',
    hex('06 000000 020000 09 01000000'),
    { messageBytes: 1000, streams: 16 },
  ],
  [
    'more chunk streams than anybody needs',
    Buffer.concat([3, 4, 5].map((id) => writeChunks(message(0, 1), id, 128))),
    { messageBytes: 1000, streams: 2 },
  ],
  ['a stream that begins in the middle', hex('c6 01'), generous],
  ['a chunk size of nothing', hex('02 000000 000004 01 00000000 00000000'), generous],
  ['a chunk size beyond all measure', hex('02 000000 000004 01 00000000 7fffffff'), generous],
  [
    'a message inside another one',
    Buffer.concat([writeChunks(message(0, 300), 6, 128).subarray(0, 140), writeChunks(message(0, 300), 6, 128)]),
    generous,
  ],
])('closes the connection on %s', (_, bytes, limits) => {
  expect(() => new ChunkReader(limits).read(bytes)).toThrow(ProtocolError)
})
