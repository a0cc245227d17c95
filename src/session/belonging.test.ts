// A request belongs to the session in which it was made: it is sent under that session, or not at all.
import { expect, test } from 'vitest'
import { start } from './testing/start.ts'

const nameOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: Error) => error.name,
  )
const order = { method: 'POST', body: '{"n":1}' }

test('a request that waits for a refresh is not sent as the person who signs in meanwhile in another tab', async () => {
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

test('a tab that missed the message of a new sign-in sends nothing as the new person', async () => {
  const { browser, server, tab, after } = await start()
  const other = browser.tab()
  await after(other.session.initialize())
  browser.ledger.isDeaf = true
  await after(other.session.setSession(server.mint('ben')))
  expect(await after(nameOf(tab.client.request('/method/order', order)))).toBe('SessionChangedError')
  expect(server.sends).toEqual([])
  // The next request is made by the new person.
  expect(await after(nameOf(tab.client.request('/method/order', order)))).toBe('ok')
  expect(server.sends.map(({ token }) => token)).toEqual(['access-ben-2'])
})

test('a request made without a session is not sent under one that begins while it waits', async () => {
  const { browser, server, tab, after } = await start()
  await after(tab.session.signOut({ notifyServer: false }))
  const other = browser.tab()
  await after(other.session.initialize())
  browser.ledger.isDeaf = true
  await after(other.session.setSession(server.mint('ben')))
  expect(await after(nameOf(tab.client.request('/method/order', order)))).toBe('SessionChangedError')
  expect(server.sends).toEqual([])
})

test('a request made while the page starts belongs to the stored session', async () => {
  const { browser, server, after } = await start()
  expect(await after(nameOf(browser.tab().client.request('/method/order', order)))).toBe('ok')
  expect(server.sends.map(({ token }) => token)).toEqual(['access-ann-1'])
})

test('a request of an earlier session is not sent, and one of the current session is', async () => {
  const { server, tab, after } = await start()
  const { sessionId } = tab.session.getSnapshot()
  await after(tab.session.setSession(server.mint('ben')))
  expect(await after(nameOf(tab.client.request('/method/order', { ...order, sessionId })))).toBe('SessionChangedError')
  expect(server.sends).toEqual([])
  await after(tab.session.signOut({ notifyServer: false }))
  expect(await after(nameOf(tab.client.request('/method/order', { ...order, sessionId })))).toBe('SignedOutError')
  expect(server.sends).toEqual([])
})

test("a caller's own Authorization header is sent as it is, and its refusal does not renew the session", async () => {
  const { server, tab, after } = await start()
  const headers = { authorization: 'Bearer own' }
  expect(await after(nameOf(tab.client.request('/method/me', { headers })))).toBe('HttpError')
  expect([server.sends.map(({ token }) => token), server.refreshCalls]).toEqual([['Bearer own'], 0])
})
