// The frame around every page in a browser: focus, themes, small screens, late files, scroll positions.
import { paths } from '#src/lib/paths.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { addAll } from './fixtures/channels.ts'
import { speak } from './fixtures/language.ts'
import { expect, test } from './fixtures/test.ts'

test.beforeEach(async ({ login }) => login())

test('the first Tab of a page reaches the link to the content', async ({ page, person, goto }) => {
  await goto(paths.home(person.projectId))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('switches the theme immediately and keeps it after a reload', async ({ page, person, goto }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await goto(paths.home(person.projectId))
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await expect.poll(ground).not.toBe(light)
  const dark = await ground()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Light theme' })).toBeVisible()
  expect(await ground()).toBe(dark)
})

test('shows the navigation of a phone at the bottom, with the rest behind More', async ({ page, person, goto }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await goto(paths.home(person.projectId))
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages.getByRole('link')).toHaveText(['Home', 'Channels', 'Broadcasts', 'Chat'])
  await pages.getByRole('link', { name: 'Broadcasts' }).click()
  await expect(page).toHaveURL(paths.broadcasts(person.projectId))
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('link', { name: 'Plans & billing' }).click()
  await expect(page).toHaveURL(paths.tariffs(person.projectId))
})

test('keeps the account menu inside small phones beside the longest state on air', async ({
  page,
  person,
  service,
  goto,
}) => {
  const { projectId } = person
  const [main = 0, second = 0] = await addAll(service.url, person, ['Main stage', 'Second stage'])
  const node = someNodeOf({ services: service.app.services, clock: service.clock }, `long-${projectId}`)
  await node.begin(projectId)
  await node.channel(projectId, main, 'live')
  await node.channel(projectId, second, 'backoff', { reason: 'refused' })
  await speak(page, 'ru')
  for (const width of [360, 375, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await goto(paths.channels(projectId))
    await expect(page.getByRole('banner').getByRole('link', { name: 'Предупреждение' })).toBeVisible()
    const menu = await page.getByRole('button', { name: 'Аккаунт', exact: true }).boundingBox()
    expect.soft((menu?.x ?? width) + (menu?.width ?? 0), `${width}`).toBeLessThanOrEqual(width)
  }
})

test('shows the page while the file of the realtime connection fails to load', async ({
  page,
  person,
  goto,
  watch,
}) => {
  watch.allow(/ERR_FAILED/)
  let refused = 0
  await page.route('**/assets/connection-*', (route) => {
    refused += 1
    return route.abort()
  })
  await goto(paths.tariffs(person.projectId))
  await expect.poll(() => refused).toBeGreaterThan(0)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Off air' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans & billing')
})

test('keeps focus when a slow page finishes loading', async ({ page }) => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/\/assets\/tariffs-[^/]+\.js$/, async (route) => {
    await held
    await route.continue()
  })
  const rail = page.getByRole('navigation', { name: 'Pages' }).first()
  await rail.getByRole('link', { name: 'Plans & billing' }).click()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  const menu = page.getByRole('button', { name: 'Account', exact: true })
  await menu.click()
  letGo()
  await expect(page.locator('#announcer')).toHaveText('Plans & billing · Relaydeck')
  await expect(menu).toBeFocused()
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
})

test('follows the theme of the system until one is chosen, and keeps that', async ({ page }) => {
  const html = page.locator('html')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(html).toHaveAttribute('data-theme', 'dark')
})

test('restores the scroll position on Back', async ({ page, goto }) => {
  await page.setViewportSize({ width: 800, height: 400 })
  await goto(paths.reference())
  // The font may break the title's line otherwise, and move what is below.
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  const where = 700
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(where + 400)
  await page.mouse.wheel(0, where)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(where)
  await page.getByRole('link', { name: 'Relaydeck', exact: true }).click()
  await expect(page).toHaveTitle(/Home/)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(where)
})
