// A request is sent under the session in which it was made, or not at all.
import { expect, test } from 'vitest'
import { start } from './testing/start.ts'

const nameOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: Error) => error.name,
  )
const order = { method: 'POST', body: '{"n":1}' }

test('does not send a request that waits for a refresh under a new sign-in of another tab', async () => {
  const { browser, server, tab, clock, after } = await start()
  const other = browser.tab()
  await after(other.session.initialize())
  server.expire()
  server.said.push({ delay: 1000 })
  const read = nameOf(tab.client.request('/method/me'))
  await clock.advance(100)
  const write = nameOf(tab.client.request('/method/order', order))
  await clock.advance(100)
  await after(other.session.setSession(server.mint('ben')), 2000)
  expect([await read, await write]).toEqual(['SessionChangedError', 'SessionChangedError'])
  expect(server.sends.filter(({ path }) => path === '/method/order')).toEqual([])
})

test('sends nothing as the new user from a tab that missed the message of the sign-in', async () => {
  const { browser, server, tab, after } = await start()
  const other = browser.tab()
  await after(other.session.initialize())
  browser.ledger.isDeaf = true
  await after(other.session.setSession(server.mint('ben')))
  expect(await after(nameOf(tab.client.request('/method/order', order)))).toBe('SessionChangedError')
  expect(server.sends).toEqual([])
  // The new user makes the next request.
  expect(await after(nameOf(tab.client.request('/method/order', order)))).toBe('ok')
  expect(server.sends.map(({ token }) => token)).toEqual(['access-ben-2'])
})

test('does not send a request made without a session under one that begins while it waits', async () => {
  const { browser, server, tab, after } = await start()
  await after(tab.session.signOut({ notifyServer: false }))
  const other = browser.tab()
  await after(other.session.initialize())
  browser.ledger.isDeaf = true
  await after(other.session.setSession(server.mint('ben')))
  expect(await after(nameOf(tab.client.request('/method/order', order)))).toBe('SessionChangedError')
  expect(server.sends).toEqual([])
})

test('assigns a request made during page start to the stored session', async () => {
  const { browser, server, after } = await start()
  expect(await after(nameOf(browser.tab().client.request('/method/order', order)))).toBe('ok')
  expect(server.sends.map(({ token }) => token)).toEqual(['access-ann-1'])
})

test('sends a request of the current session, not one of an earlier session', async () => {
  const { server, tab, after } = await start()
  const { sessionId } = tab.session.getSnapshot()
  await after(tab.session.setSession(server.mint('ben')))
  expect(await after(nameOf(tab.client.request('/method/order', { ...order, sessionId })))).toBe('SessionChangedError')
  expect(server.sends).toEqual([])
  await after(tab.session.signOut({ notifyServer: false }))
  expect(await after(nameOf(tab.client.request('/method/order', { ...order, sessionId })))).toBe('SignedOutError')
  expect(server.sends).toEqual([])
})

test("sends a caller's own Authorization header unchanged, and does not refresh after its refusal", async () => {
  const { server, tab, after } = await start()
  const headers = { authorization: 'Bearer own' }
  expect(await after(nameOf(tab.client.request('/method/me', { headers })))).toBe('HttpError')
  expect([server.sends.map(({ token }) => token), server.refreshCalls]).toEqual([['Bearer own'], 0])
})
