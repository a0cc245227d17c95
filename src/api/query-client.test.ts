import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { NetworkError, RefreshUnavailableError, TimeoutError } from '#src/session/errors.ts'
import type { AuthSession } from '#src/session/types.ts'
import { toApiError } from './api-error.ts'
import { makeStale } from './make-stale.ts'
import { createSessionQueryClient } from './query-client.ts'

const session = {
  getSnapshot: () => ({ sessionId: 'one', status: 'authenticated' }),
  subscribe: () => () => undefined,
} as unknown as AuthSession

afterEach(() => {
  onlineManager.setOnline(true)
  vi.unstubAllGlobals()
})

test('a write that is made offline fails immediately and is not sent later', async () => {
  const sent = vi.fn<() => Promise<never>>(() => Promise.reject(new NetworkError('No answer')))
  const queries = createSessionQueryClient(session)
  queries.mount()
  onlineManager.setOnline(false)
  const write = new MutationObserver(queries, { mutationFn: sent })
  const outcomes: string[] = []
  write.subscribe(({ status, isPaused }) => outcomes.push(isPaused ? 'paused' : status))
  await Promise.race([write.mutate().catch(() => undefined), vi.waitFor(() => expect(outcomes).toContain('paused'))])
  expect(outcomes.at(-1)).toBe('error')
  onlineManager.setOnline(true)
  await queries.resumePausedMutations()
  expect(sent).toHaveBeenCalledTimes(1)
  queries.unmount()
})

test('only a request that was not sent is a failure of kind offline', () => {
  const unsent = Object.assign(new NetworkError('No answer'), { maybeProcessed: false })
  for (const onLine of [true, false]) {
    vi.stubGlobal('navigator', { onLine })
    expect(toApiError(unsent)).toMatchObject({ kind: 'offline', isTransient: true })
    expect(toApiError(new NetworkError('No answer')).kind).toBe('network')
    expect(toApiError(new TimeoutError('late')).kind).toBe('timeout')
    expect(toApiError(new RefreshUnavailableError('later')).kind).toBe(onLine ? 'session' : 'offline')
  }
})

test('a first read that is answered after a change is repeated: it may be older than the change', async () => {
  const queries = createSessionQueryClient(session)
  const answers = ['before', 'after']
  let respond = () => {}
  const queryFn = vi.fn<() => Promise<string | undefined>>(
    () =>
      new Promise((resolve) => {
        const answer = answers.shift()
        respond = () => resolve(answer)
      }),
  )
  const read = new QueryObserver(queries, { queryKey: ['list'], queryFn })
  const stop = read.subscribe(() => undefined)
  makeStale(queries, { queryKey: ['list'] })
  respond()
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2))
  respond()
  await vi.waitFor(() => expect(queries.getQueryData(['list'])).toBe('after'))
  expect(queryFn).toHaveBeenCalledTimes(2)
  stop()
})
