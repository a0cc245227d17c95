// One ledger per profile: no tab leaves IndexedDB once it has worked. T numbers: docs/session.md.
import { expect, fillDisk, inAll, settled, test } from './rig.ts'

test('T58 moves a tab from localStorage to IndexedDB once that works in another tab', async ({
  upstream,
  context,
  tab,
}) => {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function (...which) {
      if (!('isWell' in window)) throw new DOMException('no', 'UnknownError')
      return Reflect.apply(open, this, which)
    }
  })
  await page.goto(upstream.url)
  await page.evaluate(async (pair) => void (await window.rig.session.setSession(pair)), upstream.signIn())
  expect(await page.evaluate(() => window.rig.snapshot().persistence)).toBe('localstorage')
  const other = await tab()
  await page.evaluate(() => Object.assign(window, { isWell: true }))
  await settled([page, other])
  for (const each of [page, other, page]) {
    upstream.expire()
    expect(await each.evaluate(() => window.rig.get('me'))).toMatchObject([{ ok: true }])
  }
  expect(await inAll([page, other], (rig) => rig.token())).toEqual(Array(2).fill(upstream.current()?.accessToken))
  expect(await page.evaluate(() => window.rig.snapshot().persistence)).toBe('indexeddb')
  expect([upstream.state.refreshCalls, upstream.state.reuses]).toEqual([3, 0])
})

test('T58 keeps a tab in its ledger after one slow step of IndexedDB: one refresh, and sign-out reaches it', async ({
  upstream,
  tab,
}) => {
  const pages = [await tab({}, upstream.signIn()), await tab()]
  await settled(pages)
  for (const slow of pages) {
    upstream.expire()
    await slow.evaluate(() => {
      const { get } = IDBObjectStore.prototype
      let isFirst = true
      IDBObjectStore.prototype.get = function (key) {
        const request = Reflect.apply(get, this, [key]) as IDBRequest
        if (!isFirst) return request
        isFirst = false
        // Further requests keep the transaction open.
        const until = Date.now() + 3000
        const late = {} as IDBRequest
        const spin = () => {
          if (Date.now() < until) this.count().onsuccess = spin
          else {
            Object.defineProperty(late, 'result', { value: request.result })
            late.onsuccess?.(new Event('success'))
          }
        }
        request.onsuccess = spin
        return late
      }
    })
    const results = await inAll(pages, (rig) => rig.get('me'))
    expect(results.flat().map((result) => result.ok)).toEqual([true, true])
  }
  expect([upstream.state.refreshCalls, upstream.state.reuses]).toEqual([2, 0])
  expect(await inAll(pages, (rig) => rig.snapshot().persistence)).toEqual(['indexeddb', 'indexeddb'])
  expect(await pages[0]!.evaluate(() => Object.keys(localStorage))).toEqual(['relaydeck:indexeddb'])
  await pages[0]!.evaluate(() => window.rig.session.signOut())
  await expect(pages[1]!.locator('#status')).toHaveText('unauthenticated')
})

test('T58 continues in memory with the other tabs when IndexedDB fails for good in one, without a second ledger', async ({
  upstream,
  tab,
}) => {
  const pages = [await tab({}, upstream.signIn()), await tab()]
  await settled(pages)
  await pages[0]!.evaluate(() => {
    IDBDatabase.prototype.transaction = () => {
      throw new DOMException('broken', 'UnknownError')
    }
  })
  for (const page of pages) {
    upstream.expire()
    const [first, second] = [page, ...pages.filter((other) => other !== page)]
    expect(await first!.evaluate(() => window.rig.get('me'))).toMatchObject([{ ok: true }])
    expect(await second!.evaluate(() => window.rig.get('me'))).toMatchObject([{ ok: true }])
  }
  expect(upstream.state.reuses).toBe(0)
  expect(await pages[0]!.evaluate(() => window.rig.snapshot().persistence)).toBe('memory')
  expect(await pages[0]!.evaluate(() => Object.keys(localStorage))).toEqual(['relaydeck:indexeddb'])
  await pages[1]!.reload()
  await expect(pages[1]!.locator('#status')).toHaveText('authenticated')
})

test('keeps a sign-out that IndexedDB refuses to write after a reload', async ({ upstream, tab, context }) => {
  const page = await tab({}, upstream.signIn())
  await fillDisk(page)
  await context.setOffline(true)
  await page.evaluate(() => window.rig.session.signOut())
  await context.setOffline(false)
  await page.reload()
  await expect(page.locator('#status')).toHaveText('unauthenticated')
})
