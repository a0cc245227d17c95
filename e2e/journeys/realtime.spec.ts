// What happens reaches every open page by itself; while it cannot, pages ask, and say so.
import type { Page } from '@playwright/test'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { onAir as test, quickly } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

// A busy machine makes a platform late now and then: it is tried again soon.
test.use({ timing: quickly })

/** Calls of the API that a page makes from now on. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/method/')) calls.push(pathname)
  })
  return calls
}

const isConnected = (page: Page) =>
  page
    .waitForEvent('websocket')
    .then((socket) => socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"subscribe"')))

const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })

const show = (page: Page) =>
  page.evaluate(() => {
    Reflect.deleteProperty(document, 'hidden')
    Reflect.deleteProperty(document, 'visibilityState')
    document.dispatchEvent(new Event('visibilitychange'))
  })

interface Heard {
  readonly push?: { readonly channel: string; readonly pub?: { readonly offset: number; readonly data: unknown } }
}

/** Publications of the live channel that a page gets from now on, by their place in it. */
function heardBy(page: Page): Map<number, string> {
  const heard = new Map<number, string>()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      for (const line of String(payload).split('\n')) {
        const { push } = JSON.parse(line) as Heard
        if (push?.pub && push.channel.startsWith('$project_live'))
          heard.set(push.pub.offset, JSON.stringify(push.pub.data))
      }
    }),
  )
  return heard
}

test('two browsers see a channel go live and away, without asking', async ({
  page,
  elsewhere,
  person,
  login,
  api,
  relay,
  watch,
}) => {
  const project = { project_id: person.projectId }
  const rtmp_url = `rtmp://127.0.0.1:${relay.platform.port}/live`
  const added = await api(addChannel.boosty, { ...project, name: 'One', rtmp_url, stream_key: 'secret-key' })
  await api(channels.setStatus, { channel_id: added.channel_id, status: true })
  await expect.poll(async () => (await api(rtmpServers.list, { ...project, interval: 1 })).results.length).toBe(1)
  const other = await elsewhere()
  const pages = [page, other]
  const heard = pages.map(heardBy)
  await Promise.all(
    pages.map(async (one) => {
      const connected = isConnected(one)
      await login(person, one)
      await expect(one.getByRole('heading', { name: 'Nothing is on air' })).toBeVisible()
      await connected
    }),
  )

  await relay.encode((await api(streamKeys.get, project)).key)
  for (const one of pages) {
    const row = one.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'One' })
    await expect(row).toContainText('Live')
  }
  const calls = pages.map(callsOf)
  await page.waitForTimeout(6_000)
  for (const made of calls) expect(made.length, made.join()).toBeLessThanOrEqual(1)

  await relay.platform.down()
  for (const one of pages) {
    const row = one.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'One' })
    await expect(row).toContainText('Reconnecting')
  }
  expect(watch.problems()).toEqual([])
  // Both have heard the same, each thing in its place.
  const [mine = new Map<number, string>(), theirs = new Map<number, string>()] = heard
  const both = [...mine.keys()].filter((offset) => theirs.has(offset))
  expect(both.length).toBeGreaterThan(8)
  expect(both).toEqual(both.toSorted((a, b) => a - b))
  expect(both.map((offset) => mine.get(offset))).toEqual(both.map((offset) => theirs.get(offset)))
})

test('what one browser changes, the other shows', async ({ page, elsewhere, person, login, api }) => {
  const project = { project_id: person.projectId }
  const other = await elsewhere()
  for (const one of [page, other]) {
    await login(person, one)
    const connected = isConnected(one)
    await one.goto(paths.channels(person.projectId))
    await connected
  }
  await api(addChannel.boosty, { ...project, name: 'New one', rtmp_url: 'rtmp://a.example.com/x', stream_key: 'key' })
  for (const one of [page, other]) await expect(one.getByRole('main').getByText('New one').first()).toBeVisible()
})

test('without the line the page asks, and says so; a hidden one asks nothing', async ({
  page,
  person,
  login,
  api,
  relay,
  watch,
}) => {
  watch.allow(/WebSocket/)
  const project = { project_id: person.projectId }
  await expect.poll(async () => (await api(rtmpServers.list, { ...project, interval: 1 })).results.length).toBe(1)
  let isCut = true
  await page.routeWebSocket(/connection\/websocket/, async (socket) => {
    if (isCut) await socket.close({ code: 1011 })
    else socket.connectToServer()
  })
  await login()
  const mark = page.getByRole('banner').getByText('Changes arrive every few seconds')
  await expect(mark).toBeAttached()
  await relay.encode((await api(streamKeys.get, project)).key)
  await expect(page.getByRole('main').getByRole('heading', { name: /On air/ })).toBeVisible()

  await hide(page)
  const calls = callsOf(page)
  // What was begun before may still be on its way.
  await expect(async () => {
    calls.length = 0
    await page.waitForTimeout(5_000)
    expect(calls).toEqual([])
  }).toPass()

  isCut = false
  await show(page)
  await expect(mark).not.toBeAttached()
})

test('a tab that wakes over a dead line is right at once', async ({ page, person, login, api, relay }) => {
  const project = { project_id: person.projectId }
  await expect.poll(async () => (await api(rtmpServers.list, { ...project, interval: 1 })).results.length).toBe(1)
  const lines: { isDead: boolean }[] = []
  await page.routeWebSocket(/connection\/websocket/, (socket) => {
    const line = { isDead: false }
    lines.push(line)
    const server = socket.connectToServer()
    socket.onMessage((message) => line.isDead || server.send(message))
    server.onMessage((message) => line.isDead || socket.send(message))
  })
  await login()
  await expect(page.getByRole('heading', { name: 'Nothing is on air' })).toBeVisible()
  await expect.poll(() => lines.length).toBe(1)
  await page.waitForTimeout(1_000)
  await hide(page)
  // Nobody says goodbye: it looks open.
  for (const line of lines) line.isDead = true
  await relay.encode((await api(streamKeys.get, project)).key)
  await page.waitForTimeout(2_000)
  await expect(page.getByRole('heading', { name: 'Nothing is on air' })).toBeVisible()
  const woke = Date.now()
  await show(page)
  await expect(page.getByRole('main').getByRole('heading', { name: /On air/ })).toBeVisible()
  // How long it took, for the report.
  test.info().annotations.push({ type: 'milliseconds until it is right', description: String(Date.now() - woke) })
  await expect.poll(() => lines.length).toBe(2)
})
