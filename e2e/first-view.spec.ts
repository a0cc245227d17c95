// First-view budget of a fresh browser, in compressed bytes: the same on every machine (docs/decisions/0032, 0067).
import { existsSync, statSync } from 'node:fs'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { report } from '#server/testing/nodes.ts'
import { paths } from '#src/lib/paths.ts'
import { settled } from './fixtures/calls.ts'
import { liveLine, statusAt } from './fixtures/live-line.ts'
import { dialogScene } from './fixtures/dialog-scene.ts'
import { shiftOnPhone, visit, type Weight, weigh } from './fixtures/first-view.ts'
import { startService } from './fixtures/service.ts'
import { expect, opened, test } from './fixtures/test.ts'

/** Brotli bytes and requests until a page can be used; sign-in, which loads no signed-in part, has bytes of its own. */
const budget = { js: 220_000, signInJs: 132_000, css: 21_000, requests: 16 }

/** Scripts of pages with forms, and of the chat with its virtual list and the realtime connection. */
const more = { forms: 237_000, chat: 266_000 }

/** Bytes of a file of the build, as sent: pages of one browser share its cache, in which files have none. */
function sentBytes(file: string): number {
  const built = `dist/dashboard${file}`
  return statSync(existsSync(`${built}.br`) ? `${built}.br` : built).size
}

function expectWithin({ first, thirdParty }: Weight, js = budget.js): void {
  const shown = first.requests.map((address) => new URL(address).pathname).join('\n')
  expect(first.js.brotli, `bytes of scripts among:\n${shown}`).toBeLessThanOrEqual(js)
  expect(first.css.gzip, 'bytes of styles').toBeLessThanOrEqual(budget.css)
  expect(thirdParty, 'requests to third parties').toEqual([])
}

test('sign-in', { tag: '@nightly' }, async ({ page, service }) => {
  expectWithin(await weigh(page, service.url + paths.signIn(), 'Sign in'), budget.signInJs)
})

test('the tariff page', { tag: '@nightly' }, async ({ page, context, person, service, login }) => {
  await login()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expectWithin(await weigh(await context.newPage(), service.url + paths.tariffs(person.projectId), 'Yearly'))
})

for (const [name, viewport] of [
  ['a phone', { width: 412, height: 823 }],
  ['a desk', { width: 1440, height: 900 }],
] as const)
  test(
    `the control room on air, on ${name}: deferred parts load without layout shift`,
    { tag: '@nightly' },
    async ({ page: first, context, person, service, login }) => {
      await login()
      await expect(first.getByRole('heading', { level: 1 })).toBeVisible()
      const page = await context.newPage()
      await page.setViewportSize(viewport)
      const line = await liveLine(page)
      await page.route(`**${broadcasts.status.path}?*`, (route) => route.fulfill({ json: statusAt(0, true) }))
      void line.subscribed.then(() => [1, 2, 3].forEach((second) => line.push(statusAt(second, true))))
      const weight = await weigh(page, service.url + paths.home(person.projectId), 'All channels are live (5 of 5)')
      expectWithin(weight)
      // A font that loads late on a busy machine moves a word or two.
      expect(weight.moved, 'layout shift').toBeLessThan(0.005)

      // Deferred parts render when they come near the viewport.
      await page.getByRole('heading', { name: 'Incoming stream' }).scrollIntoViewIfNeeded()
      await expect(page.getByRole('slider', { name: 'Bitrate' })).toBeVisible()
      await page.getByRole('heading', { name: 'Events' }).scrollIntoViewIfNeeded()
      await expect(page.getByRole('list', { name: 'Events' })).toBeAttached()
    },
  )

const withPayments = test.extend({
  service: async ({ shared }, use) =>
    use(await shared('service with payments', () => opened(startService({ INVOICE_DETAILS: 'IBAN' })))),
})

withPayments(
  'nothing moves on a slow phone',
  { tag: '@nightly' },
  async ({ context, person, service, login, another, watch }) => {
    // A recording of the scene has no file.
    watch.allow(/status of 400/)
    await login()
    await report(service.app.services, { pingHost: new URL(service.url).host })
    const id = person.projectId
    const pages = [
      paths.home,
      paths.channels,
      paths.ingest,
      paths.broadcasts,
      paths.media,
      paths.tariffs,
      paths.billing,
      paths.project,
    ]
    for (const scene of ['empty', 'busy']) {
      if (scene === 'busy') await dialogScene(service, person, await another())
      for (const path of [...pages.map((of) => of(id)), paths.account()]) {
        const page = await context.newPage()
        expect.soft(await shiftOnPhone(page, service.url + path), `${scene} ${path}`).toBeLessThan(0.005)
        await page.close()
      }
    }
  },
)

withPayments(
  'every page of the navigation can be used after 16 requests',
  { tag: '@nightly' },
  async ({ page: first, context, person, service, login, another, watch }) => {
    const { channelId, broadcastId } = await dialogScene(service, person, await another())
    await login()
    await expect(first.getByRole('heading', { level: 1 })).toBeVisible()
    await first.close()
    // A recording of the scene has no file.
    watch.allow(/status of 400/)
    const id = person.projectId
    const pages: readonly (readonly [path: string, js: number])[] = [
      [paths.home(id), budget.js],
      [paths.channels(id), budget.js],
      [paths.channel(id, channelId), more.forms],
      [paths.channels(id, 'add'), more.forms],
      [paths.channels(id, 'accounts'), more.forms],
      [paths.ingest(id), budget.js],
      [paths.broadcasts(id), budget.js],
      [paths.broadcasts(id, 'schedule'), budget.js],
      [paths.broadcast(id, broadcastId), budget.js],
      [paths.media(id), budget.js],
      [paths.chat(id), more.chat],
      [paths.analytics(id), budget.js],
      [paths.tariffs(id), budget.js],
      [paths.billing(id), more.forms],
      [paths.project(id), more.forms],
      [paths.project(id, 'members'), budget.js],
      [paths.notifications(id), budget.js],
      [paths.account(), budget.js],
      [paths.help(), budget.js],
      [paths.operator(), budget.js],
      [paths.operator('projects'), more.forms],
      [`${paths.operator('projects')}/${id}`, more.forms],
      [paths.operator('people'), more.forms],
      [paths.operator('health'), more.forms],
    ]
    for (const [path, js] of pages) {
      const page = await context.newPage()
      const { requests } = await visit(page, service.url + path, { withRealtime: path === paths.chat(id) })
      const files = requests.map(({ path: one }) => one).filter((one) => one.startsWith('/assets/'))
      const sizes = files.map((file) => ({ file, bytes: sentBytes(file) }))
      const shown = [...requests.map(({ path: one }) => one), ...sizes.map(({ file, bytes }) => `${bytes} ${file}`)]
      expect.soft(requests.length, `requests of ${path}:\n${shown.join('\n')}`).toBeLessThanOrEqual(budget.requests)
      const scripts = sizes.filter(({ file }) => file.endsWith('.js')).reduce((sum, { bytes }) => sum + bytes, 0)
      expect(scripts, `scripts of ${path}`).toBeGreaterThan(100_000)
      expect.soft(scripts, `bytes of scripts of ${path}:\n${shown.join('\n')}`).toBeLessThanOrEqual(js)
      await page.close()
    }
  },
)

test('monospaced text has the font of the build, and a late font moves nothing', async ({ page, service }) => {
  const font = /roboto-mono-latin-400.*\.woff2$/
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { readonly value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const shiftsOf = () => page.evaluate(() => (globalThis as unknown as { readonly shifts: number[] }).shifts)
  const dom = await page.context().newCDPSession(page)
  const isOurs = async (): Promise<boolean> => {
    await dom.send('DOM.enable')
    await dom.send('CSS.enable')
    const { root } = await dom.send('DOM.getDocument')
    const { nodeId } = await dom.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'main code' })
    const { fonts } = await dom.send('CSS.getPlatformFontsForNode', { nodeId })
    return fonts.some(({ familyName, isCustomFont }) => isCustomFont && familyName === 'Roboto Mono')
  }

  const late = Promise.withResolvers<void>()
  await page.route(font, async (route) => {
    await late.promise
    await route.continue()
  })
  const asked = page.waitForRequest(font)
  await page.goto(service.url + paths.referenceGroup('tariffs.restream'))
  await expect(page.locator('main code').first()).toBeVisible()
  await asked
  const loading = () =>
    page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loading').map(({ family }) => family))
  await expect.poll(loading).toEqual(['Roboto Mono'])
  const before = (await shiftsOf()).length
  late.resolve()
  await expect.poll(loading).toEqual([])
  await settled(page)
  expect((await shiftsOf()).slice(before)).toEqual([])

  await page.unroute(font)
  await page.reload()
  await expect(page.locator('main code').first()).toBeVisible()
  await expect.poll(isOurs).toBe(true)
})
