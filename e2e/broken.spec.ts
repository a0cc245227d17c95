// Failures in a browser: missing dashboard files, a page that throws, a server that does not renew the session.
import type { Page } from '@playwright/test'
import { auth } from '#contract/areas/account/auth.ts'
import { expect, test } from '#e2e/fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

test.beforeEach(({ login }) => login())

test('reports a newer version that replaced the files of a page, and loads it with one reload', async ({
  page,
  person,
  watch,
}) => {
  watch.allow(/status of 404/, /Failed to fetch dynamically imported module/)
  const files = /\/assets\/tariffs-[^/]+\.js$/
  await page.route(files, (route) => route.fulfill({ status: 404, body: '' }))
  const document = await (await page.request.get('/')).text()
  const newer = document.replaceAll(/\/assets\/index-[^"]+\.js/g, '/assets/index-newer.js')
  expect(newer).not.toBe(document)
  await page.route(
    (url) => url.pathname === '/',
    (route) => route.fulfill({ contentType: 'text/html', body: newer }),
  )
  const navigation = page.getByRole('navigation', { name: 'Pages' }).first()
  await navigation.getByRole('link', { name: 'Plans & billing' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A new version is available')
  await expect(page).toHaveURL(paths.tariffs(person.projectId))
  await expect(navigation).toBeVisible()

  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans & billing')
})

test('reports no newer version when a file of the same version fails to load', async ({ page, watch }) => {
  watch.allow(/status of 503/, /Failed to fetch dynamically imported module/)
  const files = /\/assets\/tariffs-[^/]+\.js$/
  await page.route(files, (route) => route.fulfill({ status: 503, body: '' }))
  const compared = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/')
  await page.getByRole('navigation', { name: 'Pages' }).first().getByRole('link', { name: 'Plans & billing' }).click()
  await (await compared).finished()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Could not load this page')
  await expect(page.getByText('Check your connection and retry.')).toBeVisible()
  await page.unroute(files)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans & billing')
})

test('reports no newer version when the server is unreachable', async ({ page, watch }) => {
  watch.allow(/Failed to load resource|Failed to fetch|preload CSS/)
  await page.route('**/*', (route) => route.abort())
  const navigation = page.getByRole('navigation', { name: 'Pages' }).first()
  await navigation.getByRole('link', { name: 'Plans & billing' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Could not load this page')
  await page.unroute('**/*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans & billing')
})

test('loads a failed page without a click when the network returns', async ({ page, context, watch }) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|preload CSS/)
  await context.setOffline(true)
  await page.getByRole('navigation', { name: 'Pages' }).first().getByRole('link', { name: 'Plans & billing' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Could not load this page')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans & billing')
})

test('keeps navigation and other pages working when a page throws', async ({ page, person, watch }) => {
  watch.allow(/Broken on purpose/)
  const broken = "export const Component = () => { throw new Error('Broken on purpose') }; export const handle = {}"
  await page.route(/\/assets\/reference-page-[^/]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: broken }),
  )
  await page.goto(paths.reference())
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something went wrong on this page')
  await expect(page.getByText('Error: Broken on purpose')).toBeHidden()
  await page.getByText('Details').click()
  await expect(page.getByText('Error: Broken on purpose')).toBeVisible()

  await page.getByRole('link', { name: 'Plans & billing' }).first().click()
  await expect(page).toHaveURL(paths.tariffs(person.projectId))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans & billing')
})

/** Refuses every access token, and the refresh with 503 until the returned function is called. */
async function refuseRefresh(page: Page, headers: Record<string, string> = {}): Promise<() => Promise<void>> {
  const refusal = (name: string) => ({ error: { name, msg: name, options: {}, data: {} } })
  // Covers all operations: one that accepts the token would show that it is still valid.
  const patterns = ['**/method/**', `**${auth.refreshAccess.path}`]
  await page.route('**/method/**', (route) => route.fulfill({ status: 401, json: refusal('Unauthorized') }))
  await page.route(`**${auth.refreshAccess.path}`, (route) =>
    route.fulfill({ status: 503, json: refusal('Unavailable'), headers }),
  )
  return async () => {
    for (const pattern of patterns) await page.unroute(pattern)
  }
}

test('counts down while the session cannot be renewed, and Retry now retries immediately', async ({ page, watch }) => {
  watch.allow(/status of (401|503)/)
  await page.clock.install()
  const accept = await refuseRefresh(page)
  await page.reload()
  const bar = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Retry now' }) })
  await expect(bar).toContainText(/in \d+ s/)
  // No timer fires any more: only the button can renew the session.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2000))
  await accept()
  const renewed = page.waitForResponse((answer) => answer.url().includes(auth.refreshAccess.path))
  await bar.getByRole('button', { name: 'Retry now' }).click()
  expect((await renewed).status()).toBe(200)
  await page.clock.resume()
  await expect(bar).toBeHidden()
  await expect(page.getByRole('link', { name: 'Off air' })).toBeVisible()
})

test('offers no retry during a pause that the server set', async ({ page, watch }) => {
  watch.allow(/status of (401|503)/)
  await refuseRefresh(page, { 'retry-after': '30' })
  await page.reload()
  const bar = page.getByRole('status').filter({ has: page.getByRole('link', { name: 'Sign in again' }) })
  await expect(bar).toContainText(/in 2\d s/)
  await expect(bar.getByRole('button')).toHaveCount(0)
})
