// Requests on the wire, and results for the caller. T numbers: docs/session.md.
import { brisk, expect, inAll, test } from './rig.ts'
import { startUpstream } from './upstream.ts'

test('T1 T2 sends requests and refreshes of this exact form', async ({ upstream, tab }) => {
  const pair = upstream.signIn()
  const page = await tab({}, pair)
  await page.evaluate(() => window.rig.get('me'))
  upstream.expire()
  await page.evaluate(() => window.rig.get('me'))
  const [first, , refresh] = upstream.state.received
  expect(first?.headers.authorization).toBe(`oauth ${pair.accessToken}`)
  expect(refresh).toMatchObject({
    method: 'POST',
    path: '/method/auth/refresh-access',
    query: '',
    body: `{"v":"1","language":"en","app":"site","refresh":"${pair.refreshToken}"}`,
  })
  expect(refresh?.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache' })
  for (const { headers } of upstream.state.received) expect(headers.cookie).toBeUndefined()
  expect(refresh?.headers.authorization).toBeUndefined()
})

test('T3 refreshes once for fifty requests in the browser, and sends each twice', async ({ upstream, tab }) => {
  const page = await tab({}, upstream.signIn())
  upstream.expire()
  const results = await page.evaluate(() => window.rig.get('me', 50))
  expect(results.every((result) => result.ok)).toBe(true)
  expect([upstream.state.refreshCalls, upstream.state.sends['me']]).toEqual([1, 100])
})

for (const cut of ['afterHeaders', 'midBody'] as const) {
  test(`T26 gets the same successor with the same token when the refresh response breaks off (${cut})`, async ({
    upstream,
    tab,
  }) => {
    upstream.state.mode = 'replay'
    const page = await tab({}, upstream.signIn())
    upstream.expire()
    upstream.state.script.push({ cut })
    expect((await page.evaluate(() => window.rig.get('me', 5))).every((result) => result.ok)).toBe(true)
    const bodies = upstream.state.received.filter(({ path }) => path.endsWith('refresh-access')).map(({ body }) => body)
    expect([bodies.length, new Set(bodies).size, upstream.state.reuses]).toEqual([2, 1, 1])
  })
}

test('T24 aborts a refresh without a response, and retries it', async ({ upstream, tab }) => {
  upstream.state.mode = 'replay'
  const page = await tab({ timing: { ...brisk, timeoutMs: 500 } }, upstream.signIn())
  upstream.expire()
  upstream.state.script.push({ cut: 'hang' })
  expect((await page.evaluate(() => window.rig.get('me', 3))).map((result) => result.ok)).toEqual([true, true, true])
  expect(upstream.state.refreshCalls).toBe(2)
})

test('T25 follows no redirect of the refresh', async ({ upstream, tab }) => {
  const other = await startUpstream({ html: '<html>', script: '' })
  const page = await tab({ timing: brisk }, upstream.signIn())
  for (const location of [`${other.url}/method/auth/refresh-access`, '/page']) {
    for (const status of [302, 307, 308]) upstream.state.script.push({ status, headers: { location } })
  }
  upstream.expire()
  const [result] = await page.evaluate(() => window.rig.get('me'))
  expect(result).toMatchObject({ ok: false, name: 'RefreshUnavailableError' })
  expect(other.state.received).toEqual([])
  expect(await page.evaluate(() => window.rig.snapshot().status)).toBe('degraded')
  await other.close()
})

test('T12 signs out once, without an uncaught error, on a refusal as an HTML page', async ({ upstream, tab }) => {
  const page = await tab({}, upstream.signIn())
  const escaped: string[] = []
  page.on('pageerror', (error) => escaped.push(error.message))
  upstream.expire()
  upstream.state.script.push({ status: 400, body: '<html>', headers: { 'content-type': 'text/html' } })
  const results = await page.evaluate(() => window.rig.get('me', 10))
  expect(results).toEqual(Array(10).fill(expect.objectContaining({ name: 'SessionExpiredError' })))
  expect((await page.evaluate(() => window.rig.types())).filter((type) => type === 'signed_out')).toHaveLength(1)
  expect(escaped).toEqual([])
})

test('T66 resends a file of 20 MB, a form and a buffer whole', async ({ upstream, tab }) => {
  const page = await tab({}, upstream.signIn())
  for (const kind of ['file', 'buffer', 'query'] as const) {
    upstream.expire()
    await page.evaluate(async (what) => {
      const bytes = new Uint8Array((what === 'file' ? 20 : 1) * 1024 * 1024).fill(7)
      const query = new URLSearchParams({ a: '1', b: 'ü' })
      const body = what === 'file' ? new File([bytes], 'a.bin') : what === 'buffer' ? bytes.buffer : query
      const result = await window.rig.send('/method/upload', { method: 'POST', body })
      if (!result.ok) throw new Error(result.name)
    }, kind)
    const [first, second] = upstream.state.received.filter(({ path }) => path === '/method/upload').slice(-2)
    expect(first!.body.length).toBeGreaterThan(0)
    expect(first!.body === second!.body, kind).toBe(true)
    expect(first!.headers['content-type']).toBe(second!.headers['content-type'])
  }
  upstream.expire()
  await page.evaluate(async () => {
    const body = new FormData()
    body.append('first_name', 'Ann')
    body.append('avatar', new File([new Uint8Array(1000)], 'a.png', { type: 'image/png' }))
    await window.rig.send('/method/upload', { method: 'POST', body })
  })
  const forms = upstream.state.received.filter(({ path }) => path === '/method/upload').slice(-2)
  // The boundary differs per send, the content does not.
  expect(new Set(forms.map(({ body }) => body.replaceAll(/----\w+/g, ''))).size).toBe(1)
})

test('T65 does not resend a POST after the connection breaks', async ({ upstream, tab }) => {
  const page = await tab({}, upstream.signIn())
  const result = await page.evaluate(() => window.rig.send('/method/drop', { method: 'POST', body: '{}' }))
  expect(result).toMatchObject({ ok: false, name: 'NetworkError', more: { maybeProcessed: true } })
  expect(upstream.state.refreshCalls).toBe(0)
})

test('T9 T10 returns an error response to the caller by name', async ({ upstream, tab }) => {
  const page = await tab({}, upstream.signIn())
  const get = (name: string) => page.evaluate((it) => window.rig.get(it), name)
  expect(await get('limited')).toMatchObject([{ name: 'RateLimitError', more: { retryAfterMs: 2000 } }])
  expect(await get('forbidden')).toMatchObject([{ name: 'HttpError', status: 403 }])
  expect(await get('broken')).toMatchObject([
    { name: 'HttpError', status: 502, more: { body: '<html>Bad gateway</html>' } },
  ])
  expect(await get('html400')).toMatchObject([{ name: 'HttpError', status: 400 }])
  expect(upstream.state.refreshCalls).toBe(0)
})

test('T72 treats a 401 of another origin without CORS headers as a network error, without a refresh', async ({
  upstream,
  tab,
}) => {
  const baseUrl = `http://app.test:${upstream.port}`
  upstream.state.cors = 'not401'
  const plain = await tab({ baseUrl }, upstream.signIn())
  expect(await plain.evaluate(() => window.rig.get('me'))).toMatchObject([{ ok: true }])
  upstream.expire()
  expect(await plain.evaluate(() => window.rig.get('me'))).toMatchObject([{ name: 'NetworkError' }])
  expect(upstream.state.refreshCalls).toBe(0)
})

test('T73 recognises a dead token by a listed name in a 400', async ({ upstream, tab }) => {
  upstream.state.dead = { status: 400, body: { error: { name: 'AccessTokenExpired' } } }
  const page = await tab({ unauthorizedNames: ['AccessTokenExpired'] }, upstream.signIn())
  upstream.expire()
  expect((await page.evaluate(() => window.rig.get('me', 5))).every((result) => result.ok)).toBe(true)
  expect(await page.evaluate(() => window.rig.get('invalid'))).toMatchObject([{ status: 400, name: 'HttpError' }])
  expect(upstream.state.refreshCalls).toBe(1)
})

test('T69 leaves no token outside the ledger', async ({ upstream, tab, context }) => {
  const said: string[] = []
  context.on('console', (message) => said.push(message.text()))
  const page = await tab({ timing: brisk }, upstream.signIn())
  const results: unknown[] = []
  for (const name of ['me', 'forbidden', 'limited', 'broken', 'invalid', 'drop', 'always401']) {
    if (name === 'me' || name === 'broken') upstream.expire()
    results.push(await page.evaluate((it) => window.rig.get(it), name))
  }
  upstream.state.script.push({ status: 400 })
  upstream.expire()
  results.push(await page.evaluate(() => window.rig.get('me')))
  results.push(
    await page.evaluate(() => [
      location.href,
      document.documentElement.outerHTML,
      JSON.stringify(window.rig.snapshot()),
      JSON.stringify(window.rig.events),
      JSON.stringify(window.rig.queries.getQueryCache().getAll()),
      JSON.stringify(performance.getEntries()),
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      document.cookie,
    ]),
  )
  const everything = JSON.stringify([said, results])
  expect(everything).not.toMatch(/access-ann|refresh-ann/)
  expect(upstream.tokensSent().length).toBeGreaterThan(5)
  expect(await inAll([page], (rig) => rig.token())).toEqual([null])
})
