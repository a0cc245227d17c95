// Rounds of the desired state: failures, and the end of the service.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Services } from '#server/core/context.ts'
import { startSync } from './node-sync.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('waits for the running round at the end, so that none reads a closed database', async () => {
  const reading = Promise.withResolvers<number[]>()
  const published: number[] = []
  const { end } = startSync({ log: { error: expect.unreachable } } as unknown as Services, {
    connections: new Set(),
    publisher: { before: async () => {}, publish: (id) => published.push(id), publishAll() {}, close() {} },
    lostNodes: { end: () => reading.promise, fail: () => expect.unreachable() },
    announce: () => expect.unreachable(),
  })
  await vi.advanceTimersByTimeAsync(10_000)
  const ended = end().then(() => published)
  await vi.advanceTimersByTimeAsync(10_000)
  reading.resolve([7])
  expect(await ended).toEqual([7])
})
