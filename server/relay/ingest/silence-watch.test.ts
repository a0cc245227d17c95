// When a silence of an encoder counts as a loss.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentMs, watchSilence } from './silence-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([1, 50, 99, 249])('counts a silence after 1.0 to 1.1 s, with the last frame after %i ms', (lastMs) => {
  let silences = 0
  const watch = watchSilence(silentMs, () => void silences++)
  watch.receive()
  vi.advanceTimersByTime(5_000 + lastMs)
  silences = 0
  watch.receive()
  vi.advanceTimersByTime(silentMs - 1)
  expect(silences).toBe(0)
  vi.advanceTimersByTime(101)
  expect(silences).toBe(1)
  vi.advanceTimersByTime(60_000)
  expect(silences).toBe(1)
  watch.close()
})

test('waits ten seconds for the first frame', () => {
  let silences = 0
  const watch = watchSilence(silentMs, () => void silences++)
  vi.advanceTimersByTime(9_900)
  expect(silences).toBe(0)
  vi.advanceTimersByTime(200)
  expect(silences).toBe(1)
  watch.close()
})
