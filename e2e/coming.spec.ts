// Pages whose operations are not served yet, in a browser: accessibility and small screens.
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

test('a tab is accessible and fits a small phone', async ({ page, person, login, goto }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await login()
  await goto(`${paths.media(person.projectId)}/videos`)
  await page.locator('summary').first().click()
  expect.soft(await axe(page)).toEqual([])
  expect.soft(await scrollsSideways(page)).toBe(false)
})
