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
  Response.json({ hold_back: 0, results: [], starred: null, star_seq: 0, ...more })

let stop = () => {}
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  document.body.innerHTML = ''
})

/** Opens the overlay in a broadcast. @returns what its connection reports */
function openOverlay(hash: string): FeedListener & { readonly send: (...payload: ChatChange[]) => void } {
  document.body.innerHTML = '<ol id="rows"></ol>'
  const feeds: FeedListener[] = []
  const list = document.querySelector<HTMLElement>('#rows')
  const at = { baseUrl: 'http://service.test', realtimeUrl: 'ws://service.test' }
  if (list) stop = startOverlay(list, hash, at, ({ listener }) => (feeds.push(listener), () => {}))
  const [feed] = feeds
  if (!feed) throw new Error('The overlay follows no key')
  feed.broadcast(9)
  return { ...feed, send: (...payload) => feed.data({ event: 'messages', payload }) }
}

test('invariant 5: removes what was deleted while the connection was lost, and shows the others in order', async ({
  answer,
}) => {
  let stored = [messageOf(1), messageOf(2), messageOf(3)]
  let answered = Promise.resolve()
  answer(chat.capabilities, () => capabilities())
  answer(chat.messages, async () => {
    const items = stored
    await answered
    return Response.json({ total: items.length, items })
  })
  const feed = openOverlay('#key=any')
  feed.connected(true)
  await expect.poll(texts).toEqual(['Message 1', 'Message 2', 'Message 3'])
  // The first row was deleted, the second one hidden; the new one is deleted while the answer is under way.
  stored = [messageOf(1, { deleted: true, text: '' }), messageOf(3), messageOf(4), messageOf(5)]
  const release = Promise.withResolvers<void>()
  answered = release.promise
  feed.connected(true)
  feed.send(got(7), { action: 'deleted', event_id: 'e4' })
  expect(texts()).toEqual(['Message 1', 'Message 2', 'Message 3', 'Message 7'])
  release.resolve()
  await expect.poll(texts).toEqual(['Message 3', 'Message 5', 'Message 7'])
})

test('holds messages back before the service answers with the hold-back of the project', async ({ answer }) => {
  const release = Promise.withResolvers<Response>()
  answer(chat.capabilities, () => release.promise)
  answer(chat.messages, () => Response.json({ total: 0, items: [] }))
  const feed = openOverlay('#key=any')
  feed.connected(true)
  feed.send(got(1), got(2))
  vi.advanceTimersByTime(3_000)
  feed.send(got(3), { action: 'deleted', event_id: 'e1' })
  expect(texts()).toEqual([])
  release.resolve(capabilities({ hold_back: 2 }))
  // It has waited longer than that.
  await expect.poll(texts).toEqual(['Message 2'])
  vi.advanceTimersByTime(2_000)
  expect(texts()).toEqual(['Message 2', 'Message 3'])
})

test('keeps all messages that the service still has when the connection was lost, also those that wait', async ({
  answer,
}) => {
  const stored = range(1, 140).filter((seq) => seq !== 99)
  answer(chat.capabilities, () => capabilities())
  answer(chat.messages, (_send, url) => {
    const items = stored.slice(-Number(url.searchParams.get('limit'))).map((seq) => messageOf(seq))
    return Response.json({ total: items.length, items })
  })
  const feed = openOverlay('#key=any&hold=10')
  feed.send(...range(1, 60).map(got))
  vi.advanceTimersByTime(10_000)
  feed.send(...range(61, 100).map(got))
  vi.advanceTimersByTime(5_000)
  feed.send(...range(101, 138).map(got))
  feed.connected(true)
  // Those that waited, without the deleted one, and two that were missed.
  await expect.poll(() => vi.getTimerCount()).toBe(77 + 2)
  expect(texts()).toEqual(named(1, 60))
  vi.advanceTimersByTime(5_000)
  expect(texts()).toEqual([...named(40, 98), 'Message 100'])
  vi.advanceTimersByTime(5_000)
  expect(texts()).toEqual([...named(80, 98), ...named(100, 140)])
})

test('repeats the request for a star in one loop while the service fails, and not when it refuses', async ({
  answer,
}) => {
  const answers = [
    () => new Response('', { status: 503 }),
    () => new Response('', { status: 503 }),
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => Response.json(messageOf(1)),
    () => Response.json({ name: 'MessageNotFound' }, { status: 400 }),
  ]
  let asked = 0
  answer(chat.capabilities, () => capabilities({ starred: 'e1', star_seq: 1 }))
  answer(chat.messages, () => Response.json({ total: 0, items: [] }))
  answer(chat.message, () => answers[asked++]?.() ?? Response.json(messageOf(9)))
  const feed = openOverlay('#key=any')
  for (const times of [1, 2]) {
    feed.connected(true)
    await expect.poll(() => [asked, vi.getTimerCount()]).toEqual([times, 1])
  }
  vi.advanceTimersByTime(5_000)
  await expect.poll(() => [asked, vi.getTimerCount()]).toEqual([3, 1])
  vi.advanceTimersByTime(5_000)
  await expect.poll(starred).toBe('Message 1')
  feed.send({ action: 'starred', event_id: 'e2', star_seq: 2 })
  await expect.poll(() => asked).toBe(5)
  await new Promise(setImmediate)
  expect([starred(), vi.getTimerCount()]).toEqual([undefined, 0])
})

test('without a connection, shows no message that waits, and catches up before it shows them', async ({ answer }) => {
  let stored = [messageOf(1), messageOf(3), messageOf(4)]
  let answered = Promise.withResolvers<void>()
  answer(chat.capabilities, () => capabilities())
  let answers = 0
  answer(chat.messages, async () => {
    const items = stored
    await answered.promise
    answers += 1
    return Response.json({ total: items.length, items })
  })
  const feed = openOverlay('#key=any&hold=2')
  feed.send(got(1), got(2), got(3))
  feed.lost?.()
  vi.advanceTimersByTime(10_000)
  expect(texts()).toEqual([])
  // The second one was deleted meanwhile. A message that arrives now is not held longer than its hold-back.
  feed.connected(true)
  feed.send(got(5))
  vi.advanceTimersByTime(2_000)
  expect(texts()).toEqual(['Message 5'])
  // The answer arrives after the connection was lost again.
  feed.lost?.()
  answered.resolve()
  await expect.poll(() => answers).toBe(1)
  await new Promise(setImmediate)
  expect(texts()).toEqual(['Message 5'])
  stored = [messageOf(1), messageOf(4), messageOf(5)]
  answered = Promise.withResolvers()
  answered.resolve()
  feed.connected(true)
  await expect.poll(texts).toEqual(['Message 1', 'Message 5'])
  vi.advanceTimersByTime(2_000)
  expect(texts()).toEqual(['Message 1', 'Message 4', 'Message 5'])
})

test('after a lost connection, applies the deletions that it missed before it shows messages that waited', async () => {
  const feed = openOverlay('#key=any&hold=2')
  feed.send(got(1), got(2))
  feed.lost?.()
  vi.advanceTimersByTime(10_000)
  feed.connected(false)
  feed.send({ action: 'deleted', event_id: 'e1' })
  await expect.poll(texts).toEqual(['Message 2'])
})

test('invariant 5: shows no message that arrives after its deletion', async () => {
  const feed = openOverlay('#key=any&hold=0')
  feed.send({ action: 'deleted', event_id: 'e1', last_seq: 4 })
  feed.send(got(1), got(2))
  expect(texts()).toEqual(['Message 2'])
})

test('invariant 5: an answer from before a lost connection shows no message that was deleted meanwhile', async ({
  answer,
}) => {
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let stored = [messageOf(1), messageOf(2)]
  let asked = 0
  let answered = 0
  answer(chat.capabilities, () => capabilities())
  answer(chat.messages, async () => {
    const items = stored
    await answers[asked++]?.promise
    answered++
    return Response.json({ total: items.length, items })
  })
  const feed = openOverlay('#key=any&hold=0')
  feed.connected(true)
  await expect.poll(() => asked).toBe(1)
  feed.lost?.()
  stored = [messageOf(1)]
  feed.connected(true)
  await expect.poll(() => asked).toBe(2)
  answers[0]?.resolve()
  await expect.poll(() => answered).toBe(1)
  await new Promise(setImmediate)
  answers[1]?.resolve()
  await expect.poll(() => answered).toBe(2)
  await expect.poll(texts).toEqual(['Message 1'])
})
