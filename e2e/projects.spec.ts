// The project page in a browser: accessibility and small screens.
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

test('the tabs are accessible and fit a small phone', async ({ page, person, login, goto, watch }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await login()
  for (const tab of [undefined, 'members', 'history'] as const) {
    const path = paths.project(person.projectId, tab)
    await goto(path)
    expect.soft(await axe(page), path).toEqual([])
    expect.soft(await scrollsSideways(page), path).toBe(false)
  }
  watch.allow(/status of 400/)
  await page.getByRole('button', { name: /^Project: / }).click()
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Studio')
  await page.getByRole('dialog').getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('alert')).toContainText('Pro')
  expect.soft(await axe(page), 'a refused project').toEqual([])
})
