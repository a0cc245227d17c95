// Failing and slow storage, and reloads. T numbers: docs/session.md.
import { expect, fillDisk, inAll, settled, test } from './rig.ts'

test('T28 stays signed in when the page reloads between rotation and response', async ({ upstream, tab }) => {
  upstream.state.mode = 'replay'
  const page = await tab({}, upstream.signIn())
  upstream.expire()
  upstream.state.script.push({ delay: 5000 })
  void page.evaluate(() => window.rig.get('me')).catch(() => {})
  await expect.poll(() => upstream.state.refreshCalls).toBe(1)
  for (let i = 0; i < 5; i++) await page.reload()
  expect(await page.evaluate(() => window.rig.get('me'))).toMatchObject([{ ok: true }])
  expect([upstream.state.refreshCalls, upstream.state.reuses]).toEqual([2, 1])
  expect(await page.evaluate(() => window.rig.token())).toBe(upstream.current()?.accessToken)
})

const breaks = {
  'never answers': () => {
    IDBFactory.prototype.open = () => ({}) as IDBOpenDBRequest
  },
  'throws SecurityError': () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('no', 'SecurityError')
    }
  },
}
for (const [how, damage] of Object.entries(breaks)) {
  test(`T58 IndexedDB ${how}: uses localStorage in time, and returns when it works again`, async ({
    upstream,
    tab,
    context,
  }) => {
    const page = await context.newPage()
    await page.addInitScript(damage)
    await page.goto(upstream.url)
    const mode = await page.evaluate(async (pair) => {
      const { persistence } = await window.rig.session.initialize()
      await window.rig.session.setSession(pair)
      return persistence
    }, upstream.signIn())
    // With a database that never responds, a session that waits for it would not come here.
    expect(mode).toBe('localstorage')
    upstream.expire()
    expect(await page.evaluate(() => window.rig.get('me'))).toMatchObject([{ ok: true }])
    await page.close()
    // On a busy machine IndexedDB may be too slow for a tab, which then stays with localStorage.
    await expect(async () => {
      const healthy = await tab()
      expect(await healthy.evaluate(() => window.rig.snapshot())).toMatchObject({
        status: 'authenticated',
        persistence: 'indexeddb',
      })
      // The record has moved; the mark that IndexedDB works here stays.
      expect(await healthy.evaluate(() => Object.keys(localStorage))).toEqual(['relaydeck:indexeddb'])
    }).toPass()
  })
}

test('T58 finds the session when IndexedDB is slow to open', async ({ upstream, tab, context }) => {
  const pair = upstream.signIn()
  await (await tab({}, pair)).close()
  await context.addInitScript(() => {
    const { open } = IDBFactory.prototype
    let isFirst = true
    IDBFactory.prototype.open = function (...args) {
      const request = Reflect.apply(open, this, args) as IDBOpenDBRequest
      if (!isFirst) return request
      isFirst = false
      const slow = {} as IDBOpenDBRequest
      request.addEventListener('success', () => {
        setTimeout(() => {
          Object.defineProperty(slow, 'result', { value: request.result })
          slow.onsuccess?.(new Event('success'))
        }, 2500)
      })
      return slow
    }
  })
  const page = await tab()
  await expect(page.locator('#status')).toHaveText('authenticated')
  expect(await page.evaluate(() => window.rig.snapshot().persistence)).toBe('indexeddb')
  expect(await page.evaluate(() => window.rig.token())).toBe(pair.accessToken)
})

test('T58 reopens IndexedDB after one failure and loses nothing', async ({ upstream, tab }) => {
  const page = await tab({}, upstream.signIn())
  await page.evaluate(() => {
    const { transaction } = IDBDatabase.prototype
    IDBDatabase.prototype.transaction = function () {
      IDBDatabase.prototype.transaction = transaction
      throw new DOMException('closing', 'InvalidStateError')
    }
  })
  upstream.expire()
  expect(await page.evaluate(() => window.rig.get('me'))).toMatchObject([{ ok: true }])
  expect(await page.evaluate(() => window.rig.snapshot().persistence)).toBe('indexeddb')
})

test('T58 T59 signs out all tabs without an exception when the database is deleted', async ({ upstream, tab }) => {
  const pages = [await tab({}, upstream.signIn()), await tab()]
  await settled(pages)
  const escaped: string[] = []
  for (const page of pages) page.on('pageerror', (error) => escaped.push(error.message))
  await pages[0]!.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase('relaydeck')
        request.onsuccess = resolve
        request.onerror = reject
      }),
  )
  const results = await inAll(pages, (rig) => rig.get('me'))
  expect(results).toMatchObject([[{ name: 'SignedOutError' }], [{ name: 'SignedOutError' }]])
  expect(await inAll(pages, (rig) => rig.snapshot().reason)).toEqual(['storage_cleared', 'storage_cleared'])
  expect(escaped).toEqual([])
})

test('T59 ignores a malformed record, and keeps one of a newer version', async ({ upstream, tab }) => {
  const page = await tab({}, upstream.signIn())
  const put = (value: unknown) =>
    page.evaluate(
      (it) =>
        new Promise((resolve) => {
          const request = indexedDB.open('relaydeck')
          request.onsuccess = () => {
            const tx = request.result.transaction('session', 'readwrite')
            tx.objectStore('session').put(it, `relaydeck:session:${location.origin}`)
            tx.oncomplete = () => {
              request.result.close()
              resolve(null)
            }
          }
        }),
      value,
    )
  for (const value of [7, 'x', {}, { schema: 1, sessionId: 'x' }, { schema: 2, tokens: 'newer' }]) {
    await put(value)
    await page.reload()
    await page.waitForFunction(() => window.rig?.snapshot().status === 'unauthenticated')
  }
  // A sign-in now lives in memory; the newer record remains.
  await page.evaluate((pair) => window.rig.session.setSession(pair), upstream.signIn('ben'))
  expect(await page.evaluate(() => window.rig.get('me'))).toMatchObject([{ body: { owner: 'ben' } }])
  expect(await page.evaluate(() => window.rig.snapshot().persistence)).toBe('memory')
  await page.reload()
  await page.waitForFunction(() => window.rig?.snapshot().status === 'unauthenticated')
})

test('T60 signs in, refreshes and signs out in memory in a sandbox without storage', async ({ upstream, context }) => {
  const page = await context.newPage()
  await page.goto(upstream.url)
  await page.evaluate(() => {
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    const query = encodeURIComponent(JSON.stringify({ baseUrl: location.origin }))
    frame.src = `/?options=${query}`
    document.body.append(frame)
  })
  await expect.poll(() => page.frames().length).toBe(2)
  const frame = page.frames()[1]!
  await frame.waitForFunction(() => window.rig?.snapshot().status === 'unauthenticated')
  await frame.evaluate((pair) => window.rig.session.setSession(pair), upstream.signIn())
  upstream.expire()
  expect(await frame.evaluate(() => window.rig.get('me', 3))).toMatchObject([{ ok: true }, { ok: true }, { ok: true }])
  expect(await frame.evaluate(() => window.rig.snapshot())).toMatchObject({
    status: 'authenticated',
    persistence: 'memory',
  })
  await frame.evaluate(() => window.rig.session.signOut())
  await expect.poll(() => upstream.state.logouts.length).toBe(1)
})

test('T30 T60 keeps the pair in memory on a full disk; the other tab receives and stores it', async ({
  upstream,
  tab,
}) => {
  const pages = [await tab({}, upstream.signIn()), await tab()]
  await settled(pages)
  await fillDisk(pages[0]!)
  upstream.expire()
  expect(await pages[0]!.evaluate(() => window.rig.get('me'))).toMatchObject([{ ok: true }])
  expect(await pages[0]!.evaluate(() => window.rig.events)).toContainEqual({
    type: 'persistence',
    mode: 'memory',
    error: 'QuotaExceededError',
  })
  await expect.poll(() => pages[1]!.evaluate(() => window.rig.token())).toBe(upstream.current()?.accessToken)
  await pages[1]!.reload()
  await expect(pages[1]!.locator('#status')).toHaveText('authenticated')
  expect(await pages[1]!.evaluate(() => window.rig.token())).toBe(upstream.current()?.accessToken)
  upstream.expire()
  expect(await pages[1]!.evaluate(() => window.rig.get('me'))).toMatchObject([{ ok: true }])
  expect(await inAll(pages, (rig) => rig.token())).toEqual(Array(2).fill(upstream.current()?.accessToken))
  expect(upstream.state.reuses).toBe(0)
})

test('T71 sends the fingerprint of the sign-in with every refresh, in every tab and after a reload', async ({
  upstream,
  tab,
}) => {
  const pages = [await tab({ fingerprint: 'first' }, upstream.signIn()), await tab({ fingerprint: 'second' })]
  await settled(pages)
  for (const page of pages) {
    upstream.expire()
    await page.evaluate(() => window.rig.get('me'))
    await page.reload()
    await page.waitForFunction(() => window.rig?.snapshot().status === 'authenticated')
    upstream.expire()
    await page.evaluate(() => window.rig.get('me'))
  }
  const bodies = upstream.state.received.filter(({ path }) => path.endsWith('refresh-access'))
  expect(bodies.map(({ body }) => JSON.parse(body).fingerprint)).toEqual(Array(4).fill('first'))
})
