// Watched projects over several replicas.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBus } from '#server/core/bus.ts'
import { createInterest, type Interest } from './interest.ts'

let messages: unknown[]
let parts: Interest[]
let reconnects: ((isConnected: boolean) => void)[]
beforeEach(() => {
  vi.useFakeTimers()
  ;[messages, parts, reconnects] = [[], [], []]
})
afterEach(() => {
  for (const part of parts) part.close()
  vi.useRealTimers()
})

/** Two replicas on one bus. @param subscribed of the first one */
function twoReplicas(subscribed: () => number[]): [Interest, Interest] {
  const shared = createBus(null, (error) => expect.fail(String(error)))
  shared.subscribe('interest', (message) => void messages.push(message))
  const bus = { ...shared, onConnection: (listener: (isUp: boolean) => void) => void reconnects.push(listener) }
  parts = [createInterest(bus, subscribed), createInterest(bus, () => [])]
  return parts as [Interest, Interest]
}

test('watches a project on every replica within a second of its first subscriber, and half a minute longer', () => {
  let ids = [7]
  const [, other] = twoReplicas(() => ids)
  expect(other.isWatched(7)).toBe(false)
  vi.advanceTimersByTime(1_000)
  expect([other.isWatched(7), other.isWatched(8)]).toEqual([true, false])
  vi.advanceTimersByTime(60_000)
  expect(other.isWatched(7)).toBe(true)
  ids = []
  vi.advanceTimersByTime(42_000)
  expect(other.isWatched(7)).toBe(false)
})

test('sends a message each ten seconds while projects are watched, and none otherwise', () => {
  let ids: number[] = []
  twoReplicas(() => ids)
  vi.advanceTimersByTime(60_000)
  expect(messages).toEqual([])
  ids = [7, 9]
  vi.advanceTimersByTime(30_000)
  expect(messages).toEqual([
    [7, 9],
    [7, 9],
    [7, 9],
  ])
})

test('declares its interest again when the connection of the replicas is back', () => {
  twoReplicas(() => [7])
  vi.advanceTimersByTime(1_000)
  reconnects[0]?.(true)
  vi.advanceTimersByTime(1_000)
  expect(messages).toHaveLength(2)
})
