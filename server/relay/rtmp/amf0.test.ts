import { expect, test } from 'vitest'
import { decodeAmf, encodeAmf } from './amf0.ts'
import { ProtocolError } from './protocol-error.ts'

test('reads written values', () => {
  const values = [
    'connect',
    1,
    { app: 'live', ok: true, nothing: null, list: [1, 'a'], deep: { x: -0.5 } },
    undefined,
    'é'.repeat(40_000),
  ]
  expect(decodeAmf(encodeAmf(...values))).toEqual(values)
})

test('reads a map, which encoders send as metadata', () => {
  const bytes = Buffer.concat([
    Buffer.from([8, 0, 0, 0, 1, 0, 5]),
    Buffer.from('width'),
    encodeAmf(1920),
    Buffer.from([0, 0, 9]),
  ])
  expect(decodeAmf(bytes)).toEqual([{ width: 1920 }])
})

test('treats prototype names like other keys', () => {
  const bytes = Buffer.concat([
    Buffer.from([3, 0, 9]),
    Buffer.from('__proto__'),
    encodeAmf({ polluted: true }),
    Buffer.from([0, 0, 9]),
  ])
  const [value] = decodeAmf(bytes)
  expect(Object.getPrototypeOf(value)).toBeNull()
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test.each([
  ['cut short', Buffer.from([0, 1, 2])],
  ['a text longer than its message', Buffer.from([2, 0xff, 0xff, 65])],
  ['an array that claims four thousand million values', Buffer.from([10, 0xff, 0xff, 0xff, 0xff])],
  ['an unknown marker', Buffer.from([0x42])],
  ['deeper than anybody needs', Buffer.concat(Array.from({ length: 40 }, () => Buffer.from([10, 0, 0, 0, 1])))],
  ['too many values', Buffer.alloc(10_000, 5)],
])('rejects %s', (_, bytes) => {
  expect(() => decodeAmf(bytes)).toThrow(ProtocolError)
})
