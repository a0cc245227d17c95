// Return of the network after sleep or offline: everything works within three seconds.
import { expect, test } from 'vitest'
import { start } from './testing/start.ts'

const jwt = (seconds: number, id = '') =>
  `x${id}.${btoa(JSON.stringify({ iat: 1000, exp: 1000 + seconds })).replaceAll('=', '')}.y`

/** A tab with a failed early renewal; the token expires while there is no network. */
async function expiredOffline(awayMs: number) {
  const world = await start()
  const { server, tab, clock, after } = world
  const token = jwt(60)
  server.owners.set(token, 'ann')
  server.operations['/method/me'] = () => ({ status: server.sends.at(-1)?.token === token ? 401 : 200 })
  await after(tab.session.setSession({ ...server.mint(), accessToken: token }))
  tab.state.isOnline = false
  await clock.advance(awayMs)
  expect([server.refreshCalls, tab.session.getSnapshot().status]).toEqual([0, 'authenticated'])
  tab.state.isOnline = true
  return world
}

test.each([60_000, 900_000])('T46 renews a token that expires offline for %i ms at `online`', async (awayMs) => {
  const { server, tab, clock } = await expiredOffline(awayMs)
  tab.wake('online')
  await clock.advance(100)
  expect([server.refreshCalls, tab.session.getSnapshot().generation]).toEqual([1, 2])
})

test.each([60_000, 900_000])(
  'T46 the token expires offline for %i ms and no signal comes: the first refused request renews it',
  async (awayMs) => {
    const { server, send } = await expiredOffline(awayMs)
    expect(await send(3, 3000)).toEqual(['ok', 'ok', 'ok'])
    expect(server.refreshCalls).toBe(1)
  },
)

test('T44 T46 renews once when three tabs wake up with a token that expired during sleep', async () => {
  const { browser, server, tab, clock, after } = await expiredOffline(60_000)
  const tabs = [tab, browser.tab(), browser.tab()]
  for (const each of tabs) await after(each.session.initialize())
  clock.jump(8 * 3600_000)
  for (const each of tabs) each.wake('visible')
  const requests = tabs.map((each) => each.client.request('/method/me'))
  await clock.advance(3000)
  await Promise.all(requests)
  expect([server.refreshCalls, server.reuses]).toEqual([1, 0])
})

/** A tab that has been degraded for a while: its token is refused and the refresh call gets no response. */
async function degraded(downMs: number) {
  const world = await start('replay')
  const { server, send, status } = world
  server.expire()
  server.always = { status: 200, lost: true }
  await send(1, downMs)
  expect(status()).toBe('degraded')
  server.always = undefined
  return world
}

test.each([20_000, 900_000])('renews the token within 3 s after %i ms without a network', async (downMs) => {
  const { server, send, status } = await degraded(downMs)
  const calls = server.refreshCalls
  expect(await send(2, 3000)).toEqual(['ok', 'ok'])
  expect([server.refreshCalls - calls, status()]).toEqual([1, 'authenticated'])
})

test('makes at most one refresh call every two seconds for requests during an outage', async () => {
  const { server, tab, clock } = await degraded(60_000)
  server.always = { status: 200, lost: true }
  const calls = server.refreshCalls
  for (let i = 0; i < 200; i++) {
    void tab.client.request('/method/me').catch(() => {})
    await clock.advance(100)
  }
  expect(server.refreshCalls - calls).toBeLessThanOrEqual(11)
})

test('makes no call and fails immediately for requests while the browser reports offline', async () => {
  const { server, tab, send } = await degraded(60_000)
  tab.state.isOnline = false
  const calls = server.refreshCalls
  expect(await send(3)).toEqual(Array(3).fill('RefreshUnavailableError'))
  expect(server.refreshCalls).toBe(calls)
})

test('does not delay a call for one stranded before the network returned', async () => {
  const { server, tab, clock, send } = await start('replay')
  server.expire()
  server.said.push({ never: true })
  const results = await send(1)
  await clock.advance(4000)
  tab.wake('online')
  await clock.advance(2500)
  expect(results).toEqual(['ok'])
  expect(server.refreshCalls).toBe(2)
})
