// Requests with a session: sending, replay, and the result of the caller. T numbers: docs/session.md.
import { afterEach, expect, test, vi } from 'vitest'
import { unauthorizedBy } from './client.ts'
import {
  isTransient,
  type HttpError,
  type NetworkError,
  type RateLimitError,
  type UnauthorizedError,
} from './errors.ts'
import { start } from './testing/start.ts'

afterEach(() => void vi.unstubAllGlobals())

const caught = async <T extends Error>(work: Promise<unknown>): Promise<T> =>
  work.then(
    () => {
      throw new Error('It succeeded')
    },
    (error: T) => error,
  )
const wireError = (name: string) => JSON.stringify({ error: { name, msg: '', options: {}, data: {} } })

test('T6 returns the second response when it is refused after the refresh, and keeps the session', async () => {
  const { server, tab, after, status } = await start()
  let count = 0
  server.operations['/method/me'] = () => ({ status: 401, body: `{"answer":${++count}}` })
  const error = await after(caught<UnauthorizedError>(tab.client.request('/method/me')))
  expect([error.name, error.body, server.refreshCalls, status()]).toEqual([
    'UnauthorizedError',
    { answer: 2 },
    1,
    'authenticated',
  ])
})

test('T7 pauses after three refreshes for an operation that always refuses; the others keep working', async () => {
  const { server, send, clock, status } = await start()
  server.operations['/method/always401'] = () => ({ status: 401 })
  for (let poll = 0; poll < 20; poll++) expect(await send(1, 500, '/method/always401')).toEqual(['UnauthorizedError'])
  expect(server.refreshCalls).toBeLessThanOrEqual(3)
  expect(await send(1)).toEqual(['ok'])
  expect(status()).toBe('authenticated')
  await clock.advance(31_000)
  await send(1, 0, '/method/always401')
  expect(server.refreshCalls).toBe(4)
})

test.each([
  [403, '{"error":{}}'],
  [403, '<html>'],
])('T8 %i %s does not refresh and does not end the session', async (code, body) => {
  const { server, tab, after, status } = await start()
  server.operations['/method/me'] = () => ({ status: code, body })
  const error = await after(caught<HttpError>(tab.client.request('/method/me')))
  expect([error.name, error.status, server.refreshCalls, status()]).toEqual(['HttpError', 403, 0, 'authenticated'])
})

test.each([
  ['2', 2000],
  [new Date(Date.UTC(2026, 10, 21) + 2000).toUTCString(), 2000],
  [undefined, null],
])('T9 429 with Retry-After %s says how long to wait', async (value, ms) => {
  const { server, tab, after } = await start()
  server.operations['/method/me'] = () => ({ status: 429, ...(value ? { headers: { 'retry-after': value } } : {}) })
  const error = await after(caught<RateLimitError>(tab.client.request('/method/me')))
  expect([error.name, error.retryAfterMs, isTransient(error), server.refreshCalls]).toEqual([
    'RateLimitError',
    ms,
    true,
    0,
  ])
})

test.each([{ status: 500 }, { status: 502, body: '<html>' }, { lost: true }])(
  'T10 T65 %j: no refresh, nothing is sent again',
  async (said) => {
    const { server, tab, after, status } = await start()
    server.operations['/method/order'] = () => said
    const error = await after(caught<NetworkError>(tab.client.request('/method/order', { method: 'POST' })))
    expect([isTransient(error), server.sends.length, server.refreshCalls, status()]).toEqual([
      true,
      1,
      0,
      'authenticated',
    ])
    expect(error.maybeProcessed).toBe('lost' in said ? true : undefined)
  },
)

test('leaves open whether the server processed a request when the network fails after sending', async () => {
  const { server, tab, after } = await start()
  vi.stubGlobal('navigator', { onLine: true })
  server.operations['/method/order'] = () => {
    vi.stubGlobal('navigator', { onLine: false })
    return { lost: true }
  }
  const error = await after(caught<NetworkError>(tab.client.request('/method/order', { method: 'POST' })))
  expect([error.name, error.maybeProcessed]).toEqual(['NetworkError', true])
})

test('reports a request without a network as not processed, even when the network returns before it fails', async () => {
  const { tab, after } = await start('strict', {
    client: {
      fetch: () => {
        vi.stubGlobal('navigator', { onLine: true })
        return Promise.reject(new TypeError('Failed to fetch'))
      },
    },
  })
  vi.stubGlobal('navigator', { onLine: false })
  const error = await after(caught<NetworkError>(tab.client.request('/method/order', { method: 'POST' })))
  expect([error.name, error.maybeProcessed]).toEqual(['NetworkError', false])
})

test('reports a response that breaks off as processed, even when the browser reports no network', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) })
  const { tab, after } = await start('strict', { client: { fetch: async () => new Response(body) } })
  vi.stubGlobal('navigator', { onLine: false })
  const error = await after(caught<NetworkError>(tab.client.request('/method/order', { method: 'POST' })))
  expect([error.name, error.maybeProcessed]).toEqual(['NetworkError', true])
})

test('gives up a request without a response at its time limit', async () => {
  const { server, tab, after } = await start()
  server.operations['/method/me'] = () => ({ never: true })
  const error = await after(caught<NetworkError>(tab.client.request('/method/me', { timeoutMs: 5000 })), 5000)
  expect([error.name, error.maybeProcessed]).toEqual(['TimeoutError', true])
})

test('T63 never sends an aborted request; the refresh continues, also when all requests are aborted', async () => {
  const { server, tab, clock, status } = await start()
  server.expire()
  server.said.push({ delay: 1000 })
  const one = new AbortController()
  const first = tab.client.request('/method/first', { signal: one.signal })
  const second = tab.client.request('/method/second')
  await clock.advance(100)
  one.abort(new Error('enough'))
  await expect(first).rejects.toThrow('enough')
  await clock.advance(1000)
  await second
  expect(server.sends.filter(({ path }) => path === '/method/first').length).toBe(1)

  server.expire()
  server.said.push({ delay: 1000 })
  const all = new AbortController()
  const requests = [1, 2, 3].map(() => tab.client.request('/method/third', { signal: all.signal }).catch(() => 'left'))
  await clock.advance(100)
  all.abort()
  await clock.advance(1000)
  expect(await Promise.all(requests)).toEqual(['left', 'left', 'left'])
  expect([server.refreshCalls, tab.session.getSnapshot().generation, status()]).toEqual([2, 3, 'authenticated'])
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'T64 %s is sent again after a 401, and with replay never it is not',
  async (method) => {
    const { server, tab, after } = await start()
    server.expire()
    await after(tab.client.request('/method/order', { method, body: '{"n":1}' }))
    expect(server.sends.map(({ path }) => path)).toEqual(['/method/order', '/method/order'])
    server.expire()
    const error = await after(
      caught<UnauthorizedError>(tab.client.request('/method/order', { method, replay: 'never' })),
    )
    expect([error.name, error.replayable, server.sends.length]).toEqual(['UnauthorizedError', false, 3])
    // The refresh still happens: the caller's next request succeeds.
    expect(server.refreshCalls).toBe(2)
  },
)

test("T67 does not replay a stream, but the caller's next try works", async () => {
  const { server, tab, after } = await start()
  server.expire()
  const body = new Blob(['x']).stream()
  const error = await after(caught<UnauthorizedError>(tab.client.request('/method/up', { method: 'POST', body })))
  expect([error.name, error.replayable]).toEqual(['UnauthorizedError', false])
  await after(tab.client.request('/method/up', { method: 'POST', body: '"again"' }))
  expect([server.refreshCalls, server.sends.length]).toEqual([1, 2])
})

test('T73 treats 400 with a listed name as a dead token, and no other 400', async () => {
  const { server, send } = await start('strict', { client: { isUnauthorized: unauthorizedBy(['TokenExpired']) } })
  server.operations['/method/dead'] = () =>
    server.refreshCalls ? { status: 200 } : { status: 400, body: wireError('TokenExpired') }
  expect(await send(3, 0, '/method/dead')).toEqual(['ok', 'ok', 'ok'])
  expect(server.refreshCalls).toBe(1)
  for (const body of [wireError('Validation'), '<html>', '{"error":null}', 'null']) {
    server.operations['/method/other'] = () => ({ status: 400, body })
    expect(await send(1, 0, '/method/other')).toEqual(['HttpError'])
  }
  expect([server.refreshCalls, server.sends.length]).toEqual([1, 10])
})

test('T72 neither refreshes nor replays after a failure without any response', async () => {
  const { server, send } = await start()
  server.operations['/method/me'] = () => ({ lost: true })
  expect(await send(1)).toEqual(['NetworkError'])
  expect([server.refreshCalls, server.sends.length]).toEqual([0, 1])
})

test('does not replay a waiting request in the name of another user', async () => {
  const { server, tab, clock } = await start()
  server.expire()
  server.said.push({ delay: 1000 })
  const waiting = caught(tab.client.request('/method/me'))
  await clock.advance(100)
  void tab.session.setSession(server.mint('ben'))
  await clock.advance(2000)
  expect((await waiting).name).toBe('SessionChangedError')
  expect(server.sends.length).toBe(1)
})

test('fails before sending without a session, and sends no token with a public operation', async () => {
  const { server, tab, after, send } = await start()
  await after(tab.client.request('/method/list', { auth: 'none' }).catch(() => {}))
  expect(server.sends[0]?.token).toBe('')
  await after(tab.session.signOut({ notifyServer: false }))
  expect(await send(1)).toEqual(['SignedOutError'])
  expect(server.sends.length).toBe(1)
})
