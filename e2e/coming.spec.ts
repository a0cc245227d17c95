// Pages whose operations are not served yet, in a browser: accessibility and small screens.
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

test('tabs are accessible and fit a small phone', async ({ page, person, login, goto }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await login()
  const tabs = [`${paths.media(person.projectId)}/videos`, `${paths.notifications(person.projectId)}/settings`]
  for (const path of tabs) {
    await goto(path)
    await page.locator('summary').first().click()
    expect.soft(await axe(page), path).toEqual([])
    expect.soft(await scrollsSideways(page), path).toBe(false)
  }
})
