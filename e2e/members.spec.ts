// Members of a large project, and the page of an invitation.
import { invites } from '#contract/areas/projects/invites.ts'
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { mainThread, openLink } from './fixtures/main-thread.ts'
import { settled } from './fixtures/calls.ts'
import { expect, test } from './fixtures/test.ts'
import { TeamPage } from './pages/team-page.ts'

test('accepts an invitation once on a small dark phone, and rejects a bad link', async ({
  page,
  person,
  another,
  api,
  watch,
}) => {
  watch.allow(/status of 400/)
  const owner = await another({ name: 'Maria' })
  const input = { project_id: owner.projectId, access_type: 0 } as const
  const [{ url }, { url: second }] = [
    await api(invites.add, input, { as: owner }),
    await api(invites.add, input, { as: owner }),
  ]
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(url)
  await page.getByRole('button', { name: 'Sign in to accept' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const accept = page.getByRole('button', { name: 'Accept' })
  await expect(accept).toBeVisible()
  expect(await axe(page)).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
  await accept.click()
  await page.waitForURL(`**${paths.home(owner.projectId)}`)

  await test.step('links to the project for a member, and keeps the invitation for another person', async () => {
    await page.goto(second)
    await accept.click()
    await expect(page.getByRole('alert')).toContainText('You are already in this project.')
    await page.getByRole('button', { name: 'Decline' }).click()
    await expect(page.getByText('You declined the invitation.')).toBeVisible()
  })
  await test.step('rejects an invalid link', async () => {
    await page.goto(second)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This invitation is no longer valid')
    await page.getByRole('link', { name: 'Go to dashboard' }).click()
    await expect(page).toHaveURL(/\/p\/\d+$/)
  })
})

test(
  'two hundred members: showing and searching them is light work',
  { tag: '@nightly' },
  async ({ page, person, goto, service, visit }) => {
    const { db, clock } = service.app
    const date = clock.now().toISOString()
    const nameOf = (index: number) => `Member${String(index).padStart(3, '0')}`
    for (let index = 1; index < 200; index++) {
      const { id } = await db
        .insertInto('users')
        .values({
          external_id: `x${person.projectId}-${index}`,
          installation_owner: null,
          email: null,
          password_hash: null,
          first_name: nameOf(index),
          last_name: '',
          photo: null,
          language: 'en',
          currency: 'usd',
          country_id: 0,
          ref_id: `r${person.projectId}-${index}`,
          invited_by: null,
          last_project_id: null,
          date_create: date,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const place = { project_id: person.projectId, user_id: id }
      await db
        .insertInto('project_members')
        .values({ ...place, access_type: 0, date_create: date })
        .execute()
    }
    await visit(paths.project(person.projectId))
    await settled(page)
    const thread = await mainThread(page)
    const team = new TeamPage(page)
    const costs: number[] = []
    const floors: number[] = []
    const { projectId } = person
    const [overview, members] = [paths.project(projectId), paths.project(projectId, 'members')]
    for (let round = 0; round < 4; round++) {
      floors.push(await thread.floor())
      costs.push(await thread.cost(() => openLink(page, `main a[href="${members}"]`, ['main li:nth-child(200)'])))
      await expect(team.members.getByRole('listitem')).toHaveCount(200)
      await openLink(page, `main a[href="${overview}"]`, [`main a[href="${overview}"][aria-current="page"]`])
    }
    expect(Math.min(...costs) / Math.min(...floors)).toBeLessThan(3)
    await goto(paths.project(person.projectId, 'members'))
    await page.getByRole('searchbox', { name: 'Search members' }).fill('member12')
    await expect(team.members.getByRole('listitem')).toHaveCount(10)
  },
)
