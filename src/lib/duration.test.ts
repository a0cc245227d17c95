import { expect, test } from 'vitest'
import { formatDuration } from './duration.ts'

test.each([
  [-1, '0:00'],
  [5_999, '0:05'],
  [754_000, '12:34'],
  [3_723_000, '1:02:03'],
  [360_000_000, '100:00:00'],
])('%i ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
