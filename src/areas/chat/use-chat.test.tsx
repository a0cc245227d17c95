// The messages of a chat page: requests around a subscription, older messages, and lost rights. No service runs.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import { keyOf } from '#src/api/query.ts'
import { configureApi } from '#src/api/runtime.ts'
import { messageOf } from '#src/components/message-list/fixtures.ts'
import type { ChannelListener } from '#src/realtime/connection.ts'
import { HttpError } from '#src/session/errors.ts'
import { type Capabilities, changeKnown, type ChatBy, useCapabilities, useMessages } from './use-chat.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const known: Capabilities = {
  broadcast_id: 2,
  on_air: true,
  may_write: true,
  hold_back: 0,
  starred: null,
  star_rev: 0,
  results: [],
}
const some = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => messageOf(from + at))

/** Answers requests of the page. */
function answer(request: (path: string, query: URLSearchParams) => object): void {
  const client = {
    request: async (path: string) => {
      const { pathname, searchParams } = new URL(path, 'http://h')
      return { body: request(pathname, searchParams) }
    },
  }
  const runtime = { baseUrl: 'http://h', realtimeUrl: 'ws://h', language: () => 'en' as const }
  configureApi({ ...runtime, session: {} as never, client: client as never })
}

/** Opens the messages of a broadcast with a number of stored ones. */
async function openChat(count: number) {
  const stored = some(1, count)
  /** Requests for messages and changes: before or after a number. */
  const asked: (string | null)[] = []
  let isRefused: boolean | string = false
  let during = () => {}
  answer((path, query) => {
    const [after, before] = [query.get('after'), query.get('before')]
    if (path === chat.messages.path || path === chat.changes.path) asked.push(after ?? before)
    if (isRefused === true || isRefused === path) throw new HttpError(403, new Headers(), null)
    if (path === chat.capabilities.path) return known
    const last = stored.length
    if (path === chat.changes.path) {
      const items = stored.filter(({ rev }) => rev > Number(after)).slice(0, 500)
      return { items, starred: null, star_rev: 0, upto: items.at(-1)?.rev ?? last, last }
    }
    const items = stored.filter(({ seq }) => seq < Number(before ?? Infinity)).slice(-Number(query.get('limit')))
    during()
    return { total: last, rev: last, items }
  })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const listeners: ChannelListener[] = []
  const join: ChatBy['join'] = (_id, listener) => (listeners.push(listener), () => {})
  const by: ChatBy = { project_id: 7, pollMs: false, join }
  const none = {}
  const { result } = renderHook(
    () => {
      useCapabilities(by)
      return useMessages(by, 2, true, none)
    },
    { wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider> },
  )
  await expect.poll(() => result.current.log.view().live.length).toBe(Math.min(200, count))
  const [listener] = listeners
  if (!listener) throw new Error('The page did not join the channel')
  return {
    result,
    asked,
    stored,
    listener,
    /** Refuses requests with this path, or all of them. */
    refuse: (value: boolean | string) => void (isRefused = value),
    askRights: () => queries.invalidateQueries({ queryKey: keyOf(chat.capabilities, { project_id: 7 }) }),
    /** Runs after the next answer with messages was made. */
    onAnswer: (run: () => void) => void (during = run),
    /** Publishes a batch. */
    publish: (after: number, upto: number, payload: unknown[]) => {
      const about = { broadcast_id: 2, event_id: 'batch', restream_id: null, platform: null }
      listener.data({ event: 'messages', ...about, after, upto, payload })
    },
  }
}
const texts = (result: { readonly current: ReturnType<typeof useMessages> }) =>
  result.current.log.view().live.map((row) => row.kind === 'message' && row.message.text)

test('reads changes after the first subscription, and after a lost connection', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.1)
  const { listener, asked, stored, result, publish } = await openChat(2)
  listener.connected()
  await expect.poll(() => asked).toEqual([null, '2'])
  act(() => publish(2, 3, [{ action: 'got', ...messageOf(3) }]))
  stored.push(...some(3, 4))
  expect(texts(result)).toEqual(['Message 1', 'Message 2', 'Message 3'])
  listener.connected()
  await expect.poll(() => texts(result)).toEqual(['Message 1', 'Message 2', 'Message 3', 'Message 4'])
  expect(asked).toEqual([null, '2', '3'])
})

test('invariant 5: a deletion during the request for older messages wins over its answer', async () => {
  const { listener, result, asked, stored, onAnswer, publish } = await openChat(250)
  listener.connected()
  await expect.poll(() => asked).toEqual([null, '250'])
  expect([result.current.hasOlder, texts(result)[0]]).toEqual([true, 'Message 51'])
  onAnswer(() => publish(250, 251, [{ action: 'deleted', event_id: 'e50', rev: 251 }]))
  stored.push(messageOf(251))
  await act(() => result.current.loadOlder())
  expect([result.current.hasOlder, texts(result)[48], texts(result)[49]]).toEqual([false, 'Message 49', ''])
})

test('loads the newest messages in place of all after too many missed changes, and offers older ones', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const { listener, result, asked, stored } = await openChat(150)
  listener.connected()
  await expect.poll(() => asked).toEqual([null, '150'])
  expect(result.current.hasOlder).toBe(false)
  stored.push(...some(151, 6_000))
  listener.connected()
  await expect.poll(() => texts(result)[0]).toBe('Message 5801')
  expect([asked, texts(result).length]).toEqual([[null, '150', '150', null], 200])
  await expect.poll(() => result.current.hasOlder).toBe(true)
})

test('sends no request after a refusal until the service answers for the rights again', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const { listener, asked, refuse, askRights } = await openChat(1)
  refuse(true)
  listener.connected()
  await expect.poll(() => asked).toEqual([null, '1'])
  await act(askRights)
  refuse(false)
  await act(askRights)
  await expect.poll(() => asked, { timeout: 3_000 }).toEqual([null, '1', '1'])
})

test('repeats a refused request with a pause while the service grants the rights', async () => {
  const { listener, result, asked, refuse, askRights } = await openChat(1)
  refuse(chat.changes.path)
  vi.useFakeTimers()
  listener.connected()
  await act(() => vi.advanceTimersByTimeAsync(400))
  expect(asked).toEqual([null, '1'])
  await act(() => vi.advanceTimersByTimeAsync(600))
  expect(asked).toEqual([null, '1', '1'])
  refuse(false)
  await act(askRights)
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(asked).toEqual([null, '1', '1', '1'])
  expect(result.current.log.view().live).toHaveLength(1)
})

test('ignores the star of an earlier broadcast', () => {
  answer(() => known)
  const queries = new QueryClient()
  const by = { project_id: 7 }
  const key = keyOf(chat.capabilities, by)
  queries.setQueryData(key, known)
  changeKnown(queries, by, 1, { starred: 'e1', star_rev: 7 })
  expect(queries.getQueryData(key)).toEqual(known)
  changeKnown(queries, by, 2, { starred: 'e2', star_rev: 1 })
  expect(queries.getQueryData(key)).toEqual({ ...known, starred: 'e2', star_rev: 1 })
})
