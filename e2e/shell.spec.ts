// What is around every page: navigation, palette, themes, languages, and what is said when there is no such page.
import { projects } from '#contract/areas/projects/projects.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, test } from './fixtures/test.ts'

test.beforeEach(async ({ login }) => login())

test('the rail reaches every page, and the window says which one it is', async ({ page }) => {
  const rail = page.getByRole('navigation', { name: 'Pages' }).first()
  const titles = new Set<string>()
  const names = ['Broadcasts', 'Channels', 'Stream setup', 'Chat', 'Media', 'Analytics', 'Plans', 'Project']
  for (const name of names) {
    const link = rail.getByRole('link', { name, exact: true })
    await link.click()
    await expect(link).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveTitle(/ · Relaydeck$/)
    await expect.poll(async () => titles.has(await page.title())).toBe(false)
    titles.add(await page.title())
  }
  await page.goBack()
  await expect(page).toHaveTitle('Tariffs · Relaydeck')
})

test('the palette goes anywhere without a mouse', async ({ page, person }) => {
  // Keys are for whoever sees the button: before it there is nobody to hear them.
  await expect(page.getByRole('button', { name: 'Search pages and actions' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox').fill('plans')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(paths.tariffs(person.projectId))
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox').fill('transcoders')
  await expect(page.getByRole('option')).toHaveText(['TranscodersStream setup'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(paths.ingest(person.projectId, 'transcoders'))
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox').fill('nothing matches this')
  await expect(page.getByText('No matches')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox')).toBeHidden()
})

test('the first Tab of a page leads past the navigation', async ({ page, person, goto }) => {
  await goto(paths.home(person.projectId))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('the theme is switched at once, and is still there after a reload', async ({ page, person, goto }) => {
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

test('the language is switched at once, remembered, and sent with every call', async ({ page, person, goto }) => {
  await goto(paths.home(person.projectId))
  await page.getByRole('button', { name: /Language/ }).click()
  const call = page.waitForRequest(/plan_restream\?.*language=ru/)
  await page.getByRole('button', { name: 'Русский' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Главная')
  await call
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Главная')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru')
})

test('a page that does not exist, and a project that is none, say so and lead on', async ({ page, person, goto }) => {
  for (const path of ['/nowhere', `${paths.home(person.projectId)}/nowhere`, paths.home('not-a-number')]) {
    await goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  }
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page).toHaveURL(paths.home(person.projectId))
})

test("somebody else's project is no project of mine: nothing of it is shown, and the start page is not it", async ({
  another,
  goto,
  page,
  person,
  watch,
}) => {
  watch.allow(/status of 403/)
  const stranger = await another({ name: 'Stranger' })
  await goto(paths.tariffs(stranger.projectId))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Project not found')
  await expect(page).toHaveTitle('No such project · Relaydeck')
  await expect(page.getByRole('main')).not.toContainText('Stranger')
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page).toHaveURL(paths.home(person.projectId))
})

test('on a phone the navigation is at the bottom, and the rest of it behind More', async ({ page, person, goto }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await goto(paths.home(person.projectId))
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Plans', exact: true }).click()
  await expect(page).toHaveURL(paths.tariffs(person.projectId))
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('link', { name: 'Billing' }).click()
  await expect(page).toHaveURL(paths.billing(person.projectId))
})

test('without a network the bar says so, and goes when it is back', async ({ page, context, person, goto, watch }) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/)
  await goto(paths.home(person.projectId))
  // What still comes would be missing, and that is another story.
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await expect(page.getByText('You are offline')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('You are offline')).toBeHidden()
})

test('what comes by itself after the page may come late: the page stands', async ({ page, person, goto, watch }) => {
  watch.allow(/ERR_FAILED/)
  const late = '**/assets/on-air-pill-*'
  let refused = 0
  await page.route(late, (route) => {
    refused += 1
    return route.abort()
  })
  await goto(paths.tariffs(person.projectId))
  await expect.poll(() => refused).toBeGreaterThan(0)
  await page.unroute(late)
  const pill = page.getByRole('banner').getByRole('link', { name: 'Off air' })
  await expect(pill).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(pill).toBeVisible()
})

test('a page that has come takes the focus and is said by its title; its own tabs keep theirs', async ({ page }) => {
  const rail = page.getByRole('navigation', { name: 'Pages' }).first()
  await rail.getByRole('link', { name: 'Channels', exact: true }).click()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.locator('#announcer')).toHaveText('Channels · Relaydeck')
  const tab = page.getByRole('main').getByRole('link', { name: 'Accounts' })
  await tab.click()
  await expect(page).toHaveURL(/\/channels\/accounts$/)
  await expect(tab).toBeFocused()
})

test('who has gone on while a page was on its way stays where they are', async ({ page }) => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/\/assets\/tariffs-page-[^/]+\.js$/, async (route) => {
    await held
    await route.continue()
  })
  const rail = page.getByRole('navigation', { name: 'Pages' }).first()
  await rail.getByRole('link', { name: 'Plans', exact: true }).click()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  const menu = page.getByRole('button', { name: 'Account', exact: true })
  await menu.click()
  letGo()
  await expect(page.locator('#announcer')).toHaveText('Tariffs · Relaydeck')
  await expect(menu).toBeFocused()
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
})

test('the look follows the system until somebody chooses, and the choice stays', async ({ page }) => {
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

test('the switcher finds a project, stays on its page, and the service remembers which one was chosen', async ({
  page,
  person,
  goto,
}) => {
  await goto(paths.ingest(person.projectId, 'servers'))
  await page.getByRole('button', { name: /Switch project/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose a project' })
  await dialog.getByRole('searchbox').fill('nobody has this')
  await expect(dialog).toContainText('No matching projects')
  await dialog.getByRole('searchbox').fill(person.name)
  const selected = page.waitForResponse((answer) => answer.url().includes(projects.select.path))
  await dialog.getByRole('button', { name: new RegExp(person.name) }).click()
  expect((await selected).status()).toBe(200)
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(paths.ingest(person.projectId, 'servers'))
})

test('back and forward restore where one was', async ({ page, goto }) => {
  await page.setViewportSize({ width: 800, height: 400 })
  await goto(paths.reference())
  const where = 700
  await page.mouse.wheel(0, where)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(where)
  await page.getByRole('link', { name: 'Relaydeck', exact: true }).click()
  await expect(page).toHaveTitle(/Home/)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(where)
})
