// Sleep, network and clock: wake signals, and renewal before a request needs it. T numbers: docs/session.md.
import { expect, test } from 'vitest'
import { start } from './testing/start.ts'

const jwt = (seconds: number) => `x.${btoa(JSON.stringify({ iat: 1000, exp: 1000 + seconds })).replaceAll('=', '')}.y`

test('T1 T49 sends an opaque token unchanged, and does nothing for a day until it is refused', async () => {
  const { server, clock, send } = await start()
  await clock.advance(24 * 3600_000)
  expect([server.refreshCalls, clock.timers.size]).toEqual([0, 0])
  server.expire()
  await send(1)
  expect([server.refreshCalls, server.sends[0]?.token]).toEqual([1, 'access-ann-1'])
})

test('T44 refreshes once without sign-out after eight hours of sleep and four seconds without network', async () => {
  const { browser, server, tab, clock, after } = await start()
  const tabs = [tab, browser.tab(), browser.tab()]
  for (const each of tabs) await after(each.session.initialize())
  server.expire()
  clock.jump(8 * 3600_000)
  for (const each of tabs) {
    each.state.isOnline = false
    each.wake('visible')
    void each.client.request('/method/me').catch(() => {})
  }
  await clock.advance(4000)
  for (const each of tabs) {
    each.state.isOnline = true
    each.wake('online')
  }
  await clock.advance(100)
  const results = tabs.map((each) => each.client.request('/method/me'))
  await clock.advance(3000)
  await Promise.all(results)
  expect([server.refreshCalls, server.reuses]).toEqual([1, 0])
})

test('T45 merges twenty wake signals in two seconds', async () => {
  const { tab, clock, server } = await start()
  for (let i = 0; i < 20; i++) {
    tab.wake('visible')
    await clock.advance(95)
  }
  expect([tab.events.filter(({ type }) => type === 'woke').length, server.refreshCalls]).toEqual([1, 0])
})

test('T46 is degraded offline with a dead token, not signed out, and refreshes once online', async () => {
  const { browser, server, tab, clock, send, status, after } = await start()
  const other = browser.tab()
  await after(other.session.initialize())
  server.expire()
  await send(1)
  server.expire()
  const calls = server.refreshCalls
  server.always = { lost: true, status: 200 }
  tab.state.isOnline = false
  server.operations['/method/me'] = () => ({ status: 401 })
  tab.state.isOnline = true
  // The request is refused, and then the network fails.
  server.said.push({ delay: 10, lost: true, status: 200 })
  const waiting = tab.client.request('/method/me').catch((error: Error) => error.name)
  await clock.advance(5)
  tab.state.isOnline = false
  await clock.advance(20_000)
  expect(await waiting).toBe('RefreshUnavailableError')
  expect(status()).toBe('degraded')
  expect(tab.events).toContainEqual(expect.objectContaining({ type: 'degraded', cause: 'offline' }))
  expect(server.refreshCalls - calls).toBe(1)
  delete server.operations['/method/me']
  server.always = undefined
  tab.state.isOnline = true
  tab.wake('online')
  await clock.advance(100)
  expect([server.refreshCalls - calls, status()]).toEqual([2, 'authenticated'])
})

test('T46 stays signed in and keeps trying through an hour without responses while the browser reports online', async () => {
  const { server, tab, clock, send, status } = await start('replay')
  server.expire()
  server.always = { lost: true }
  await send(1, 3600_000)
  expect(status()).toBe('degraded')
  server.always = undefined
  await clock.advance(125_000)
  expect(status()).toBe('authenticated')
  expect(tab.events.some(({ type }) => type === 'signed_out')).toBe(false)
})

test('T47 T50 renews a token of 60 s between 70 and 90 % of its life, once for all tabs, and only while visible', async () => {
  const { browser, server, tab, clock, after } = await start()
  const other = browser.tab()
  await after(other.session.initialize())
  server.owners.set(jwt(60), 'ann')
  await after(tab.session.setSession({ ...server.mint(), accessToken: jwt(60) }))
  await clock.advance(41_000)
  expect(server.refreshCalls).toBe(0)
  await clock.advance(14_000)
  expect(server.refreshCalls).toBe(1)

  await after(tab.session.setSession({ ...server.mint(), accessToken: jwt(60) }))
  for (const each of [tab, other]) each.state.isVisible = false
  await clock.advance(300_000)
  expect(server.refreshCalls).toBe(1)
  for (const each of [tab, other]) {
    each.state.isVisible = true
    each.wake('visible')
  }
  await clock.advance(1000)
  expect(server.refreshCalls).toBe(2)
})

test('T50 does not renew early with a lifetime of 40 days', async () => {
  const { server, tab, clock, after } = await start()
  await after(tab.session.setSession({ ...server.mint(), accessToken: jwt(40 * 86_400) }))
  await clock.advance(26 * 86_400_000)
  expect(server.refreshCalls).toBe(0)
  await clock.advance(10 * 86_400_000)
  expect(server.refreshCalls).toBe(1)
})

test('uses the token to the end of its life after an early refusal, and ends the session at the first 401 without another call', async () => {
  const { server, tab, clock, send, status, after } = await start()
  const token = jwt(60)
  await after(tab.session.setSession({ ...server.mint(), accessToken: token }))
  server.operations['/method/me'] = () => ({ status: 200 })
  server.said.push({ status: 400 })
  await clock.advance(59_000)
  expect([server.refreshCalls, status()]).toEqual([1, 'authenticated'])
  expect(await send(1)).toEqual(['ok'])
  delete server.operations['/method/me']
  expect(await send(1)).toEqual(['SessionExpiredError'])
  expect(server.refreshCalls).toBe(1)
})
