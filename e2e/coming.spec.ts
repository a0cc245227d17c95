// The pages whose operations are not served yet: they say so, say what they will hold, and lead to what is known.
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

test('a page to come says what it waits for, and leads to its reference', async ({ page, person, login, goto }) => {
  await login()
  await goto(paths.billing(person.projectId))
  await page.getByRole('link', { name: 'Payouts' }).click()
  await expect(page).toHaveURL(`${paths.billing(person.projectId)}/payouts`)
  await expect(page).toHaveTitle('Payouts · Relaydeck')
  await expect(page.getByText('Not served yet')).toBeVisible()
  await page.getByText('2 operations').click()
  await expect(page.getByText('Get payout data for create')).toBeVisible()
  await page.getByRole('link', { name: 'Payout in the API reference' }).click()
  await expect(page).toHaveURL(paths.referenceGroup('billing.payouts'))
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Payouts' })).toHaveAttribute('aria-current', 'page')
})

test('tabs are accessible and fit a small phone', async ({ page, person, login, goto }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await login()
  const tabs = [`${paths.billing(person.projectId)}/payouts`, `${paths.billing(person.projectId)}/referrals`]
  for (const path of tabs) {
    await goto(path)
    await page.locator('summary').first().click()
    await page.waitForLoadState('networkidle')
    expect.soft(await axe(page), path).toEqual([])
    expect.soft(await scrollsSideways(page), path).toBe(false)
  }
})
