// Sleeping machines, lost networks, restored and visible tabs. T numbers: docs/session.md.
import { brisk, expect, inAll, settled, test } from './rig.ts'

test('T44 T46 renews once for three tabs after eight hours of sleep and a late network', async ({
  upstream,
  tab,
  context,
}) => {
  await context.clock.install()
  const pages = [
    await tab({ timing: brisk }, upstream.signIn()),
    await tab({ timing: brisk }),
    await tab({ timing: brisk }),
  ]
  await settled(pages)
  upstream.expire()
  await context.setOffline(true)
  await context.clock.fastForward(8 * 3600 * 1000)
  const asleep = await inAll(pages, (rig) => rig.get('me'))
  expect(asleep.flat().map((result) => (result.ok ? '' : result.name))).toEqual(Array(3).fill('NetworkError'))
  expect(await inAll(pages, (rig) => rig.snapshot().status)).toEqual(Array(3).fill('authenticated'))
  await context.setOffline(false)
  const awake = await inAll(pages, (rig) => rig.get('me'))
  expect(awake.flat().map((result) => result.ok)).toEqual([true, true, true])
  expect([upstream.state.refreshCalls, upstream.state.reuses]).toEqual([1, 0])
  await context.setOffline(true)
  await expect.poll(() => pages[0]!.evaluate(() => navigator.onLine)).toBe(false)
  expect(await pages[0]!.evaluate(() => window.rig.session.refreshSession())).toBe('unavailable')
  await context.setOffline(false)
  // The failed renewal is retried.
  await expect.poll(() => pages[0]!.evaluate(() => window.rig.snapshot().status)).toBe('authenticated')
})

test('T44 T46 works when the network returns, before the next timed retry, when the token expired and a renewal failed offline', async ({
  upstream,
  tab,
  context,
}) => {
  const pages = [await tab({}, upstream.signIn()), await tab(), await tab()]
  await settled(pages)
  await context.setOffline(true)
  for (const page of pages) {
    await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false)
    expect(await page.evaluate(() => window.rig.session.refreshSession())).toBe('unavailable')
  }
  expect(await inAll(pages, (rig) => rig.snapshot().status)).toEqual(Array(3).fill('authenticated'))
  upstream.expire()
  await context.setOffline(false)
  const results = await inAll(pages, async (rig) => {
    const startedAt = performance.now()
    const all = await rig.get('me', 3)
    // The timed retry comes 15 s after the failure. `src/session/wake.test.ts` measures the delay with its own clock.
    return all.every((result) => result.ok) && performance.now() - startedAt < 10_000
  })
  expect(results).toEqual([true, true, true])
  expect([upstream.state.refreshCalls, upstream.state.reuses]).toEqual([1, 0])
})

test('T43 shows nothing of an ended session on a page that Back restores', async ({ upstream, tab }) => {
  const pages = [await tab({}, upstream.signIn()), await tab()]
  await settled(pages)
  await pages[1]!.goto('about:blank')
  await pages[0]!.evaluate(() => window.rig.session.signOut())
  await pages[1]!.goBack()
  await expect(pages[1]!.locator('#status')).toHaveText('unauthenticated')
})

test('T45 reads the ledger once for twenty visibility changes of a tab', async ({ upstream, tab }) => {
  const page = await tab({}, upstream.signIn())
  const types = await page.evaluate(async () => {
    for (let i = 0; i < 20; i++) {
      document.dispatchEvent(new Event('visibilitychange'))
      await new Promise((resolve) => void setTimeout(resolve, 20))
    }
    return window.rig.types()
  })
  expect(types.filter((type) => type === 'woke')).toHaveLength(1)
  expect(upstream.state.refreshCalls).toBe(0)
})
