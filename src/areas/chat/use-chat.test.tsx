// The messages of a chat page: requests around a subscription, older messages, and lost rights. No service runs.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { chat } from '#contract/areas/chat/chat.ts'
import { keyOf } from '#src/api/query.ts'
import { configureApi } from '#src/api/runtime.ts'
import { messageOf } from '#src/components/message-list/fixtures.ts'
import type { BroadcastListener } from '#src/realtime/connection.ts'
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
  star_seq: 0,
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
  /** Pages of messages that were requested: after or before a number. */
  const asked: (string | null)[] = []
  let isRefused: boolean | string = false
  answer((path, query) => {
    const [after, before] = [query.get('after'), query.get('before')]
    if (path === chat.messages.path) asked.push(after ?? before)
    if (isRefused === true || isRefused === path) throw new HttpError(403, new Headers(), null)
    if (path === chat.capabilities.path) return known
    const found = stored.filter(({ seq }) => seq > Number(after ?? 0) && seq < Number(before ?? Infinity))
    const limit = Number(query.get('limit'))
    return { total: stored.length, items: after === null ? found.slice(-limit) : found.slice(0, limit) }
  })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const listeners: BroadcastListener[] = []
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
    listener,
    /** Refuses requests with this path, or all of them. */
    refuse: (value: boolean | string) => void (isRefused = value),
    askRights: () => queries.invalidateQueries({ queryKey: keyOf(chat.capabilities, { project_id: 7 }) }),
    arrive: (from: number, to: number) => {
      const payload = some(from, to).map((message) => ({ action: 'got', ...message }))
      stored.push(...some(from, to))
      const about = { broadcast_id: 2, event_id: 'batch', restream_id: null, platform: null }
      act(() => listener.data({ event: 'messages', ...about, payload }))
    },
  }
}

test('compares all messages after the first subscription, and the newest ones first after a lost connection', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.1)
  const { listener, asked } = await openChat(150)
  listener.connected(true)
  await expect.poll(() => asked).toEqual([null, '0'])
  listener.connected(false)
  listener.connected(true)
  await expect.poll(() => asked).toEqual([null, '0', '50', '0'])
})

test('offers older messages again after a lost connection made it forget them', async () => {
  const { listener, result, arrive, asked } = await openChat(150)
  listener.connected(true)
  expect(result.current.hasOlder).toBe(false)
  arrive(151, 1_151)
  await expect.poll(() => result.current.log.view().live.length).toBe(1_151)
  act(() => listener.connected(true))
  expect([result.current.log.view().live.length, result.current.hasOlder]).toEqual([1_000, true])
  await act(() => result.current.loadOlder())
  expect(asked).toContain('152')
  expect([result.current.log.view().live.length, result.current.hasOlder]).toEqual([1_151, false])
})

test('sends no request after a refusal until the service answers for the rights again', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const { listener, asked, refuse, askRights } = await openChat(1)
  refuse(true)
  listener.connected(true)
  await expect.poll(() => asked).toEqual([null, '0'])
  await act(askRights)
  refuse(false)
  await act(askRights)
  await expect.poll(() => asked).toEqual([null, '0', '0'])
})

test('repeats a refused request with a pause while the service grants the rights', async () => {
  const { listener, result, asked, refuse, askRights } = await openChat(1)
  refuse(chat.messages.path)
  vi.useFakeTimers()
  listener.connected(true)
  await act(() => vi.advanceTimersByTimeAsync(400))
  expect(asked).toEqual([null, '0'])
  await act(() => vi.advanceTimersByTimeAsync(600))
  expect(asked).toEqual([null, '0', '0'])
  refuse(false)
  await act(askRights)
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(asked).toEqual([null, '0', '0', '0'])
  expect(result.current.log.view().live).toHaveLength(1)
})

test('ignores the star of an earlier broadcast', () => {
  answer(() => known)
  const queries = new QueryClient()
  const by = { project_id: 7 }
  const key = keyOf(chat.capabilities, by)
  queries.setQueryData(key, known)
  changeKnown(queries, by, 1, { starred: 'e1', star_seq: 7 })
  expect(queries.getQueryData(key)).toEqual(known)
  changeKnown(queries, by, 2, { starred: 'e2', star_seq: 1 })
  expect(queries.getQueryData(key)).toEqual({ ...known, starred: 'e2', star_seq: 1 })
})
