// Follows a chat: missing batches, reads after a lost connection, failures and refusals.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { ChatChange } from '#contract/events/chat.ts'
import type { ChangesPage } from '#contract/events/chat-order.ts'
import { followChat, type FollowOptions } from './chat-follower.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const message = (rev: number) => ({ event_id: `e${rev}`, rev }) as ChatMessage
const batch = (after: number, upto: number) => ({
  after,
  upto,
  payload: Array.from({ length: upto - after }, (_, at): ChatChange => ({
    action: 'got',
    ...message(after + at + 1),
  })),
})

/** A follower of a service with so many changes. */
function scene(last: number, options: Partial<FollowOptions> = {}) {
  const asked: (number | 'newest')[] = []
  const applied: number[] = []
  const current: boolean[] = []
  const on = { last, limit: 500, error: null as unknown }
  const follower = followChat({
    apply: (changes) => applied.push(...changes.flatMap((change) => (change.action === 'got' ? [change.rev] : []))),
    read: async (after): Promise<ChangesPage> => {
      asked.push(after)
      if (on.error !== null) throw on.error
      const upto = Math.min(on.last, after + on.limit)
      const items = Array.from({ length: Math.max(upto - after, 0) }, (_, at) => message(after + at + 1))
      return { items, starred: null, star_rev: 0, upto: Math.max(upto, after), last: on.last }
    },
    restart: async () => {
      asked.push('newest')
      return { rev: on.last, show: () => void applied.splice(0) }
    },
    onCurrent: (isCurrent) => current.push(isCurrent),
    ...options,
  })
  return { ...follower, asked, applied, current, on }
}
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('waits 300 ms for a missing batch, and reads the changes then', async () => {
  const { loaded, take, asked, applied, current } = scene(6)
  loaded(2)
  take(batch(4, 6))
  await wait(200)
  take(batch(2, 4))
  await wait(1_000)
  expect([asked, applied, current]).toEqual([[], [3, 4, 5, 6], [false, true]])
  const other = scene(6)
  other.loaded(2)
  other.take(batch(4, 6))
  await wait(299)
  expect(other.asked).toEqual([])
  await wait(1)
  expect([other.asked, other.applied]).toEqual([[2], [3, 4, 5, 6]])
})

test('reads after the subscription, once the first page is there, and within 3 s after a lost connection', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { loaded, catchUp, take, asked, applied, current, on } = scene(3)
  catchUp('subscribed')
  await wait(1_000)
  expect(asked).toEqual([])
  loaded(1)
  await wait(0)
  expect([asked, applied, current]).toEqual([[1], [2, 3], [false, true]])
  on.last = 5
  catchUp('reconnected')
  // A missing batch does not bring the read forward.
  take(batch(4, 5))
  await wait(1_499)
  expect(asked).toHaveLength(1)
  await wait(1)
  expect([asked, applied]).toEqual([
    [1, 3],
    [2, 3, 4, 5],
  ])
})

test('reads pages until none is left, with pauses after the second one', async () => {
  const { loaded, catchUp, asked, applied } = scene(1_900)
  loaded(0)
  catchUp('subscribed')
  await wait(249)
  expect(asked).toEqual([0, 500])
  await wait(251)
  expect(asked).toEqual([0, 500, 1_000, 1_500])
  expect(applied).toHaveLength(1_900)
})

test('loads the newest page after more missed changes than a list keeps', async () => {
  const { loaded, catchUp, take, asked, applied, on } = scene(3)
  loaded(3)
  on.last = 5_504
  catchUp('subscribed')
  await wait(1)
  expect(asked).toEqual([3, 'newest'])
  take(batch(5_500, 5_506))
  expect(applied).toEqual([5_505, 5_506])
})

test('repeats a failed request after 1 s, doubling to 30 s, and not after its stop', async () => {
  const { loaded, catchUp, start, asked, current, on } = scene(3)
  const stop = start()
  loaded(1)
  on.error = new Error('down')
  catchUp('subscribed')
  await wait(0)
  for (const [failures, delayMs] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    await wait(delayMs - 1)
    expect(asked).toHaveLength(failures + 1)
    await wait(1)
    expect(asked).toHaveLength(failures + 2)
  }
  expect(current).toEqual([false])
  stop()
  await wait(60_000)
  expect(asked).toHaveLength(8)
  on.error = null
  start()
  await wait(60_000)
  expect([asked.length, current]).toEqual([9, [false, true]])
})

test('waits as long as the service names, also at intervals and after a reconnect', async () => {
  const { loaded, catchUp, asked, on } = scene(3, { delayAfter: () => 45_000 })
  loaded(1)
  on.error = new Error('busy')
  catchUp('subscribed')
  await wait(0)
  catchUp('polled')
  catchUp('reconnected')
  await wait(44_999)
  expect(asked).toHaveLength(1)
  await wait(1)
  expect(asked).toHaveLength(2)
})

test('sends no request after a refusal until it is allowed, or a new subscription is granted', async () => {
  const { loaded, catchUp, allow, asked, on } = scene(3, { delayAfter: () => null })
  loaded(1)
  on.error = new Error('refused')
  catchUp('subscribed')
  await wait(0)
  catchUp('polled')
  await wait(60_000)
  expect(asked).toHaveLength(1)
  allow()
  await wait(60_000)
  expect(asked).toHaveLength(2)
  on.error = null
  catchUp('subscribed')
  await wait(60_000)
  expect(asked).toHaveLength(3)
})

test('reads again when a subscription begins during a request', async () => {
  const { loaded, catchUp, asked, applied, on } = scene(2)
  loaded(1)
  catchUp('subscribed')
  vi.advanceTimersByTime(0)
  on.last = 3
  catchUp('subscribed')
  await wait(0)
  expect([asked, applied]).toEqual([
    [1, 2],
    [2, 3],
  ])
})
