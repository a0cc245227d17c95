// The API reference in a browser: accessibility and small screens.
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

for (const group of ['account.auth', 'account.profile', 'projects.projects', 'tariffs.restream', 'chat.chat'])
  test(`every operation of ${group} opens, accessible and no wider than a phone`, async ({ page, goto }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await goto(paths.referenceGroup(group))
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)))
    await expect(page.locator('details[open] > div').last()).toBeVisible()
    expect(await axe(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
