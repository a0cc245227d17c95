// The catch-up of a message list: what is missing is loaded, in any order of first page, subscription and arrivals.
import { afterEach, expect, test, vi } from 'vitest'
import { messageOf } from '#src/components/message-list/fixtures.ts'
import { scene, some, upTo } from './catch-up-scene.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('loads what was stored between the first page and the subscription', async () => {
  const on = scene(some(1, 2, 3))
  on.catchUp('all')
  on.arrive(3)
  on.log.load(some(1))
  on.loaded()
  await expect.poll(on.seen).toEqual([1, 2, 3])
  expect(on.asked).toEqual([0])
})

test('sends no request after a first page without a new subscription', () => {
  const on = scene(some(1))
  on.loaded()
  expect(on.asked).toEqual([])
})

test('continues after the last message of a page, not after one that arrived meanwhile', async () => {
  const on = scene(some(...upTo(1_200)))
  on.log.load(some(1))
  on.loaded()
  on.onAsk(() => on.arrive(1_200))
  on.catchUp('all')
  await expect.poll(() => on.seen().length).toBe(1_200)
})

test('reads on after pages that have fewer messages than their limit', async () => {
  const { log, seen, gone, asked, loaded, catchUp } = scene(some(...upTo(100)), undefined, 30)
  log.load(some(...upTo(60)))
  loaded()
  catchUp('all')
  await vi.waitFor(() => expect(seen()).toEqual(upTo(100)), 5_000)
  expect([asked, gone()]).toEqual([[0, 30, 60, 90], []])
})

test('sends another request when a subscription begins during a request', async () => {
  const stored = some(1, 2)
  const on = scene(stored)
  on.log.load(some(1))
  on.loaded()
  on.catchUp('all')
  stored.push(messageOf(3))
  on.catchUp('all')
  await expect.poll(on.seen).toEqual([1, 2, 3])
  expect(on.asked).toEqual([0, 0])
})

test('invariant 5: marks what was deleted or hidden while the connection was lost, and shows what is visible again', async () => {
  const stored = some(1, 2, 3, 4, 5)
  const on = scene(stored)
  on.log.load(stored)
  on.loaded()
  on.log.receive([{ is: 'deleted', eventId: 'e4' }])
  // 2 was deleted and keeps its row, 3 and the last one were hidden, 4 was shown again.
  stored.splice(1, 2, messageOf(2, { deleted: true, text: '' }))
  stored.pop()
  on.catchUp('all')
  await expect.poll(on.gone).toEqual([2, 3, 5])
  expect(on.seen()).toEqual([1, 2, 3, 4, 5])
})

test('invariant 5: a deletion during the request wins over its answer', async () => {
  const stored = some(1, 2, 3)
  const on = scene(stored)
  on.log.load(some(1, 2))
  on.loaded()
  on.onAsk(() => {
    on.log.receive([
      { is: 'deleted', eventId: 'e2' },
      { is: 'deleted', eventId: 'e3' },
    ])
    // After the answer was made.
    on.arrive(4)
  })
  on.catchUp('all')
  await expect.poll(on.gone).toEqual([2])
  expect(on.seen()).toEqual([1, 2, 4])
})

test('without a connection, compares the newest hundred messages only', async () => {
  const stored = some(...upTo(300))
  const on = scene(stored)
  on.log.load(stored)
  on.loaded()
  stored.splice(250, 1)
  on.catchUp('recent')
  await expect.poll(on.gone).toEqual([251])
  expect(on.asked).toEqual([200])
})

test('after too many missed messages, keeps nothing that is unknown and marks the gap', async () => {
  vi.useFakeTimers()
  const stored = some(...upTo(12_000))
  const on = scene(stored)
  on.log.load(some(1, 2))
  on.log.load([messageOf(11_000)])
  on.loaded()
  on.catchUp('all')
  // Two pages are compared, the others follow with pauses.
  await vi.advanceTimersByTimeAsync(249)
  expect(on.asked).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(on.asked).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(17 * 250 + 500)
  expect(on.seen().at(-1)).toBe(12_000)
  expect(on.seen()).not.toContain(11_000)
  expect(on.seen().filter((seq) => seq > 10_000)).toHaveLength(200)
  expect(on.log.view().live.filter(({ kind }) => kind === 'gap')).toHaveLength(1)
})

test('marks the gap between the messages around it, also while others arrive', async () => {
  vi.useFakeTimers()
  const stored = some(...upTo(12_000))
  const on = scene(stored)
  on.log.load(some(1, 2))
  on.loaded()
  on.catchUp('all')
  await vi.advanceTimersByTimeAsync(1_000)
  stored.push(messageOf(12_001))
  on.arrive(12_001)
  await vi.advanceTimersByTimeAsync(17 * 250 + 500)
  const rows = on.log.view().live
  const at = rows.findIndex(({ kind }) => kind === 'gap')
  expect([rows[at - 1]?.key, rows[at + 1]?.key]).toEqual(['e10000', 'e11802'])
  expect(on.seen().at(-1)).toBe(12_001)
})

test('sends no request after its stop: neither a retry, nor the next page', async () => {
  vi.useFakeTimers()
  const on = scene(some(...upTo(1_200)))
  on.log.load(some(1))
  on.loaded()
  const stop = on.start()
  on.setDown(true)
  on.catchUp('all')
  await vi.advanceTimersByTimeAsync(0)
  stop()
  on.setDown(false)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(on.asked).toEqual([0])
  const stopAgain = on.start()
  on.onAsk(stopAgain)
  on.catchUp('all')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(on.asked).toEqual([0, 0])
})

test('invariant 5: after a reconnect, compares the newest hundred messages immediately and the others within 3 s', async () => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const stored = some(...upTo(150))
  const on = scene(stored)
  on.log.load(stored)
  on.loaded()
  stored.splice(139, 1)
  stored.splice(9, 1)
  on.catchUp('reconnected')
  await vi.advanceTimersByTimeAsync(0)
  expect([on.asked, on.gone()]).toEqual([[50], [140]])
  await vi.advanceTimersByTimeAsync(1_499)
  expect(on.asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect([on.asked, on.gone()]).toEqual([
    [50, 0],
    [10, 140],
  ])
})

test('compares the newest thousand messages, and forgets the older ones until they are loaded again', async () => {
  const stored = some(...upTo(1_500))
  const on = scene(stored)
  on.log.load(stored)
  on.loaded()
  stored.splice(9, 1)
  stored.splice(999, 1)
  on.catchUp('all')
  expect(on.seen()[0]).toBe(501)
  await expect.poll(on.gone).toEqual([1_001])
  await expect.poll(() => on.asked).toEqual([500, 1_000])
  expect(on.forgotten()).toBe(1)
  on.log.load(some(499, 500))
  expect(on.seen().slice(0, 3)).toEqual([499, 500, 501])
})

test('with a filter, marks nothing as deleted, and removes rows that the answer leaves out', async () => {
  const stored = some(1, 2, 3, 4)
  const on = scene(stored, ({ seq }) => seq % 2 === 1)
  on.log.load(some(1, 3))
  on.loaded()
  on.arrive(4)
  // 3 fits, and was deleted while the connection was lost; 4 does not fit.
  stored.splice(2, 1, messageOf(5))
  on.catchUp('all')
  await expect.poll(on.seen).toEqual([1, 5])
  expect(on.gone()).toEqual([])
  on.arrive(4)
  expect(on.seen()).toEqual([1, 4, 5])
})
