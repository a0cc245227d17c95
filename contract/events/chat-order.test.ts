// The rule for changes of a chat: batches of two replicas that are delayed, doubled or lost.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatChange } from './chat.ts'
import { changesOf, ChatOrder, isDeletedBy, starAfter } from './chat-order.ts'

const starred = (rev: number): ChatChange => ({ action: 'starred', event_id: `e${rev}`, rev })
/** A batch with all changes of a range. */
const batch = (after: number, upto: number) => ({
  after,
  upto,
  payload: Array.from({ length: upto - after }, (_, at) => starred(after + at + 1)),
})
const revs = (changes: readonly ChatChange[]) => changes.flatMap((change) => ('rev' in change ? [change.rev] : []))

test('applies batches in order, drops known ones, and keeps one back until the missing one arrives', () => {
  const order = new ChatOrder()
  expect(revs(order.take(batch(2, 4)))).toEqual([])
  expect(revs(order.reach(2))).toEqual([3, 4])
  expect(revs(order.take(batch(2, 4)))).toEqual([])
  expect(revs(order.take(batch(6, 7)))).toEqual([])
  expect([order.mine, order.isBehind]).toEqual([4, true])
  expect(revs(order.take(batch(4, 6)))).toEqual([5, 6, 7])
  expect([order.mine, order.isBehind]).toEqual([7, false])
})

test('applies the rest of a batch that a page has in part', () => {
  const order = new ChatOrder()
  order.reach(5)
  expect(revs(order.take(batch(2, 8)))).toEqual([6, 7, 8])
})

test('invariant 5: deletes immediately, and shows no text whose deletion waits', () => {
  const order = new ChatOrder()
  order.reach(2)
  const got = (event_id: string, rev: number) => ({ action: 'got', event_id, rev }) as ChatChange
  const gone: ChatChange = { action: 'deleted', event_id: 'one', rev: 8 }
  expect(order.take({ after: 7, upto: 9, payload: [gone, got('two', 9)] })).toEqual([gone])
  expect(order.take({ after: 2, upto: 4, payload: [got('one', 3), got('three', 4)] })).toEqual([got('three', 4), gone])
  expect(order.reach(6)).toEqual([gone])
  expect(order.take({ after: 6, upto: 7, payload: [] })).toEqual([gone, got('two', 9)])
})

test('applies changes without numbers immediately, once', () => {
  const order = new ChatOrder()
  const gap: ChatChange = { action: 'gap', restream_id: 1, since: '' }
  expect(order.take({ payload: [gap] })).toEqual([gap])
  expect(order.take({ ...batch(3, 4), payload: [gap, starred(4)] })).toEqual([gap])
  expect(revs(order.reach(3))).toEqual([4])
})

test('any order, repetition and loss of batches, with reads where one is missing, gives every change once', () => {
  const size = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(size, fc.infiniteStream(fc.nat()), fc.nat(20), (sizes, random, start) => {
      const batches: ReturnType<typeof batch>[] = []
      for (const one of sizes) batches.push(batch(batches.at(-1)?.upto ?? 0, (batches.at(-1)?.upto ?? 0) + one))
      const last = batches.at(-1)?.upto ?? 0
      const next = () => random.next().value
      const sent = batches
        .flatMap((one) => Array.from({ length: next() % 3 }, () => one))
        .map((one) => ({ one, at: next() }))
        .toSorted((a, b) => a.at - b.at)
      const order = new ChatOrder()
      const first = Math.min(start, last)
      const applied: number[] = revs(order.reach(first))
      for (const { one } of sent) applied.push(...revs(order.take(one)))
      const read = order.mine ?? 0
      applied.push(...Array.from({ length: last - read }, (_, at) => read + at + 1))
      order.reach(last)
      expect(applied).toEqual(Array.from({ length: last - first }, (_, at) => first + at + 1))
      expect(order.isBehind).toBe(false)
    }),
  )
})

test('an older deletion and an older star change nothing', () => {
  const message = { event_id: 'e1', is_outgoing: false, rev: 5, restreams: [{ restream_id: 1 }], sender: { id: 'Ann' } }
  const cleared = (rev: number, more: object = {}): ChatChange => ({
    action: 'cleared',
    restream_id: 1,
    sender_id: 'Ann',
    rev,
    ...more,
  })
  const fits = (change: ChatChange) => isDeletedBy(change, message)
  expect([fits(cleared(6)), fits(cleared(5)), fits(cleared(6, { sender_id: null }))]).toEqual([true, false, true])
  expect([fits(cleared(6, { restream_id: 2 })), fits(cleared(6, { sender_id: 'Bob' }))]).toEqual([false, false])
  expect(fits({ action: 'deleted', event_id: 'e1', rev: 5 })).toBe(false)
  expect(isDeletedBy(cleared(6), { ...message, is_outgoing: true })).toBe(false)
  const star = { starred: 'e1', star_rev: 5 }
  expect(starAfter(star, [{ action: 'starred', event_id: null, rev: 4 }])).toBe(star)
  const page = {
    items: [{ event_id: 'e1', rev: 6, gone: true } as const],
    starred: null,
    star_rev: 7,
    upto: 7,
    last: 7,
  }
  expect(starAfter(star, changesOf(page))).toEqual({ starred: null, star_rev: 7 })
  expect(changesOf(page)[0]).toEqual({ action: 'deleted', event_id: 'e1', rev: 6 })
})
