// The overlay before the first answers of the service, and after a lost connection. No service runs: tests answer for it.
import { afterEach, beforeEach, vi } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import type { ChatChange } from '#contract/events/chat.ts'
import { messageOf } from '#src/components/message-list/fixtures.ts'
import type { FeedListener } from '#src/realtime/key-feed.ts'
import { expect, test } from '#src/testing/page-test.tsx'
import { startOverlay } from './overlay.ts'

const texts = () => [...document.querySelectorAll('#rows > li .text')].map((text) => text.textContent)
const starred = () => document.querySelector('.star .text')?.textContent
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const named = (from: number, to: number) => range(from, to).map((seq) => `Message ${seq}`)
const got = (seq: number): ChatChange => ({ action: 'got', ...messageOf(seq) })
const capabilities = (more: object = {}) =>
  Response.json({ hold_back: 0, results: [], starred: null, star_rev: 0, ...more })
const newest = (rev: number, ...seqs: number[]) =>
  Response.json({ total: seqs.length, rev, items: seqs.map((seq) => messageOf(seq)) })
const changed = (last: number, ...items: object[]) =>
  Response.json({ items, starred: null, star_rev: 0, upto: last, last })
const gone = (seq: number, rev: number) => ({ event_id: `e${seq}`, rev, gone: true })
const deleted = (seq: number, rev: number): ChatChange => ({ action: 'deleted', event_id: `e${seq}`, rev })

let stop = () => {}
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  document.body.innerHTML = ''
})

interface Feed extends FeedListener {
  /** Publishes changes without a range. */
  readonly send: (...payload: ChatChange[]) => void
  /** Publishes all changes of a range. */
  readonly batch: (after: number, upto: number, ...payload: ChatChange[]) => void
}

/** Lets the timers of requests run, and their answers arrive. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    vi.advanceTimersByTime(0)
    await new Promise(setImmediate)
  }
}

/** Opens the overlay in a broadcast. @returns what its connection reports */
function openOverlay(hash: string): Feed {
  document.body.innerHTML = '<ol id="rows"></ol>'
  const feeds: FeedListener[] = []
  const list = document.querySelector<HTMLElement>('#rows')
  const at = { baseUrl: 'http://service.test', realtimeUrl: 'ws://service.test' }
  if (list) stop = startOverlay(list, hash, at, ({ listener }) => (feeds.push(listener), () => {}))
  const [feed] = feeds
  if (!feed) throw new Error('The overlay follows no key')
  feed.broadcast(9)
  const batch: Feed['batch'] = (after, upto, ...payload) => feed.data({ event: 'messages', after, upto, payload })
  return { ...feed, batch, send: (...payload) => feed.data({ event: 'messages', payload }) }
}

test('invariant 5: removes what was deleted while the connection was lost, and shows the others in order', async ({
  answer,
}) => {
  const after: (string | null)[] = []
  const release = Promise.withResolvers<void>()
  answer(chat.capabilities, () => capabilities())
  answer(chat.messages, () => newest(3, 1, 2, 3))
  answer(chat.changes, async (_send, url) => {
    after.push(url.searchParams.get('after'))
    await release.promise
    return changed(8, messageOf(4), messageOf(5), gone(1, 6), gone(2, 7), messageOf(8))
  })
  const feed = openOverlay('#key=any')
  feed.connected()
  await settle()
  expect(texts()).toEqual(named(1, 3))
  feed.lost?.()
  feed.connected()
  await settle()
  // Deleted while the answer is under way.
  feed.batch(8, 10, got(9), deleted(4, 10))
  expect(texts()).toEqual(named(1, 3))
  release.resolve()
  await settle()
  expect([texts(), after]).toEqual([['Message 3', 'Message 5', 'Message 8', 'Message 9'], ['3']])
})

test('invariant 5: waits for a missing batch before it shows a message, and reads it after 300 ms', async ({
  answer,
}) => {
  answer(chat.capabilities, () => capabilities())
  answer(chat.messages, () => newest(1, 1))
  answer(chat.changes, () => changed(5, messageOf(2), gone(1, 4), messageOf(5)))
  const feed = openOverlay('#key=any')
  feed.connected()
  await settle()
  feed.batch(3, 4, deleted(1, 4))
  feed.batch(1, 3, got(2), got(3))
  expect(texts()).toEqual(named(2, 3))
  feed.batch(5, 6, got(6))
  vi.advanceTimersByTime(299)
  await settle()
  expect(texts()).toEqual(named(2, 3))
  vi.advanceTimersByTime(1)
  await settle()
  expect(texts()).toEqual(['Message 2', 'Message 3', 'Message 5', 'Message 6'])
})

test('holds messages back before the service answers with the hold-back of the project', async ({ answer }) => {
  const release = Promise.withResolvers<Response>()
  answer(chat.capabilities, () => release.promise)
  answer(chat.messages, () => newest(0))
  const feed = openOverlay('#key=any')
  feed.connected()
  feed.send(got(1), got(2))
  vi.advanceTimersByTime(3_000)
  feed.send(got(3), deleted(1, 4))
  expect(texts()).toEqual([])
  release.resolve(capabilities({ hold_back: 2 }))
  await settle()
  // The page is shown in place of the samples; messages follow it.
  feed.batch(0, 2, got(1), got(2))
  vi.advanceTimersByTime(1_999)
  expect(texts()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(texts()).toEqual(['Message 1', 'Message 2'])
})

test('repeats the request for a star in one loop while the service fails, and not when it refuses', async ({
  answer,
}) => {
  const answers = [
    () => new Response('', { status: 503 }),
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => Response.json(messageOf(1)),
    () => Response.json({ name: 'MessageNotFound' }, { status: 400 }),
  ]
  let asked = 0
  answer(chat.capabilities, () => capabilities({ starred: 'e1', star_rev: 1 }))
  answer(chat.messages, () => newest(1))
  answer(chat.changes, () => changed(1))
  answer(chat.message, () => answers[asked++]?.() ?? Response.json(messageOf(9)))
  const feed = openOverlay('#key=any')
  for (let times = 1; times <= 2; times++) {
    feed.connected()
    await settle()
    expect(asked).toBe(1)
  }
  for (const times of [2, 3]) {
    vi.advanceTimersByTime(5_000)
    await settle()
    expect(asked).toBe(times)
  }
  expect(starred()).toBe('Message 1')
  feed.batch(1, 2, { action: 'starred', event_id: 'e2', rev: 2 })
  await settle()
  expect([asked, starred(), vi.getTimerCount()]).toEqual([4, undefined, 0])
})

test('without a connection, shows no message that waits, and catches up before it shows them', async ({ answer }) => {
  let answered = Promise.withResolvers<void>()
  let answers: Response[] = []
  answer(chat.capabilities, () => capabilities())
  answer(chat.messages, () => newest(0))
  answer(chat.changes, async () => {
    await answered.promise
    return answers.shift() ?? changed(0)
  })
  const feed = openOverlay('#key=any&hold=2')
  feed.connected()
  await settle()
  feed.batch(0, 3, got(1), got(2), got(3))
  feed.lost?.()
  vi.advanceTimersByTime(10_000)
  expect(texts()).toEqual([])
  // The second one was deleted meanwhile.
  answers = [changed(4, gone(2, 4)), changed(6, gone(3, 6))]
  feed.connected()
  await settle()
  feed.batch(4, 5, got(5))
  vi.advanceTimersByTime(2_000)
  expect(texts()).toEqual([])
  // The answer arrives after the connection was lost again.
  feed.lost?.()
  answered.resolve()
  await settle()
  expect(texts()).toEqual([])
  answered = Promise.withResolvers()
  feed.connected()
  await settle()
  expect(texts()).toEqual([])
  answered.resolve()
  await settle()
  expect(texts()).toEqual(['Message 1'])
  vi.advanceTimersByTime(2_000)
  expect(texts()).toEqual(['Message 1', 'Message 5'])
})

test('with fading rows, shows no messages of the past after a lost connection', async ({ answer }) => {
  answer(chat.capabilities, () => capabilities())
  answer(chat.messages, () => newest(1, 1))
  answer(chat.changes, () => changed(2, messageOf(2)))
  const feed = openOverlay('#key=any&fade=5')
  feed.connected()
  await settle()
  feed.lost?.()
  feed.connected()
  await settle()
  feed.batch(2, 3, got(3))
  expect(texts()).toEqual(['Message 3'])
})

test('begins with the newest messages anew after too many missed changes', async ({ answer }) => {
  let page = () => newest(2, 1, 2)
  answer(chat.capabilities, () => capabilities())
  answer(chat.messages, () => page())
  answer(chat.changes, () => Response.json({ items: [], starred: null, star_rev: 0, upto: 502, last: 9_000 }))
  const feed = openOverlay('#key=any')
  feed.connected()
  await settle()
  expect(texts()).toEqual(named(1, 2))
  page = () => newest(9_000, ...range(8_900, 8_959))
  feed.connected()
  await settle()
  expect(texts()).toEqual(named(8_940, 8_959))
})
