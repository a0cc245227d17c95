// Several tabs of one profile against a server that forgives nothing: a second use of a refresh token ends the session.
import type { Page } from '@playwright/test'
import { expect, inAll, openTab, settled, test } from './rig.ts'
import type { Upstream } from './upstream.ts'

/** Lets all tabs be refused at the same moment, many times over. */
async function race(upstream: Upstream, pages: Page[], rounds: number) {
  await settled(pages)
  for (let round = 1; round <= rounds; round++) {
    upstream.expire()
    const calls = upstream.state.refreshCalls
    const time = Date.now() + 40
    const results = await Promise.all(
      pages.map((page) =>
        page.evaluate(async (at) => {
          await window.rig.at(at)
          const [result] = await window.rig.get('me')
          return { isOk: result?.ok, token: await window.rig.token() }
        }, time),
      ),
    )
    const current = upstream.current()?.accessToken
    expect(results, `round ${round}`).toEqual(pages.map(() => ({ isOk: true, token: current })))
    expect(upstream.state.refreshCalls - calls, `refresh calls in round ${round}`).toBe(1)
  }
  expect(upstream.state.reuses).toBe(0)
}

test('T31 five tabs are refused at once, 100 rounds: one refresh each, the same pair everywhere', async ({
  upstream,
  tab,
}) => {
  test.setTimeout(120_000)
  const pages = [await tab({}, upstream.signIn())]
  while (pages.length < 5) pages.push(await tab())
  await race(upstream, pages, 100)
})
