// Watched projects over several replicas.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Replicas } from '#server/db/replicas.ts'
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
  const listeners: ((message: never) => void)[] = []
  const replicas = {
    topic: () => ({
      publish: (message: unknown) => {
        messages.push(message)
        for (const listener of listeners) listener(message as never)
      },
      onMessage: (listener: (message: never) => void) => void listeners.push(listener),
    }),
    onConnection: (listener: (isConnected: boolean) => void) => void reconnects.push(listener),
  } as unknown as Replicas
  parts = [createInterest(replicas, subscribed), createInterest(replicas, () => [])]
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
