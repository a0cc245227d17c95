import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes.ts'

test('formats amounts in the largest unit with the plural of the language', () => {
  expect([0, 1, 999].map((bytes) => formatBytes(bytes, 'en'))).toEqual(['0 bytes', '1 byte', '999 bytes'])
  expect([0, 1].map((bytes) => formatBytes(bytes, 'ru'))).toEqual(['0 байт', '1 байт'])
  expect(formatBytes(0, 'cn')).toBe('0字节')
  expect([1_000, 24_029_861, 5e15].map((bytes) => formatBytes(bytes, 'en'))).toEqual(['1 kB', '24 MB', '5,000 TB'])
})
