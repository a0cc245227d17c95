// Tabs of one profile against a strict server, which ends the session at a second use of a refresh token.
import type { BrowserContext, Page } from '@playwright/test'
import { brisk, expect, inAll, openTab, settled, test, type Fixtures } from './rig.ts'
import type { Upstream } from './upstream.ts'

/** Rounds of each race; `npm run test:nightly` runs more. */
const rounds = process.env['NIGHTLY'] ? 100 : 5

type Trigger = (pages: Page[], time: number) => Promise<unknown>

const ask = (pages: Page[], time: number) =>
  Promise.all(
    pages.map((page) =>
      page.evaluate(async (at) => {
        await window.rig.at(at)
        const [result] = await window.rig.get('me')
        if (!result?.ok) throw new Error(JSON.stringify(result))
      }, time),
    ),
  )

/** Refuses all tabs at the same moment, in many rounds. */
async function race(upstream: Upstream, pages: Page[], trigger: Trigger = ask) {
  await settled(pages)
  const calls: number[] = []
  for (let round = 1; round <= rounds; round++) {
    upstream.expire()
    const before = upstream.state.refreshCalls
    await trigger(pages, Date.now() + 40)
    const current = upstream.current()?.accessToken
    const tokens = await inAll(pages, (rig) => rig.token())
    expect(tokens, `pairs after round ${round}`).toEqual(pages.map(() => current))
    calls.push(upstream.state.refreshCalls - before)
  }
  expect(calls).toEqual(Array(rounds).fill(1))
  expect(upstream.state.reuses).toBe(0)
}

async function tabs(count: number, { tab, upstream }: Pick<Fixtures, 'tab' | 'upstream'>) {
  const pages = [await tab({}, upstream.signIn())]
  while (pages.length < count) pages.push(await tab())
  return pages
}

const without = (context: BrowserContext, name: string) =>
  context.addInitScript((it) => {
    Object.defineProperty(window, it, { value: undefined, configurable: true })
  }, name)

test(
  'T31 refreshes once for five tabs refused in parallel, with the same pair in all',
  { tag: '@rounds' },
  async ({ upstream, tab }) => {
    await race(upstream, await tabs(5, { upstream, tab }))
  },
)

test('T31 two tabs', { tag: '@rounds' }, async ({ upstream, tab }) => {
  await race(upstream, await tabs(2, { upstream, tab }))
})

test('T31 five tabs on a busy machine', { tag: '@rounds' }, async ({ upstream, tab }) => {
  const pages = await tabs(5, { upstream, tab })
  await inAll(pages, () => {
    setInterval(() => {
      for (const end = Date.now() + 8; Date.now() < end;);
    }, 12)
  })
  await race(upstream, pages)
})

test('T31 five tabs become visible or online in parallel', { tag: '@rounds' }, async ({ upstream, tab }) => {
  const pages = await tabs(5, { upstream, tab })
  await race(upstream, pages, async (all, time) => {
    await Promise.all(
      all.map((page) =>
        page.evaluate(async (at) => {
          await window.rig.at(at)
          window.dispatchEvent(new Event(at % 2 ? 'online' : 'pageshow'))
          document.dispatchEvent(new Event('visibilitychange'))
          await window.rig.get('me', 3)
        }, time),
      ),
    )
  })
})

test('T38 five tabs without Web Locks, on an insecure origin', { tag: '@rounds' }, async ({ upstream, context }) => {
  const url = `http://app.test:${upstream.port}/`
  const pages = [await openTab(context, url, {}, upstream.signIn())]
  while (pages.length < 5) pages.push(await openTab(context, url))
  expect(await pages[0]!.evaluate(() => [window.isSecureContext, 'locks' in navigator])).toEqual([false, false])
  await race(upstream, pages)
})

test('T39 T31 without BroadcastChannel', { tag: '@rounds' }, async ({ upstream, tab, context }) => {
  await without(context, 'BroadcastChannel')
  await race(upstream, await tabs(5, { upstream, tab }))
})

test('T39 T31 without IndexedDB', { tag: '@rounds' }, async ({ upstream, tab, context }) => {
  await without(context, 'indexedDB')
  const pages = await tabs(5, { upstream, tab })
  expect(await pages[0]!.evaluate(() => window.rig.snapshot().persistence)).toBe('localstorage')
  await race(upstream, pages)
})

test('T35 sends one call when ten tabs open during a refresh', async ({ upstream, tab }) => {
  const [first] = await tabs(1, { upstream, tab })
  upstream.expire()
  upstream.state.script.push({ delay: 1500 })
  const waiting = first!.evaluate(() => window.rig.get('me'))
  const pages = await Promise.all(Array.from({ length: 10 }, () => tab()))
  const results = await Promise.all(pages.map((page) => page.evaluate(() => window.rig.get('me'))))
  expect([...results, await waiting].flat().map((result) => result.ok)).toEqual(Array(11).fill(true))
  expect([upstream.state.refreshCalls, upstream.state.reuses]).toEqual([1, 0])
})

// With Web Locks, a lock that the closed tab kept would delay the others by half a minute.
for (const [where, host, timing] of [
  ['with Web Locks', '127.0.0.1', { ...brisk, lockWaitMs: 30_000 }],
  ['without Web Locks', 'app.test', brisk],
] as const) {
  test(`T36 refreshes from another tab when the refreshing tab is closed after the rotation, ${where}`, async ({
    upstream,
    context,
  }) => {
    upstream.state.mode = 'replay'
    const url = `http://${host}:${upstream.port}/`
    const first = await openTab(context, url, { timing }, upstream.signIn())
    const others = [await openTab(context, url, { timing }), await openTab(context, url, { timing })]
    await settled([first, ...others])
    upstream.expire()
    upstream.state.script.push({ delay: 60_000 })
    void first.evaluate(() => window.rig.get('me')).catch(() => {})
    await expect.poll(() => upstream.state.refreshCalls).toBe(1)
    const results = inAll(others, (rig) => rig.get('me'))
    const closedAt = Date.now()
    await first.close()
    expect((await results).flat().map((result) => result.ok)).toEqual([true, true])
    expect(Date.now() - closedAt).toBeLessThan(29_000)
    expect(upstream.state.refreshCalls).toBe(2)
    const tokens = await inAll(others, (rig) => rig.token())
    expect(tokens).toEqual([upstream.current()?.accessToken, upstream.current()?.accessToken])
  })
}

test('releases the lock to other tabs when a page leaves the screen during a refresh', async ({ upstream, tab }) => {
  upstream.state.mode = 'replay'
  const pages = [await tab({}, upstream.signIn()), await tab()]
  await settled(pages)
  upstream.expire()
  upstream.state.script.push({ cut: 'hang' })
  void pages[0]!.evaluate(() => window.rig.get('me')).catch(() => {})
  await expect.poll(() => upstream.state.refreshCalls).toBe(1)
  await pages[0]!.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
  const startedAt = Date.now()
  expect(await pages[1]!.evaluate(() => window.rig.get('me'))).toMatchObject([{ ok: true }])
  // The lock manager would have delayed it by 15 s.
  expect(Date.now() - startedAt).toBeLessThan(14_000)
})

test('T37 delays a refresh by a lock that is never released, and sign-out not at all', async ({ upstream, tab }) => {
  const [page, other] = [await tab({ timing: brisk }, upstream.signIn()), await tab({ timing: brisk })]
  await settled([page, other])
  await other.evaluate(() => {
    const { sessionId } = window.rig.snapshot()
    void navigator.locks.request(`relaydeck:session:${location.origin}:${sessionId}`, () => new Promise(() => {}))
  })
  upstream.expire()
  expect((await page.evaluate(() => window.rig.get('me'))).map((result) => result.ok)).toEqual([true])
  expect(upstream.state.refreshCalls).toBe(1)
  upstream.expire()
  const status = await page.evaluate(async () => {
    void window.rig.get('me')
    await window.rig.session.signOut()
    return window.rig.snapshot().status
  })
  expect(status).toBe('unauthenticated')
})

test('T32 uses the newer token in a tab that missed every message', async ({ upstream, tab }) => {
  const [page, other] = await tabs(2, { upstream, tab })
  await settled([page!, other!])
  upstream.expire()
  await page!.evaluate(() => window.rig.get('me'))
  upstream.state.received.length = 0
  await other!.evaluate(() => window.rig.get('me'))
  expect([upstream.state.refreshCalls, upstream.state.received.length]).toEqual([1, 1])
})
