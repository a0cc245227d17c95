// A session over several tabs: refresh, crash and sign-out. T numbers: docs/session.md.
import { expect, test } from 'vitest'
import { start } from './testing/start.ts'

test('T32 uses the token of the tab that refreshed in a tab that slept and missed the message', async () => {
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

test.each([true, false])('T35 makes one call when ten tabs open during a refresh (locks %s)', async (locks) => {
  const { browser, server, clock, tab } = await start('strict', {}, { locks })
  server.expire()
  server.said.push({ delay: 1000 })
  const first = tab.client.request('/method/me')
  await clock.advance(200)
  const requests = Array.from({ length: 10 }, () => browser.tab().client.request('/method/me'))
  await clock.advance(5000)
  await Promise.all([first, ...requests])
  expect(server.refreshCalls).toBe(1)
})

test('T36 continues in another tab when the refreshing tab crashes after the server rotated', async () => {
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

test('T37 waits for a lock that is never returned, then uses the lease', async () => {
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

/** Two tabs without locks. The first one is so slow that its lease expires during its call. */
async function slowTab() {
  const { browser, server, clock, after, tab } = await start('replay')
  await after(tab.session.dispose())
  const slow = browser.tab({ timing: { leaseMs: 6000, timeoutMs: 60_000, lockWaitMs: 0 } })
  const quick = browser.tab({ timing: { lockWaitMs: 0 } })
  for (const each of [slow, quick]) await after(each.session.initialize())
  server.expire()
  return { browser, server, clock, slow, quick, after }
}

test('T37 takes the pair of the other tabs in a tab that wakes up later, and overwrites nothing', async () => {
  const { browser, server, clock, slow, quick, after } = await slowTab()
  server.said.push({ delay: 15_000 })
  const late = slow.client.request('/method/me')
  await clock.advance(100)
  const waiting = quick.client.request('/method/me')
  await clock.advance(8000)
  await waiting
  browser.ledger.isDeaf = true
  server.expire()
  await after(quick.client.request('/method/me'), 100)
  expect(browser.ledger.record?.generation).toBe(3)
  await clock.advance(9000)
  await late
  expect(browser.ledger.record?.generation).toBe(3)
  expect((await after(slow.session.getAccessToken()))?.value).toBe(browser.ledger.record?.pair?.accessToken)
})

test('T37 waits for the tab with the lease after a refusal to a tab that lost it', async () => {
  const { browser, server, clock, slow, quick } = await slowTab()
  server.said.push({ hold: 8000, status: 400 }, { delay: 4000 })
  const late = slow.client.request('/method/me')
  await clock.advance(100)
  const waiting = quick.client.request('/method/me')
  await clock.advance(8500)
  expect(browser.ledger.record?.pair).not.toBeNull()
  await clock.advance(5000)
  await Promise.all([late, waiting])
  expect([slow, quick].map(({ session }) => session.getSnapshot().generation)).toEqual([2, 2])
})

test('T40 signs out immediately and for good during a refresh, and revokes the newest token', async () => {
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

test('T40 delays sign-out at most three seconds for the refresh', async () => {
  const { server, tab, clock } = await start()
  server.expire()
  server.said.push({ delay: 8000 })
  void tab.client.request('/method/me').catch(() => {})
  await clock.advance(100)
  void tab.session.signOut()
  await clock.advance(3100)
  expect(server.logouts).toEqual(['refresh-ann-1'])
})

test('T41 signs out without a network', async () => {
  const { browser, tab, after } = await start()
  tab.state.isOnline = false
  await after(tab.session.signOut())
  expect([tab.session.getSnapshot().status, browser.ledger.record?.pair]).toEqual(['unauthenticated', null])
})

test('T43 signs out all tabs together, and shows a new user in all of them', async () => {
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

test('T53 isolates listeners that throw or call every method', async () => {
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

test('T54 refreshes once and leaves nothing behind when created and disposed five times', async () => {
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

test('T59 signs out at the next use when the site data is cleared', async () => {
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

test('accepts a pair entered by hand, and refuses values that cannot be tokens', async () => {
  const { server, tab, after, send } = await start()
  await expect(after(tab.session.setSession({ accessToken: 'a\n', refreshToken: 'b' }))).rejects.toThrow('tokens')
  await after(tab.session.setSession(server.mint('ben')))
  expect(await send(1)).toEqual(['ok'])
})
