// The life of a session over several tabs: sign-out, sleep, crashes, clocks. T numbers: docs/session.md.
import { expect, test } from 'vitest'
import { start } from './testing/start.ts'
import type { AuthSession } from './types.ts'

const jwt = (seconds: number) => `x.${btoa(JSON.stringify({ iat: 1000, exp: 1000 + seconds })).replaceAll('=', '')}.y`

test('T1 T49 an opaque token is sent as it is, and nothing happens for a day until it is refused', async () => {
  const { server, clock, send } = await start()
  await clock.advance(24 * 3600_000)
  expect([server.refreshCalls, clock.timers.size]).toEqual([0, 0])
  server.expire()
  await send(1)
  expect([server.refreshCalls, server.sends[0]?.token]).toEqual([1, 'access-ann-1'])
})

test('T32 a tab that slept and heard nothing uses the token of the tab that refreshed', async () => {
  const { browser, server, clock, send, after } = await start()
  const other = browser.tab()
  await after(other.session.initialize())
  browser.ledger.isDeaf = true
  server.expire()
  await send(1)
  await clock.advance(60_000)
  await after(other.client.request('/method/other'))
  expect(server.sends.filter(({ path }) => path === '/method/other').map(({ token }) => token)).toEqual([
    'access-ann-2',
  ])
  expect(server.refreshCalls).toBe(1)
})

test.each([true, false])('T35 ten tabs open while a refresh is under way (locks %s): one call', async () => {
  const { browser, server, clock, tab } = await start()
  server.expire()
  server.said.push({ delay: 1000 })
  const first = tab.client.request('/method/me')
  await clock.advance(200)
  const requests = Array.from({ length: 10 }, () => browser.tab().client.request('/method/me'))
  await clock.advance(5000)
  await Promise.all([first, ...requests])
  expect(server.refreshCalls).toBe(1)
})

test('T36 the tab that refreshes crashes after the server rotated: another one goes on', async () => {
  const { browser, server, clock, tab, after } = await start('replay')
  const other = browser.tab()
  await after(other.session.initialize())
  server.expire()
  server.said.push({ delay: 500 })
  void tab.client.request('/method/me')
  await clock.advance(100)
  const request = other.client.request('/method/me')
  await clock.advance(100)
  tab.crash()
  await clock.advance(1000)
  await request
  expect([server.refreshCalls, server.reuses, other.session.getSnapshot().status]).toEqual([2, 1, 'authenticated'])
})

test('T37 a lock that is never given back delays, and then the lease decides', async () => {
  const { browser, server, clock, tab, after, send } = await start()
  const { sessionId } = tab.session.getSnapshot()
  browser.locked.set(sessionId!, 99)
  server.expire()
  expect(await send(1, 16_000)).toEqual(['ok'])
  expect(server.refreshCalls).toBe(1)
  server.expire()
  void tab.client.request('/method/me').catch(() => {})
  await clock.advance(100)
  await after(tab.session.signOut())
  expect(tab.session.getSnapshot().status).toBe('unauthenticated')
})

test('T40 sign-out during a refresh: at once, for good, and the server is told the newest token', async () => {
  const { browser, server, tab, clock, after, send } = await start()
  server.expire()
  server.said.push({ delay: 1500 })
  const waiting = [1, 2].map(() => tab.client.request('/method/me').catch((error: Error) => error.name))
  await clock.advance(100)
  void tab.session.signOut()
  expect(tab.session.getSnapshot()).toMatchObject({ status: 'unauthenticated', reason: 'user' })
  await clock.advance(0)
  expect(await Promise.all(waiting)).toEqual(['SignedOutError', 'SignedOutError'])
  await clock.advance(5000)
  expect(browser.ledger.record).toMatchObject({ pair: null, ended: 'user' })
  expect(server.logouts).toEqual(['refresh-ann-2'])
  await send(1)
  expect(server.sends.every(({ token }) => token !== 'access-ann-2')).toBe(true)
  expect((await after(browser.tab().session.initialize())).status).toBe('unauthenticated')
})

test('T40 sign-out waits three seconds for the refresh, not longer', async () => {
  const { server, tab, clock } = await start()
  server.expire()
  server.said.push({ delay: 8000 })
  void tab.client.request('/method/me').catch(() => {})
  await clock.advance(100)
  void tab.session.signOut()
  await clock.advance(3100)
  expect(server.logouts).toEqual(['refresh-ann-1'])
})

test('T41 sign-out without network is a sign-out', async () => {
  const { browser, tab, after } = await start()
  tab.state.isOnline = false
  await after(tab.session.signOut())
  expect([tab.session.getSnapshot().status, browser.ledger.record?.pair]).toEqual(['unauthenticated', null])
})

test('T43 one signs out, all are signed out; a new person is everywhere the new person', async () => {
  const { browser, server, tab, clock, after } = await start()
  const others = [browser.tab(), browser.tab()]
  for (const other of others) void other.session.initialize()
  await clock.advance(10)
  await after(tab.session.signOut(), 10)
  expect(others.map(({ session }) => session.getSnapshot().reason)).toEqual(['other_tab', 'other_tab'])
  await after(others[0]!.session.setSession(server.mint('ben')), 10)
  const ids = [tab, ...others].map(({ session }) => session.getSnapshot().sessionId)
  expect(new Set(ids).size).toBe(1)
  await after(tab.session.setSession(server.mint('eve')), 10)
  expect(others[0]!.events.map(({ type }) => type)).toContain('session_changed')
})

test('T44 eight hours of sleep, then four seconds without network: one refresh, no sign-out', async () => {
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

test('T45 twenty looks in two seconds are one', async () => {
  const { tab, clock, server } = await start()
  for (let i = 0; i < 20; i++) {
    tab.wake('visible')
    await clock.advance(95)
  }
  expect([tab.events.filter(({ type }) => type === 'woke').length, server.refreshCalls]).toEqual([1, 0])
})

test('T46 offline with a dead token: degraded, not signed out; online: one refresh', async () => {
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
  // The request is refused, and with it the network goes.
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

test('T46 an hour of silence while the browser says online: still signed in, still trying', async () => {
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

test('T47 T50 a token of 60 s is renewed between 70 and 90 % of it, once for all tabs, and only while visible', async () => {
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

test('T50 a lifetime of 40 days is no reason to hurry', async () => {
  const { server, tab, clock, after } = await start()
  await after(tab.session.setSession({ ...server.mint(), accessToken: jwt(40 * 86_400) }))
  await clock.advance(26 * 86_400_000)
  expect(server.refreshCalls).toBe(0)
  await clock.advance(10 * 86_400_000)
  expect(server.refreshCalls).toBe(1)
})

test('a refusal ahead of time leaves the token its life: the session ends at the first 401, without another call', async () => {
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

test('T53 listeners that call everything, and one that throws, disturb nobody', async () => {
  const { browser, server, clock } = await start()
  const { session, client } = browser.tab()
  const heard: string[] = []
  let [calls, done] = [0, 0]
  session.onAuthStateChange(() => {
    throw new Error('a listener')
  })
  session.onAuthStateChange((event) => {
    heard.push(event.type)
    calls++
    void Promise.allSettled([
      session.initialize(),
      session.getAccessToken(),
      calls < 3 ? session.refreshSession() : null,
      heard.includes('token_refreshed') && calls > 4 ? session.signOut() : null,
    ]).then(() => done++)
  })
  session.subscribe(() => void session.getSnapshot())
  void session.initialize()
  await clock.advance(1000)
  server.expire()
  const request = client.request('/method/me')
  await clock.advance(1000)
  await request
  void session.signOut()
  await clock.advance(1000)
  expect(heard).toEqual(expect.arrayContaining(['signed_in', 'token_refreshed', 'signed_out']))
  expect(done).toBe(calls)
})

test('T54 made and thrown away five times: one refresh, nothing left behind', async () => {
  const { browser, server, clock, after } = await start()
  for (let i = 0; i < 5; i++) {
    const { session } = browser.tab()
    await after(session.initialize())
    await after(session.dispose())
    await after(session.dispose())
  }
  server.expire()
  const last = [browser.tab(), browser.tab()]
  const requests = last.map(({ client }) => client.request('/method/me'))
  await clock.advance(1000)
  await Promise.all(requests)
  expect(server.refreshCalls).toBe(1)
})

test('T59 the site data is cleared under running tabs: signed out at the next use', async () => {
  const { browser, tab, send, after } = await start()
  const other = browser.tab()
  await after(other.session.initialize())
  browser.ledger.record = null
  expect(await send(1)).toEqual(['SignedOutError'])
  other.wake('visible')
  await after(Promise.resolve())
  const reasons = [tab, other].map(({ session }) => session.getSnapshot().reason)
  expect(reasons).toEqual(['storage_cleared', 'storage_cleared'])
})

test('a pair entered by hand is a session; what cannot be a token is refused', async () => {
  const { server, tab, after, send } = await start()
  await expect(after(tab.session.setSession({ accessToken: 'a\n', refreshToken: 'b' }))).rejects.toThrow('tokens')
  await after(tab.session.setSession(server.mint('ben')))
  expect(await send(1)).toEqual(['ok'])
})
