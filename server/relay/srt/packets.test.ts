import { expect, test } from 'vitest'
import { readText, writeText } from './extensions.ts'
import { handshakeType, readHandshake, writeHandshake } from './handshake.ts'
import {
  controlType,
  markAgain,
  readAcknowledgement,
  readDrop,
  readPacket,
  readRanges,
  writeAcknowledgement,
  writeControl,
  writeData,
  writeDrop,
  writeRanges,
} from './packets.ts'
import { after, distance, toRanges } from './sequence.ts'
import { readStreamId } from './stream-id.ts'

const last = 2 ** 31 - 1

test('wraps sequence numbers to 0 after 31 bits', () => {
  expect([after(last), after(0, -1), after(last - 1, 3)]).toEqual([0, last, 1])
  expect([distance(last, 1), distance(1, last), distance(5, 5), distance(0, 2 ** 29)]).toEqual([2, -2, 0, 2 ** 29])
})

test('reads a written data packet, including the mark of a retransmission', () => {
  const payload = Buffer.from('media')
  const packet = writeData({
    sequence: last,
    message: 7,
    key: 'odd',
    timestamp: 2 ** 32 + 5,
    destination: 0xfedcba98,
    payload,
  })
  const said = { isControl: false, sequence: last, key: 'odd', timestamp: 5, destination: 0xfedcba98, payload }
  expect(readPacket(packet)).toEqual({ ...said, isAgain: false })
  markAgain(packet)
  expect(readPacket(packet)).toEqual({ ...said, isAgain: true })
})

test('reads a written control packet and rejects short datagrams', () => {
  const body = Buffer.from([1, 2, 3, 4])
  const packet = writeControl(controlType.extension, { subtype: 3, info: 9, timestamp: 1, destination: 2, body })
  expect(readPacket(packet)).toEqual({
    isControl: true,
    type: 0x7fff,
    subtype: 3,
    info: 9,
    timestamp: 1,
    destination: 2,
    body,
  })
  expect(readPacket(packet.subarray(0, 15))).toBe(null)
})

test('reads written loss lists, also where sequence numbers wrap', () => {
  const ranges = toRanges([1, 2, 3, 9, last, 0, 1], 10)
  expect(ranges).toEqual([
    [1, 3],
    [9, 9],
    [last, 1],
  ])
  expect(readRanges(writeRanges(ranges))).toEqual(ranges)
  // A reversed range, and a range without its end.
  expect(readRanges(Buffer.concat([writeRanges([[9, 3]]), writeRanges([[5, 6]]).subarray(0, 4)]))).toEqual([])
  expect(readDrop(writeDrop([5, 9]))).toEqual([5, 9])
  expect(readDrop(writeDrop([9, 5]))).toBe(null)
})

test('reads full and light acknowledgements', () => {
  const said = { next: 5, rtt: 20_000, rttVariance: 3_000, room: 8_000, packetRate: 500, byteRate: 700_000 }
  const bytes = writeAcknowledgement(said)
  expect(readAcknowledgement(bytes)).toEqual({ next: 5, rtt: 20_000, rttVariance: 3_000, room: 8_000 })
  expect(readAcknowledgement(bytes.subarray(0, 4))).toEqual({ next: 5 })
  expect(readAcknowledgement(bytes.subarray(0, 3))).toBe(null)
})

test('reads a written handshake with its extensions', () => {
  const said = {
    version: 5,
    encryption: 2,
    extension: 5,
    sequence: 77,
    mtu: 1500,
    window: 8192,
    type: handshakeType.conclusion,
    socket: 0x12345678,
    cookie: 0xdeadbeef,
    extensions: [
      { type: 1, content: Buffer.alloc(12, 1) },
      { type: 5, content: writeText('live/some-key') },
    ],
  }
  const bytes = writeHandshake(said)
  expect(readHandshake(bytes)).toEqual(said)
  expect(readText(readHandshake(bytes)?.extensions[1]?.content ?? Buffer.alloc(0))).toBe('live/some-key')
  // An extension whose length exceeds the datagram.
  expect(readHandshake(bytes.subarray(0, bytes.length - 4))).toBe(null)
  // libsrt sends each four letters reversed.
  expect(writeText('STREAM').toString('latin1')).toBe('ERTS\0\0MA')
})

test.each([
  ['key-1', 'publish', 'key-1'],
  ['live/key-1', 'publish', 'key-1'],
  ['pull/key-1', 'play', 'key-1'],
  ['#!::r=key-1,m=publish', 'publish', 'key-1'],
  ['#!::m=request,u=somebody,r=key-1', 'play', 'key-1'],
  ['#!::r=pull/key-1', 'play', 'key-1'],
  ['%23!%3A%3Ar%3Dkey-1%2Cm%3Dpublish', 'publish', 'key-1'],
] as const)('reads the stream id %s', (text, mode, key) => {
  expect(readStreamId(text)).toEqual({ mode, isBackup: false, key, number: null })
})

test.each([
  ['project/7', 'publish'],
  ['#!::r=project/7,m=publish', 'publish'],
  ['pull/7', 'play'],
] as const)('reads the key number in the stream id %s', (text, mode) => {
  expect(readStreamId(text)).toEqual({ mode, isBackup: false, key: null, number: 7 })
})

test('reads the suffix of a backup encoder behind keys and project numbers, and of no player', () => {
  const backup = { mode: 'publish', isBackup: true }
  for (const text of ['abc-backup', 'live/abc-backup', '#!::r=abc-backup,m=publish'])
    expect(readStreamId(text)).toEqual({ ...backup, key: 'abc', number: null })
  for (const text of ['project/7-backup', '#!::r=project/7-backup,m=publish'])
    expect(readStreamId(text)).toEqual({ ...backup, key: null, number: 7 })
  expect(readStreamId('pull/abc-backup')).toMatchObject({ mode: 'play', isBackup: false, key: 'abc-backup' })
  for (const text of ['-backup', 'live/-backup', 'project/-backup', 'project/7-backup-backup'])
    expect(readStreamId(text)).toBeNull()
})

test.each([
  'project/seven',
  '#!::r=project/7,m=request',
  '',
  'pull/',
  '#!::',
  '#!::m=publish',
  '#!::r=key,m=bidirectional',
  '#!::r=pull/key,m=publish',
  '#!::r',
])('rejects the stream id %j', (text) => {
  expect(readStreamId(text)).toBe(null)
})
