// Adapters from the session to the query cache, the router and the store. T numbers: docs/session.md.
import { createMemoryRouter, redirect, type RouteObject } from 'react-router'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { HttpError, NetworkError, RateLimitError, SignedOutError, unavailableUntil } from '#src/session/errors.ts'
import type { AuthEvent, AuthSession, AuthSnapshot } from '#src/session/types.ts'
import { authStore, configureAuth } from '#src/stores/session.ts'
import { createSessionQueryClient } from './query-client.ts'
import { redirectIfAuthenticated, requireSession } from './require-session.ts'

/** A session whose snapshot is set by hand. */
function puppet(start: Partial<AuthSnapshot> = {}) {
  let snapshot: AuthSnapshot = {
    status: 'authenticated',
    sessionId: 's1',
    generation: 1,
    reason: 'none',
    retryAt: null,
    isRetryHeld: false,
    persistence: 'indexeddb',
    ...start,
  }
  const changes = new Set<() => void>()
  const session = {
    initialize: vi.fn<() => Promise<AuthSnapshot>>(async () => snapshot),
    getSnapshot: () => snapshot,
    subscribe: (run: () => void) => {
      changes.add(run)
      return () => void changes.delete(run)
    },
    onAuthStateChange: (_: (event: AuthEvent) => void) => () => {},
    refreshSession: vi.fn<() => Promise<string>>(async () => 'rotated'),
    signOut: vi.fn<() => Promise<void>>(async () => {}),
  }
  const set = (patch: Partial<AuthSnapshot>) => {
    snapshot = { ...snapshot, ...patch }
    for (const run of changes) run()
  }
  return { session: session as unknown as AuthSession, spy: session, set, changes }
}

const eventually = (what: () => void) => vi.waitFor(what, { timeout: 20_000 })

const router = async (routes: RouteObject[], at: string) => {
  const made = createMemoryRouter(routes, { initialEntries: [at] })
  await eventually(() => expect(made.state.initialized && made.state.navigation.state).toBe('idle'))
  return made
}
afterEach(() => vi.useRealTimers())

test('T56 clears the cache and its listener when its session ends or another one begins', () => {
  for (const patch of [{ sessionId: null, status: 'unauthenticated' as const }, { sessionId: 's2' }]) {
    const { session, set, changes } = puppet()
    const queries = createSessionQueryClient(session)
    queries.setQueryData(['x'], 1)
    set({ status: 'refreshing' })
    expect(queries.getQueryData(['x'])).toBe(1)
    set(patch)
    expect([queries.getQueryCache().getAll().length, changes.size]).toEqual([0, 0])
  }
})

test('T9 T10 retries reads when that may help and not before the requested delay, and never writes', () => {
  const { queries, mutations } = createSessionQueryClient(puppet().session).getDefaultOptions()
  const limited = Object.assign(new RateLimitError(429, new Headers(), {}), { retryAfterMs: 2000 })
  const retry = queries?.retry as (failures: number, error: Error) => boolean
  const retryDelay = queries?.retryDelay as (failures: number, error: Error) => number
  expect([retry(0, limited), retry(2, limited), retry(0, new HttpError(403, new Headers(), {}))]).toEqual([
    true,
    false,
    false,
  ])
  expect([retryDelay(0, limited), retryDelay(0, new NetworkError('x')), retryDelay(9, new NetworkError('x'))]).toEqual([
    2000, 1000, 30_000,
  ])
  vi.useFakeTimers({ toFake: ['Date'] })
  expect(retryDelay(0, unavailableUntil(Date.now() + 5000))).toBe(5000)
  expect(mutations?.retry).toBe(false)
})

test('T55 refetches only the queries that failed while degraded or signed out', async () => {
  const { session, set } = puppet({ sessionId: null, status: 'unauthenticated' })
  const queries = createSessionQueryClient(session)
  let works = false
  const queryFn = vi.fn<() => Promise<string>>(async () => {
    if (!works) throw new SignedOutError('Nobody is signed in')
    return 'data'
  })
  const fine = vi.fn<() => Promise<string>>(async () => 'fine')
  const watch = (queryKey: string[], fn: () => Promise<string>) =>
    new QueryObserver(queries, { queryKey, queryFn: fn }).subscribe(() => {})
  const stops = [watch(['failing'], queryFn), watch(['fine'], fine)]
  await eventually(() => expect(queries.getQueryState(['failing'])?.status).toBe('error'))
  works = true
  set({ sessionId: 's1', status: 'authenticated' })
  await eventually(() => expect(queries.getQueryData(['failing'])).toBe('data'))
  works = false
  await queries.refetchQueries({ queryKey: ['failing'] })
  set({ status: 'degraded' })
  works = true
  set({ status: 'refreshing' })
  set({ status: 'authenticated' })
  await eventually(() => expect(queries.getQueryState(['failing'])?.status).toBe('success'))
  expect(fine).toHaveBeenCalledTimes(1)
  for (const stop of stops) stop()
})

test('T57 checks a deep link once for parents and children, and returns there after sign-in', async () => {
  const { session, spy } = puppet({ status: 'unauthenticated', sessionId: null })
  const loader = vi.fn<() => null>(() => null)
  const routes: RouteObject[] = [
    { path: '/p/:id', middleware: [requireSession(() => session)], loader, children: [{ path: 'x', loader }] },
    { path: '/sign-in', middleware: [redirectIfAuthenticated(() => session)], loader: () => null },
  ]
  const made = await router(routes, '/p/7/x?tab=1')
  expect(made.state.location.pathname + made.state.location.search).toBe('/sign-in?returnTo=%2Fp%2F7%2Fx%3Ftab%3D1')
  expect(loader).not.toHaveBeenCalled()
  expect(spy.refreshSession).not.toHaveBeenCalled()
})

test.each(['authenticated', 'refreshing', 'degraded'] as const)(
  'T57 while %s there is no redirect to sign-in',
  async (status) => {
    const { session } = puppet({ status })
    const loader = vi.fn<() => null>(() => null)
    const routes: RouteObject[] = [
      { path: '/p', middleware: [requireSession(() => session)], loader },
      { path: '/sign-in', loader: () => redirect('/nowhere') },
    ]
    expect((await router(routes, '/p')).state.location.pathname).toBe('/p')
    expect(loader).toHaveBeenCalledTimes(1)
  },
)

test('T57 redirects a signed-in user past the sign-in page, unless signing in again is needed', async () => {
  const { session, set } = puppet({ status: 'authenticated' })
  const routes: RouteObject[] = [
    { path: '/p', loader: () => null },
    { path: '/sign-in', middleware: [redirectIfAuthenticated(() => session)], loader: () => null },
    { path: '/', loader: () => null },
  ]
  const ledTo = async (path: string) => (await router(routes, path)).state.location.pathname
  expect(await ledTo('/sign-in?returnTo=%2Fp')).toBe('/p')
  expect(await ledTo('/sign-in?returnTo=%2F%2Fevil')).toBe('/')
  set({ status: 'degraded' })
  expect(await ledTo('/sign-in?returnTo=%2Fp')).toBe('/sign-in')
})

test('T69 mirrors the snapshot in the store, delegates, and holds no token', async () => {
  const { session, spy, set } = puppet()
  configureAuth(session)
  set({ status: 'degraded', retryAt: 5 })
  expect(authStore().getState()).toMatchObject({ status: 'degraded', retryAt: 5 })
  await authStore().getState().retry()
  await authStore().getState().signOut()
  expect([spy.refreshSession.mock.calls.length, spy.signOut.mock.calls.length]).toEqual([1, 1])
  expect(JSON.stringify(authStore().getState())).not.toMatch(/token/i)
})
