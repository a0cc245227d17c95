// The account pages in a browser: sign-out across tabs.
import { paths } from '#src/lib/paths.ts'
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
