// The project page: what the project is, and who is in it.
import { projects } from '#contract/areas/projects/projects.ts'
import { join } from '#server/testing/members.ts'
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

test('an owner sees the facts of the project and themselves in it', async ({ page, person, login, goto }) => {
  await login()
  await goto(paths.project(person.projectId))
  const facts = page.getByRole('region', { name: 'Facts' })
  await expect(facts.getByText('Personal project')).toBeVisible()
  await expect(facts.getByText('Owner')).toBeVisible()
  await expect(facts.getByText('Bonus balance')).toBeVisible()
  await facts.getByRole('link', { name: 'Free' }).click()
  await expect(page).toHaveURL(paths.tariffs(person.projectId))
  await goto(paths.project(person.projectId, 'members'))
  const members = page.getByRole('region', { name: '1 member' })
  await expect(members.getByRole('listitem')).toContainText(['Robin you'])
  await expect(members.getByText('may do everything, also with people, plans and money')).toBeVisible()
})

test('people in a project have roles in words, and know which one is them', async ({
  page,
  another,
  service,
  login,
  goto,
  api,
}) => {
  const owner = await another({ name: 'Maria' })
  const { results } = await api(projects.list, {})
  await join(service.app, { projectId: owner.projectId, userId: results[0]!.user_id, accessType: 0 })
  await login()
  await goto(paths.project(owner.projectId))
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('Viewer')
  await goto(paths.project(owner.projectId, 'members'))
  const members = page.getByRole('region', { name: '2 members' }).getByRole('listitem')
  await expect(members.filter({ hasText: 'Maria' })).toContainText('Owner may do everything')
  await expect(members.filter({ hasText: 'you' })).toContainText('Viewer sees everything and changes nothing')
})

test('a project of others shows nothing of it', async ({ page, another, login, goto, watch }) => {
  const other = await another({ name: 'Other' })
  watch.allow(/status of 403/)
  await login()
  await goto(paths.project(other.projectId))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Project not found')
  await expect(page.getByText('Other', { exact: true })).toHaveCount(0)
})

test('an owner gives the project another name, and the switcher knows it', async ({ page, person, login, goto }) => {
  await login()
  await goto(paths.project(person.projectId))
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Evening studio')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('Evening studio')
  await expect(page.getByRole('button', { name: /^Project: Evening studio/ })).toBeVisible()
})

test('the tabs are accessible and fit a small phone', async ({ page, person, login, goto }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await login()
  for (const tab of [undefined, 'members', 'history'] as const) {
    const path = paths.project(person.projectId, tab)
    await goto(path)
    await page.waitForLoadState('networkidle')
    expect.soft(await axe(page), path).toEqual([])
    expect.soft(await scrollsSideways(page), path).toBe(false)
  }
})
