// A slow or full ledger, and a clock that is set back.
import { expect, test } from 'vitest'
import { start } from './testing/start.ts'

test.each([2000, 8000])(
  'a ledger whose steps take %i ms renews once for all tabs, and nobody is signed out',
  async (ms) => {
    const { browser, server, clock, tab, after } = await start()
    const tabs = [tab, browser.tab(), browser.tab()]
    for (const each of tabs) await after(each.session.initialize())
    server.expire()
    browser.ledger.takes = ms
    const requests = tabs.map((each) => each.client.request('/method/me').catch((error: Error) => error.name))
    await clock.advance(120_000)
    await Promise.all(requests)
    browser.ledger.takes = 0
    const again = tabs.map((each) => each.client.request('/method/me'))
    await clock.advance(5000)
    await Promise.all(again)
    expect([server.refreshCalls, server.reuses]).toEqual([1, 0])
    expect(tabs.map((each) => each.session.getSnapshot().persistence)).toEqual(Array(3).fill('indexeddb'))
  },
)

test('T30 refreshes once per expiry in five tabs with a full disk and a strict server', async () => {
  const { browser, server, clock, tab, after } = await start()
  const tabs = [tab, ...Array.from({ length: 4 }, () => browser.tab())]
  for (const each of tabs) await after(each.session.initialize())
  browser.ledger.failsToWrite = true
  for (let round = 1; round <= 5; round++) {
    server.expire()
    const requests = tabs.map((each) => each.client.request('/method/me').catch((error: Error) => error.name))
    await clock.advance(10_000)
    expect((await Promise.all(requests)).filter((it) => typeof it === 'string')).toEqual([])
    expect([server.refreshCalls, server.reuses]).toEqual([round, 0])
  }
  // A new tab reads an old pair, and receives the new one from the others.
  const late = browser.tab()
  const request = late.client.request('/method/me')
  await clock.advance(10_000)
  await request
  expect(server.reuses).toBe(0)
  // With free space the next read repairs the ledger.
  browser.ledger.failsToWrite = false
  await after(tab.client.request('/method/me'), 1000)
  expect(browser.ledger.record?.pair?.accessToken).toBe((await after(tab.session.getAccessToken()))?.value)
  expect(tab.session.getSnapshot().persistence).toBe('indexeddb')
})

test('T59 signs out and writes nothing when site data is cleared while the disk is full', async () => {
  const { browser, server, tab, send } = await start()
  browser.ledger.failsToWrite = true
  server.expire()
  expect(await send(1, 1000)).toEqual(['ok'])
  browser.ledger.record = null
  browser.ledger.failsToWrite = false
  expect(await send(1, 1000)).toEqual(['SignedOutError'])
  expect([browser.ledger.record, tab.session.getSnapshot().reason]).toEqual([null, 'storage_cleared'])
})

test('keeps a sign-out that the storage refuses to write after a reload', async () => {
  const { browser, server, tab, after } = await start()
  browser.ledger.failsToWrite = true
  await after(tab.session.signOut({ notifyServer: false }), 5000)
  const reloaded = browser.tab()
  expect((await after(reloaded.session.initialize())).status).toBe('unauthenticated')
  browser.ledger.failsToWrite = false
  await after(reloaded.session.setSession(server.mint('ben')))
  expect(reloaded.session.getSnapshot().status).toBe('authenticated')
})

test('renews as usual when the clock is set back a day while degraded', async () => {
  const { server, clock, send, status } = await start('replay')
  server.expire()
  server.always = { status: 500 }
  await send(1, 20_000)
  expect(status()).toBe('degraded')
  clock.setBack(24 * 3600_000)
  server.always = undefined
  await clock.advance(130_000)
  expect(await send(1, 3000)).toEqual(['ok'])
  expect(status()).toBe('authenticated')
})

test('does not open the breaker after renewals without a request', async () => {
  const { server, tab, send, after } = await start()
  for (let round = 0; round < 5; round++) await after(tab.session.refreshSession(), 1000)
  server.expire()
  expect(await send(1)).toEqual(['ok'])
  expect(server.refreshCalls).toBe(6)
})
