// The account: name and picture, and that nothing typed is lost by accident.
import { Buffer } from 'node:buffer'
import { profile } from '#contract/areas/account/profile.ts'
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a person changes their name and sees it everywhere', async ({ page, login, goto, api }) => {
  await login()
  await goto(paths.account())
  await expect(page.getByText('No changes to save.')).toBeVisible()
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Лавлейс 夫人')
  await expect(page.getByText('Not saved yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()

  expect(await api(profile.get, {})).toMatchObject({ firstName: 'Ada', lastName: 'Лавлейс 夫人' })
  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByText('Ada Лавлейс 夫人')).toBeVisible()
})

test('a picture is checked and shown before it is sent', async ({ page, login, goto, api }) => {
  await login()
  await goto(paths.account())
  const choose = page.getByLabel(/Choose (a|another) picture/)

  await choose.setInputFiles({ name: 'song.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expect(page.getByText('neither a JPEG nor a PNG')).toBeVisible()
  const large = Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)])
  await choose.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: large })
  await expect(page.getByText('larger than 2 MB')).toBeVisible()
  await expect(page.getByText('No changes to save.')).toBeVisible()

  await choose.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png })
  await expect(page.getByText('me.png will be sent when you save.')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Your picture' })).toHaveAttribute('src', /^data:image\/png/)
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()

  const { photo } = await api(profile.get, {})
  await expect(page.getByRole('img', { name: 'Your picture' })).toHaveAttribute('src', photo ?? 'none')
})

test('leaving with unsaved input asks first', async ({ page, login, goto }) => {
  await login()
  await goto(paths.account())
  await page.getByLabel('First name').fill('Somebody else')
  await page.getByRole('link', { name: 'Sessions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByLabel('First name')).toHaveValue('Somebody else')

  await page.getByRole('link', { name: 'Sessions' }).click()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(/\/account\/sessions$/)
  await expect(page.getByText('This one')).toBeVisible()
})

test('signing out takes unsaved input from the screen, in every tab', async ({ page, login, goto, context }) => {
  await login()
  await goto(paths.account())
  await page.getByLabel('First name').fill('Somebody else')
  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByLabel('First name').fill('Nobody')
  await other.getByRole('button', { name: 'Account' }).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [other, page]) {
    await expect(tab.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(tab.getByLabel('First name')).toHaveCount(0)
  }
})

test('the language switches at once and stays', async ({ page, login, goto }) => {
  await login()
  await goto(paths.account())
  await page.getByRole('radio', { name: 'Русский' }).check()
  await expect(page.getByRole('heading', { name: 'Аккаунт' })).toBeVisible()
  await expect(page).toHaveTitle('Профиль · Relaydeck')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Русский' })).toBeChecked()
  await page.getByRole('radio', { name: '简体中文' }).check()
  await expect(page.getByRole('heading', { name: '账户' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
})

test('the commands for a script name the server and the person, and have nothing secret in them', async ({
  page,
  person,
  service,
  login,
  goto,
}) => {
  await login()
  await goto(paths.account('sessions'))
  await page.getByText('Show the commands').click()
  const signIn = page.getByRole('group', { name: 'Sign in' })
  await expect(signIn).toContainText(`base=${service.url} email=${person.email} password='your password'`)
  expect(await page.getByRole('main').innerText()).not.toMatch(/eyJ/)
  expect.soft(await axe(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect.soft(await scrollsSideways(page)).toBe(false)
})

test('the tabs are accessible and fit a small phone', async ({ page, login, goto }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await login()
  for (const path of [paths.account(), paths.account('sessions'), paths.account('socials')]) {
    await goto(path)
    await page.waitForLoadState('networkidle')
    expect.soft(await axe(page), path).toEqual([])
    expect.soft(await scrollsSideways(page), path).toBe(false)
  }
})
