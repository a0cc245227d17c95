// Repetition of a task: intervals, failures, stopping.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeat } from './repeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const refuse = (error: unknown) => expect.unreachable(String(error))

test('runs a task at each tick, and skips ticks during a turn', async () => {
  let turns = 0
  let turn = Promise.withResolvers<void>()
  const stop = repeat(100, () => (turns++, turn.promise), refuse)
  await vi.advanceTimersByTimeAsync(99)
  expect(turns).toBe(0)
  await vi.advanceTimersByTimeAsync(301)
  expect(turns).toBe(1)
  turn.resolve()
  turn = Promise.withResolvers()
  await vi.advanceTimersByTimeAsync(100)
  expect(turns).toBe(2)
  turn.resolve()
  await stop()
})

test('continues after a turn that fails', async () => {
  const errors: unknown[] = []
  let turns = 0
  const tasks = [
    () => Promise.reject(new Error('later')),
    () => {
      throw new Error('sync')
    },
  ]
  const stop = repeat(
    100,
    () => tasks[turns++]?.() ?? Promise.resolve(),
    (error) => errors.push(error),
  )
  await vi.advanceTimersByTimeAsync(300)
  expect(turns).toBe(3)
  expect(errors.map(String)).toEqual(['Error: later', 'Error: sync'])
  await stop()
})

test('stopping waits for the running turn, and no other begins', async () => {
  let turns = 0
  let isStopped = false
  const turn = Promise.withResolvers<void>()
  const stop = repeat(100, () => (turns++, turn.promise), refuse)
  await vi.advanceTimersByTimeAsync(100)
  const stopping = stop().then(() => (isStopped = true))
  await vi.advanceTimersByTimeAsync(1_000)
  expect([turns, isStopped]).toEqual([1, false])
  turn.resolve()
  await stopping
  await vi.advanceTimersByTimeAsync(1_000)
  expect([turns, isStopped]).toEqual([1, true])
})
