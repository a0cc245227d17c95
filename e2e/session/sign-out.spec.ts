// Sign-out, the end of a session, and the next sign-in. T numbers: docs/session.md.
import type { Page } from '@playwright/test'
import { brisk, expect, inAll, settled, test } from './rig.ts'

const ledgerOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.open('relaydeck')
        request.onsuccess = () => {
          const all = request.result.transaction('session').objectStore('session').getAll()
          all.onsuccess = () => resolve(all.result)
        }
      }),
  )

for (const missing of ['', 'BroadcastChannel']) {
  const name = missing ? `T39 without ${missing}: ` : ''
  test(`${name}T43 signs out all tabs and empties their caches when one tab signs out`, async ({
    upstream,
    tab,
    context,
  }) => {
    if (missing) {
      await context.addInitScript((it) => Object.defineProperty(window, it, { value: undefined }), missing)
    }
    const pages = [await tab({}, upstream.signIn()), await tab(), await tab()]
    await settled(pages)
    await inAll(pages, (rig) => rig.queries.setQueryData(['secret'], 'secret'))
    const sends = { ...upstream.state.sends }
    await pages[0]!.evaluate(() => window.rig.session.signOut())
    for (const page of pages) await expect(page.locator('#status')).toHaveText('unauthenticated')
    // The tabs are notified; none finds out by a request.
    expect({ ...upstream.state.sends, 'auth/logout': 0 }).toEqual({ ...sends, 'auth/logout': 0 })
    expect(await inAll(pages, (rig) => rig.queries.getQueryCache().getAll().length)).toEqual([0, 0, 0])
    expect(await inAll(pages, (rig) => rig.snapshot().reason)).toEqual(['user', 'other_tab', 'other_tab'])
  })

  test(`${name}T40 signs out immediately and for good while a refresh is in flight`, async ({
    upstream,
    tab,
    context,
  }) => {
    if (missing) {
      await context.addInitScript((it) => Object.defineProperty(window, it, { value: undefined }), missing)
    }
    const page = await tab({}, upstream.signIn())
    upstream.expire()
    upstream.state.script.push({ delay: 1000 })
    const waiting = page.evaluate(() => window.rig.get('me', 3))
    await expect.poll(() => upstream.state.refreshCalls).toBe(1)
    await page.evaluate(() => window.rig.session.signOut())
    await expect(page.locator('#status')).toHaveText('unauthenticated')
    expect(await waiting).toEqual(Array(3).fill(expect.objectContaining({ name: 'SignedOutError' })))
    await expect.poll(() => upstream.state.logouts).toEqual([upstream.current()!.refreshToken])
    expect(await ledgerOf(page)).toEqual([expect.objectContaining({ pair: null, ended: 'user' })])
    await page.reload()
    await page.waitForFunction(() => window.rig?.snapshot().status === 'unauthenticated')
    expect(upstream.tokensSent()).not.toContain(`oauth ${upstream.current()?.accessToken}`)
  })
}

test('T41 signs out without network', async ({ upstream, tab, context }) => {
  const page = await tab({}, upstream.signIn())
  await context.setOffline(true)
  await page.evaluate(() => window.rig.session.signOut())
  await expect(page.locator('#status')).toHaveText('unauthenticated')
  expect(await ledgerOf(page)).toEqual([expect.objectContaining({ pair: null })])
})

test('T41 revokes a session that was signed out without network, when the network is back', async ({
  upstream,
  tab,
  context,
}) => {
  const pair = upstream.signIn()
  const pages = [await tab({}, pair), await tab()]
  await settled(pages)
  await context.setOffline(true)
  await pages[0]!.evaluate(() => window.rig.session.signOut())
  for (const page of pages) await expect(page.locator('#status')).toHaveText('unauthenticated')
  expect(upstream.state.logouts).toEqual([])
  await context.setOffline(false)
  // The tab that signed out sends it once more where the other one was first: a second revocation has no effect.
  await expect.poll(() => [...new Set(upstream.state.logouts)]).toEqual([pair.refreshToken])
  await expect.poll(async () => JSON.stringify(await ledgerOf(pages[0]!))).not.toContain(pair.refreshToken)
})

test('T41 revokes a session that was signed out without network, when the browser is opened again', async ({
  upstream,
  tab,
  context,
}) => {
  const pair = upstream.signIn()
  const page = await tab({}, pair)
  await context.setOffline(true)
  await page.evaluate(() => window.rig.session.signOut())
  await expect(page.locator('#status')).toHaveText('unauthenticated')
  await page.close()
  await context.setOffline(false)
  const later = await tab()
  await expect.poll(() => upstream.state.logouts).toEqual([pair.refreshToken])
  expect(await later.evaluate(() => window.rig.get('me'))).toMatchObject([{ name: 'SignedOutError' }])
  expect(upstream.state.refreshCalls).toBe(0)
  await expect.poll(async () => JSON.stringify(await ledgerOf(later))).not.toContain(pair.refreshToken)
})

test('switches all tabs to the new person with empty caches when one tab signs in', async ({ upstream, tab }) => {
  const pages = [await tab({}, upstream.signIn('ann')), await tab()]
  await settled(pages)
  await pages[1]!.evaluate(() => window.rig.queries.setQueryData(['secret'], 'of ann'))
  await pages[0]!.evaluate((pair) => window.rig.session.setSession(pair), upstream.signIn('ben'))
  await expect.poll(() => pages[1]!.evaluate(() => window.rig.types())).toContain('session_changed')
  expect(await pages[1]!.evaluate(() => window.rig.queries.getQueryCache().getAll().length)).toBe(0)
  expect(await inAll(pages, (rig) => rig.get('me'))).toMatchObject([
    [{ body: { owner: 'ben' } }],
    [{ body: { owner: 'ben' } }],
  ])
})

test('does not send a POST that waits for a refresh after another person signs in in another tab', async ({
  upstream,
  tab,
}) => {
  const pages = [await tab({}, upstream.signIn('ann')), await tab()]
  await settled(pages)
  upstream.expire()
  upstream.state.script.push({ delay: 3000 })
  const waiting = pages[0]!.evaluate(async () => {
    const read = window.rig.get('me')
    // Refused: every request waits for the refresh from now on.
    while (window.rig.snapshot().status !== 'refreshing') await new Promise((resolve) => void setTimeout(resolve, 5))
    const write = window.rig.send('/method/order', { method: 'POST', body: '{}' })
    return [...(await read), await write]
  })
  await expect.poll(() => upstream.state.refreshCalls).toBe(1)
  await pages[1]!.evaluate((pair) => window.rig.session.setSession(pair), upstream.signIn('ben'))
  expect(await waiting).toMatchObject([{ name: 'SessionChangedError' }, { name: 'SessionChangedError' }])
  expect(upstream.state.sends['order']).toBeUndefined()
})

test('T11 T27 ends all tabs once when the server ends the session, without further requests', async ({
  upstream,
  tab,
}) => {
  const pages = [await tab({ timing: brisk }, upstream.signIn()), await tab({ timing: brisk })]
  await settled(pages)
  upstream.expire()
  upstream.state.script.push({ cut: 'afterHeaders' })
  const results = await inAll(pages, (rig) => rig.get('me', 5))
  expect(new Set(results.flat().map((result) => (result.ok ? '' : result.name)))).toEqual(
    new Set(['SessionExpiredError']),
  )
  const { refreshCalls, received } = upstream.state
  const before = received.length
  await inAll(pages, (rig) => rig.get('me', 20))
  expect([upstream.state.refreshCalls, received.length]).toEqual([refreshCalls, before])
  expect(await inAll(pages, (rig) => rig.types().filter((type) => type === 'signed_out').length)).toEqual([1, 1])
})
