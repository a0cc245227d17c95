// Failed requests of the catch-up: delays, refusals, and a service that is too busy.
import { afterEach, expect, test, vi } from 'vitest'
import { HttpError, RateLimitError } from '#src/session/errors.ts'
import { scene, some } from './catch-up-scene.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('repeats failed requests after 1 s, doubling to 30 s, until one succeeds', async () => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const on = scene(some(1, 2, 3))
  on.log.load(some(1))
  on.loaded()
  on.setDown(true)
  on.catchUp('all')
  await vi.advanceTimersByTimeAsync(0)
  const delays = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]
  for (const [at, delay] of delays.entries()) {
    await vi.advanceTimersByTimeAsync(delay - 1)
    expect(on.asked).toHaveLength(at + 1)
    on.setDown(at < delays.length - 1)
    await vi.advanceTimersByTimeAsync(1)
    expect(on.asked).toHaveLength(at + 2)
  }
  expect(on.seen()).toEqual([1, 2, 3])
  on.setDown(true)
  on.catchUp('all')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(on.asked).toHaveLength(delays.length + 3)
})

test('ends its retries when the service refuses, until a new subscription or its rights allow them', async () => {
  vi.useFakeTimers()
  const stored = some(1, 2)
  const on = scene(stored)
  on.log.load(some(1))
  on.loaded()
  on.fail(new HttpError(403, new Headers(), null))
  on.catchUp('all')
  await vi.advanceTimersByTimeAsync(60_000)
  on.catchUp('recent')
  await vi.advanceTimersByTimeAsync(60_000)
  expect([on.asked.length, on.refusals()]).toEqual([1, 1])
  on.catchUp('all')
  await vi.advanceTimersByTimeAsync(60_000)
  expect([on.asked.length, on.refusals()]).toEqual([2, 2])
  on.fail(null)
  on.allow()
  await vi.advanceTimersByTimeAsync(0)
  expect(on.seen()).toEqual([1, 2])
  on.allow()
  expect(on.asked).toHaveLength(3)
})

test('waits as long as the service names when it is too busy, also at intervals and after a reconnect', async () => {
  vi.useFakeTimers()
  const on = scene(some(1, 2))
  on.log.load(some(1))
  on.loaded()
  on.fail(Object.assign(new RateLimitError(429, new Headers(), null), { retryAfterMs: 45_000 }))
  on.catchUp('all')
  await vi.advanceTimersByTimeAsync(0)
  on.fail(null)
  on.catchUp('recent')
  on.catchUp('reconnected')
  await vi.advanceTimersByTimeAsync(44_999)
  expect(on.asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(on.seen()).toEqual([1, 2])
})

test('repeats a failed request from the same message', async () => {
  const on = scene(some(1, 2, 3, 4))
  on.log.load(some(1))
  on.loaded()
  on.setDown(true)
  on.catchUp('all')
  await expect.poll(() => on.asked).toEqual([0])
  await new Promise(setImmediate)
  on.arrive(4)
  on.setDown(false)
  on.catchUp('all')
  await expect.poll(on.seen).toEqual([1, 2, 3, 4])
  expect(on.asked).toEqual([0, 0])
})
