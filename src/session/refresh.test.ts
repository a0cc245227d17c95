// Each response of the refresh call and its effect on the session. T numbers: docs/session.md.
import { expect, test } from 'vitest'
import { type Said } from './testing/fake-server.ts'
import { start } from './testing/start.ts'

const jsonError: Said = { status: 400, body: '{"error":{"name":"x"}}' }
const page: Said = { status: 400, body: '<html>', headers: { 'content-type': 'text/html' } }

test('T3 refreshes once for fifty requests with a dead token; each is sent twice and succeeds', async () => {
  const { server, send } = await start()
  server.expire()
  expect(await send(50)).toEqual(Array(50).fill('ok'))
  expect(server.refreshCalls).toBe(1)
  expect(server.sends.length).toBe(100)
})

test('T5 sends nothing during a slow refresh, then everything in order', async () => {
  const { clock, server, tab, send } = await start()
  server.expire()
  server.said.push({ delay: 8000 })
  void send(1)
  await clock.advance(100)
  const order: number[] = []
  for (let i = 0; i < 50; i++) void tab.client.request(`/method/n${i}`).then(() => order.push(i))
  await clock.advance(7000)
  expect(server.sends.length).toBe(1)
  await clock.advance(2000)
  expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index))
  expect(server.refreshCalls).toBe(1)
  expect(clock.timers.size).toBe(0)
})

test.each([
  ['T11 JSON', jsonError],
  ['T12 a page of a proxy', page],
  ['T19 T52 401 of the refresh call itself', { status: 401 }],
])('%s: the session is over, once, for everybody', async (_, said) => {
  const { browser, server, tab, send, status } = await start()
  server.expire()
  server.said.push(said)
  expect(await send(10)).toEqual(Array(10).fill('SessionExpiredError'))
  expect(tab.events.filter(({ type }) => type === 'signed_out')).toEqual([{ type: 'signed_out', reason: 'expired' }])
  expect(browser.ledger.record).toMatchObject({ pair: null, ended: 'expired' })
  const before = server.sends.length
  expect(await send(20)).toEqual(Array(20).fill('SessionExpiredError'))
  expect([server.refreshCalls, server.sends.length, status()]).toEqual([1, before, 'unauthenticated'])
})

test('T19 keeps the session after a 401 of a gateway with rejectedStatuses [400]', async () => {
  const { server, send, status } = await start('strict', { rejectedStatuses: [400] })
  server.expire()
  server.said.push({ status: 401 })
  expect(await send(1)).toEqual(['RefreshUnavailableError'])
  expect(status()).toBe('degraded')
})

const good = { accessToken: 'access-x', refreshToken: 'refresh-x' }
const malformed: [string, Said][] = [
  ['T14 half JSON', { status: 200, body: '{"accessToken":"a' }],
  ['T14 a page', { status: 200, body: '<html>' }],
  ['T14 null', { status: 200, body: 'null' }],
  ['T14 a list', { status: 200, body: '[]' }],
  ['T14 a string', { status: 200, body: '"x"' }],
  ['T14 204', { status: 204 }],
  ['T15 no access token', { status: 200, body: JSON.stringify({ refreshToken: 'x' }) }],
  ['T15 no refresh token', { status: 200, body: JSON.stringify({ accessToken: 'x' }) }],
  ['T15 empty', { status: 200, body: JSON.stringify({ ...good, accessToken: '' }) }],
  ['T15 a number', { status: 200, body: JSON.stringify({ ...good, accessToken: 7 }) }],
  ['T15 a line break', { status: 200, body: JSON.stringify({ ...good, accessToken: 'a\nb' }) }],
]
test.each(malformed)('%s: stores nothing and sends the same token again', async (_, said) => {
  const { browser, server, send, status } = await start('replay')
  const { record } = browser.ledger
  server.expire()
  server.said.push(said)
  const results = send(3, 1000)
  expect(browser.ledger.record?.pair).toEqual(record?.pair)
  expect(await results).toEqual(['ok', 'ok', 'ok'])
  expect(server.bodies.map(({ refresh }) => refresh)).toEqual([record?.pair?.refreshToken, record?.pair?.refreshToken])
  expect(status()).toBe('authenticated')
})

test('T16 accepts a server that keeps the refresh token', async () => {
  const { browser, server, tab, send } = await start()
  const refreshToken = browser.ledger.record!.pair!.refreshToken
  server.expire()
  server.operations['/method/me'] = () => ({ status: server.sends.at(-1)?.token === 'new' ? 200 : 401 })
  server.said.push({ status: 200, body: JSON.stringify({ accessToken: 'new', refreshToken }) })
  expect(await send(1)).toEqual(['ok'])
  expect(tab.session.getSnapshot().generation).toBe(2)
})

test('T17 ignores unknown fields, a byte order mark and another content type', async () => {
  const { server, send } = await start()
  server.expire()
  server.operations['/method/me'] = () => ({ status: server.sends.at(-1)?.token === 'access-x' ? 200 : 401 })
  const body = `\uFEFF${JSON.stringify({ ...good, expires: 5 })}`
  server.said.push({ status: 200, body, headers: { 'content-type': 'text/plain' } })
  expect(await send(1)).toEqual(['ok'])
})

test.each([403, 404, 405, 409, 413, 422])('T20 %i: degrades with few calls, stays signed in', async (status) => {
  const { server, send, status: now } = await start()
  server.expire()
  server.always = { status, body: '<html>' }
  expect(await send(5)).toEqual(Array(5).fill('RefreshUnavailableError'))
  expect(now()).toBe('degraded')
  for (let second = 0; second < 60; second++) await send(5, 1000)
  expect(server.refreshCalls).toBeLessThanOrEqual(4)
  server.always = undefined
  await send(0, 120_000)
  expect(now()).toBe('authenticated')
})

const inHalfAMinute = new Date(Date.UTC(2026, 10, 21) + 30_000).toUTCString()
test.each([
  ['30', 30_000],
  [inHalfAMinute, 30_000],
  ['86400', 300_000],
])('T21 429 with Retry-After %s: no tab calls before', async (value, ms) => {
  const { browser, clock, server, tab, send } = await start()
  server.expire()
  server.said.push({ status: 429, headers: { 'retry-after': value } })
  expect(await send(1)).toEqual(['RefreshUnavailableError'])
  const other = browser.tab()
  await clock.advance(ms - 2000)
  for (const each of [tab, other]) {
    each.wake('visible')
    void each.client.request('/method/me').catch(() => {})
  }
  await clock.advance(1000)
  expect(server.refreshCalls).toBe(1)
  await clock.advance(2000)
  expect(server.refreshCalls).toBe(2)
  expect([tab, other].map(({ session }) => session.getSnapshot().status)).toEqual(['authenticated', 'authenticated'])
})

test.each(['0', 'banana', ''])('T21 429 with Retry-After "%s": backs off as usual', async (value) => {
  const { server, send } = await start()
  server.expire()
  server.said.push({ status: 429, headers: { 'retry-after': value } })
  expect(await send(1, 1000)).toEqual(['ok'])
  expect(server.refreshCalls).toBe(2)
})

test('T22 recovers unnoticed from 503 and 502', async () => {
  const { server, tab, send } = await start()
  server.expire()
  server.said.push({ status: 503 }, { status: 502, body: '<html>' })
  expect(await send(4, 3000)).toEqual(Array(4).fill('ok'))
  expect(new Set(server.bodies.map(({ refresh }) => refresh)).size).toBe(1)
  expect([server.refreshCalls, tab.events.some(({ type }) => type === 'degraded')]).toEqual([3, false])
})

test('T23 makes at most ten calls in five minutes of 500 and ten polls a second, then recovers by itself', async () => {
  const { browser, server, clock, send, status, tab } = await start()
  const other = browser.tab()
  void other.session.initialize()
  server.expire()
  server.always = { status: 500 }
  for (let tick = 0; tick < 300; tick++) {
    for (let i = 0; i < 5; i++) void other.client.request('/method/me').catch(() => {})
    await send(5, 1000)
  }
  expect(server.refreshCalls).toBeLessThanOrEqual(10)
  server.always = undefined
  await clock.advance(125_000)
  expect([status(), other.session.getSnapshot().status]).toEqual(['authenticated', 'authenticated'])
  expect(tab.events.some(({ type }) => type === 'signed_out')).toBe(false)
})

test('T24 gives up a call without a response after 10 s and retries; waiting requests fail after 20 s', async () => {
  const { server, clock, send, status } = await start('replay')
  server.expire()
  server.said.push({ never: true }, { never: true })
  const results = send(3, 0)
  await clock.advance(20_000)
  expect(await results).toEqual(Array(3).fill('RefreshUnavailableError'))
  await clock.advance(15_000)
  expect(status()).toBe('authenticated')
  expect(await send(1)).toEqual(['ok'])
})

test('T26 sends the same token after a lost response and gets the same successor from a replaying server', async () => {
  const { server, send, status } = await start('replay')
  server.expire()
  server.said.push({ lost: true })
  expect(await send(3, 1000)).toEqual(['ok', 'ok', 'ok'])
  expect([server.refreshCalls, server.reuses, status()]).toEqual([2, 1, 'authenticated'])
})

test('T27 signs out once, without a loop, after a lost response of a strict server', async () => {
  const { server, tab, send } = await start('strict')
  server.expire()
  server.said.push({ lost: true })
  expect(await send(3, 60_000)).toEqual(Array(3).fill('SessionExpiredError'))
  expect([server.refreshCalls, tab.events.filter(({ type }) => type === 'signed_out').length]).toEqual([2, 1])
})

test('T30 keeps the pair in memory when the ledger cannot be written; other tabs get it, the next write repairs', async () => {
  const { browser, clock, server, tab, send } = await start()
  const other = browser.tab()
  void other.session.initialize()
  await clock.advance(10)
  browser.ledger.failsToWrite = true
  server.expire()
  // The tab first requests a newer pair from the other tabs.
  expect(await send(2, 400)).toEqual(['ok', 'ok'])
  expect(tab.events).toContainEqual({ type: 'persistence', mode: 'memory', error: 'QuotaExceededError' })
  const tokens = Promise.all([tab, other].map(({ session }) => session.getAccessToken()))
  await clock.advance(0)
  expect(new Set((await tokens).map((token) => token?.value)).size).toBe(1)
  expect(server.refreshCalls).toBe(1)
  browser.ledger.failsToWrite = false
  server.expire()
  expect(await send(2)).toEqual(['ok', 'ok'])
  expect(browser.ledger.record?.generation).toBe(3)
  expect(tab.session.getSnapshot().persistence).toBe('indexeddb')
  expect(server.reuses).toBe(0)
})

test('T2 sends these keys of the refresh body in this order, and a fingerprint only when there is one', async () => {
  const plain = await start()
  plain.server.expire()
  await plain.send(1)
  expect(Object.keys(plain.server.bodies[0]!)).toEqual(['v', 'language', 'app', 'refresh'])
  let asked = 0
  const marked = await start('strict', { fingerprint: () => `finger-${++asked}` })
  for (let round = 0; round < 3; round++) {
    marked.server.expire()
    await marked.send(1)
  }
  // T71: chosen at sign-in, unchanged afterwards.
  expect(marked.server.bodies.map(({ fingerprint }) => fingerprint)).toEqual(['finger-1', 'finger-1', 'finger-1'])
})
