// The service worker: notifications, and a start of the dashboard without network.
import { paths } from '#src/lib/paths.ts'
import { startService } from './fixtures/service.ts'
import { expect, test as base } from './fixtures/test.ts'

/** A service of its own, which a test stops. */
const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern
  service: async ({}, use) => {
    const service = await startService()
    await use(service)
    await service.close()
  },
})

test.use({ serviceWorkers: 'allow' })
test.beforeEach(async ({ login }) => login())

test('lets the browser register the worker of notifications', async ({ page, context, person, goto, watch }) => {
  watch.allow(/does not support the Push API in incognito mode/)
  await context.grantPermissions(['notifications'])
  await goto(paths.notifications(person.projectId, 'settings'))
  await page.getByRole('button', { name: 'Add this browser' }).click()
  const active = () => navigator.serviceWorker.getRegistration().then((found) => found?.active?.scriptURL)
  await expect.poll(() => page.evaluate(active)).toMatch(/\/worker\.js$/)
})

test('opens the dashboard without network, says so, and continues when the network returns', async ({
  page,
  context,
  person,
  goto,
  watch,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/, /Failed to fetch/)
  await goto(paths.home(person.projectId))
  const kept = async (): Promise<boolean> => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
    const files = ['/', ...loaded.filter((path) => path.startsWith('/assets/'))]
    const found = await Promise.all(files.map((file) => caches.match(file, { ignoreVary: true })))
    return found.every((file) => file !== undefined)
  }
  await expect.poll(() => page.evaluate(kept)).toBe(true)

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText('You are offline. The data shown may be out of date.')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' }).first()).toBeVisible()

  await context.setOffline(false)
  await expect(page.getByText('You are offline.')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
})
