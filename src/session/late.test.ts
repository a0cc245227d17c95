// Late or lost responses, and tabs frozen at critical moments. The server replays, unless the test sets another mode.
import { expect, test } from 'vitest'
import { start } from './testing/start.ts'

test('keeps the session when every response is 12 s late', async () => {
  const { server, clock, tab, send, status } = await start('replay')
  server.expire()
  server.always = { delay: 12_000 }
  const results = await send(2)
  await clock.advance(12_100)
  expect(results).toEqual(['ok', 'ok'])
  expect(server.refreshCalls).toBe(2)
  for (let round = 0; round < 3; round++) {
    server.expire()
    await send(1, 13_000)
  }
  expect([status(), tab.session.getSnapshot().generation]).toEqual(['authenticated', 5])
})

test('uses a response that is 50 s late, after the attempt was given up', async () => {
  const { server, clock, tab, send, status } = await start('replay')
  server.expire()
  server.said.push({ delay: 50_000 }, ...Array(9).fill({ never: true }))
  await send(1)
  await clock.advance(45_000)
  expect(status()).toBe('degraded')
  await clock.advance(6000)
  expect([status(), tab.session.getSnapshot().generation]).toEqual(['authenticated', 2])
  expect(await send(1)).toEqual(['ok'])
})

test('waits after a refused retry for the earlier call, whose response brings the successor', async () => {
  const { server, clock, send, status } = await start('replay')
  server.expire()
  server.said.push({ delay: 13_000 }, { status: 400 })
  const results = await send(1)
  await clock.advance(14_000)
  expect(results).toEqual(['ok'])
  expect(status()).toBe('authenticated')
})

test('ignores a late response after sign-out', async () => {
  const { browser, server, clock, tab, send } = await start('replay')
  server.expire()
  server.said.push({ delay: 50_000 }, ...Array(9).fill({ never: true }))
  await send(1, 45_000)
  void tab.session.signOut()
  await clock.advance(10_000)
  expect(tab.session.getSnapshot().status).toBe('unauthenticated')
  expect(browser.ledger.record).toMatchObject({ pair: null, ended: 'user' })
})

test.each([true, false])(
  'T37 a tab frozen between lease and call does not send the old token after the thaw (locks %s)',
  async (locks) => {
    const { browser, server, clock, tab, after } = await start('strict', {}, { locks })
    const other = browser.tab()
    await after(other.session.initialize())
    server.expire()
    browser.ledger.takes = 100
    const waiting = tab.client.request('/method/me').catch((error: Error) => error.name)
    // The write of the lease has begun, and the tab freezes before its result.
    while (!browser.ledger.record?.lease) await clock.advance(10)
    tab.freeze()
    browser.ledger.takes = 0
    const request = other.client.request('/method/me')
    await clock.advance(40_000)
    await request
    tab.thaw()
    await clock.advance(5000)
    await waiting
    expect([server.refreshCalls, server.reuses]).toEqual([1, 0])
    expect(tab.session.getSnapshot()).toMatchObject({ status: 'authenticated', generation: 2 })
  },
)
