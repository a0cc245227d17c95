// The account pages in a browser: sign-out across tabs, accessibility and small screens.
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

test('signing out removes unsaved input from the screen in every tab', async ({ page, context, visit }) => {
  await visit(paths.account())
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

test('the tabs are accessible and fit a small phone', async ({ page, login, goto }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await login()
  for (const path of [paths.account(), paths.account('sessions'), paths.account('socials')]) {
    await goto(path)
    if (path === paths.account('sessions')) await page.getByText('Show commands').click()
    expect.soft(await axe(page), path).toEqual([])
    expect.soft(await scrollsSideways(page), path).toBe(false)
  }
})
