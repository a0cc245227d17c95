// The revocation of a sign-out is kept until the server has answered it. T41.
import { expect, test } from 'vitest'
import { start } from './testing/start.ts'

const ann = 'refresh-ann-1'

/** A tab that signed out without a network. */
async function signedOutOffline() {
  const world = await start()
  const { tab, after, server } = world
  tab.state.isOnline = false
  await after(tab.session.signOut(), 1000)
  expect([tab.session.getSnapshot().status, server.logouts]).toEqual(['unauthenticated', []])
  return { ...world, stored: () => JSON.stringify(world.browser.ledger.record) }
}

test('T41 a sign-out without a network reaches the server when the network is back', async () => {
  const { tab, clock, server, stored } = await signedOutOffline()
  expect(stored()).not.toContain('access-ann')
  tab.state.isOnline = true
  tab.wake('online')
  await clock.advance(1000)
  expect(server.logouts).toEqual([ann])
  expect(stored()).not.toContain(ann)
  await clock.advance(3_600_000)
  expect(server.logouts).toEqual([ann])
})

test('T41 a browser that was closed without a network revokes the session when it is opened again', async () => {
  const { tab, browser, clock, server, stored } = await signedOutOffline()
  tab.crash()
  const later = browser.tab()
  const failed = later.client.request('/method/me').catch((error: Error) => error.name)
  await clock.advance(1000)
  expect(await failed).toBe('SignedOutError')
  expect([later.session.getSnapshot().status, server.refreshCalls]).toEqual(['unauthenticated', 0])
  expect(server.logouts).toEqual([ann])
  expect(stored()).not.toContain(ann)
})

test('T41 several tabs revoke the session once', async () => {
  const { tab, browser, clock, server } = await signedOutOffline()
  const tabs = [tab, browser.tab(), browser.tab()]
  for (const each of tabs) each.state.isOnline = false
  for (const each of tabs) void each.session.initialize()
  await clock.advance(1000)
  for (const each of tabs) each.state.isOnline = true
  for (const each of tabs) each.wake('online')
  await clock.advance(5000)
  expect(server.logouts).toEqual([ann])
})

test('T41 a sign-in before the answer keeps the revocation, and the new session', async () => {
  const { tab, after, browser, clock, server, send, stored } = await signedOutOffline()
  server.operations['/method/auth/logout'] = () => ({ status: 503 })
  tab.state.isOnline = true
  await after(tab.session.setSession(server.mint('ben')), 1000)
  server.expire()
  expect(await send(1, 2000)).toEqual(['ok'])
  expect(browser.ledger.record).toMatchObject({ generation: 2, pair: { accessToken: 'access-ben-3' } })
  expect(stored()).toContain(ann)
  delete server.operations['/method/auth/logout']
  tab.wake('online')
  await clock.advance(1000)
  expect(server.logouts.at(-1)).toBe(ann)
  expect(stored()).not.toContain(ann)
  expect(browser.ledger.record).toMatchObject({ pair: { accessToken: 'access-ben-3' } })
  expect(await send()).toEqual(['ok'])
})

test.each([408, 429, 500, 503])('T41 repeats a revocation that was answered with %i', async (status) => {
  const { tab, after, clock, server, browser } = await start()
  let isDown = true
  server.operations['/method/auth/logout'] = () => (isDown ? { status } : {})
  await after(tab.session.signOut(), 40_000)
  const tries = server.logouts.length
  expect(tries).toBeGreaterThan(1)
  expect(tries).toBeLessThan(5)
  isDown = false
  await clock.advance(150_000)
  expect(server.logouts).toEqual(Array(tries + 1).fill(ann))
  expect(JSON.stringify(browser.ledger.record)).not.toContain(ann)
})

test.each([200, 204, 400, 401, 403, 404])('T41 a revocation that was answered with %i is done', async (status) => {
  const { tab, after, server, browser } = await start()
  server.operations['/method/auth/logout'] = () => ({ status })
  await after(tab.session.signOut(), 300_000)
  expect(server.logouts).toEqual([ann])
  expect(JSON.stringify(browser.ledger.record)).not.toContain(ann)
})

test('T41 repeats a revocation without an answer', async () => {
  const { tab, after, server } = await start()
  server.operations['/method/auth/logout'] = () => ({ never: true })
  await after(tab.session.signOut(), 60_000)
  expect(server.logouts.length).toBeGreaterThan(1)
})

test('T41 keeps a revocation in memory when the ledger cannot be written', async () => {
  const { tab, after, browser, clock, server } = await start()
  browser.ledger.failsToWrite = true
  tab.state.isOnline = false
  await after(tab.session.signOut(), 5000)
  tab.state.isOnline = true
  tab.wake('online')
  await clock.advance(1000)
  expect(server.logouts).toEqual([ann])
})

test('T41 stores no revocation when the server is not to be notified', async () => {
  const { tab, after, browser, server } = await start()
  await after(tab.session.signOut({ notifyServer: false }), 60_000)
  expect(server.logouts).toEqual([])
  expect(JSON.stringify(browser.ledger.record)).not.toContain(ann)
})
