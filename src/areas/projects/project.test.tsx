// Tests of the project page: facts, members, teams.
import { within } from '@testing-library/react'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { paths } from '#src/lib/paths.ts'
import { button, dialog, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

/** The first plan with team projects. */
const pro = { period: 'month', plan_restream_id: 3 } as const

const member = async (name: string) => {
  const items = await within(await region(/^\d+ members?$/)).findAllByRole('listitem')
  const item = items.find(({ textContent }) => textContent.includes(name))
  if (!item) throw new Error(`${name} is not a member`)
  return item
}

test('shows an owner the facts of the project and their own role', async ({ open, user, person }) => {
  await open(paths.project(person.projectId, 'members'))
  await expect.poll(() => member('Robin')).toHaveTextContent('Robin you')
  expect(await region('1 member')).toHaveTextContent('full access, including people, plans and money')
  await open(paths.project(person.projectId))
  const facts = await region('Details')
  await within(facts).findByText('Personal project')
  expect(facts).toHaveTextContent('Owner')
  expect(facts).toHaveTextContent('Bonus balance')
  await user.click(await within(facts).findByRole('link', { name: 'Free' }))
  await expect.poll(() => location.pathname).toBe(paths.tariffs(person.projectId))
})

test('names the roles of members and marks the signed-in one', async ({ open, person, another, service }) => {
  const owner = await another('Maria')
  await service.join(person, owner.projectId, 0)
  await open(paths.project(owner.projectId))
  await expect.poll(() => region('Details')).toHaveTextContent('Viewer')
  await open(paths.project(owner.projectId, 'members'))
  await expect.poll(() => member('Maria')).toHaveTextContent('Owner: full access')
  expect(await member('you')).toHaveTextContent('Viewer: can view everything, cannot change it')
})

test('shows nothing of a project of another account', async ({ open, another }) => {
  const other = await another('Other')
  await open(paths.project(other.projectId))
  await screen.findByRole('heading', { level: 1, name: 'Project not found' })
  expect(screen.queryByText('Other')).toBeNull()
})

test('renames the project, also in the switcher', async ({ open, user, person, fill }) => {
  await open(paths.project(person.projectId))
  await user.click(await button('Rename'))
  await fill('Name', 'Evening studio')
  await user.keyboard('{Enter}')
  await expect.poll(() => region('Details')).toHaveTextContent('Evening studio')
  await button(/^Project: Evening studio/)
})

test('creates a team project in the switcher, and switches back', async ({ open, user, person, api, fill }) => {
  await open(paths.home(person.projectId))
  const create = async () => {
    await user.click(await button(/^Project: /))
    await user.click(await button('Create project'))
    await fill('Name', 'Studio')
    await user.click(await button('Create project', await dialog()))
  }
  await create()
  await expect
    .poll(async () => within(await dialog()).findByRole('alert'))
    .toHaveTextContent('Team projects are included in the Pro plan.')
  await user.click(await within(await dialog()).findByRole('link', { name: 'View plans' }))
  await expect.poll(() => location.pathname + location.search).toMatch(/\/tariffs\?plan=3/)

  await api(restream.buy, { project_id: person.projectId, ...pro })
  await create()
  await button(/^Project: Studio/)
  expect(location.pathname).not.toBe(paths.home(person.projectId))
  await user.click(await button(/^Project: /))
  await user.click(await button(/Robin/, await dialog()))
  await expect.poll(() => location.pathname).toBe(paths.home(person.projectId))
})

test('hands a project over, leaves it, and gives the reason when neither is possible', async ({
  open,
  user,
  person,
  another,
  api,
  service,
}) => {
  const other = await another('Maria')
  await api(restream.buy, { project_id: person.projectId, ...pro })
  const { internal_id: projectId } = await api(projects.create, { name: 'Studio', currency: 'usd' })
  await service.join(other, projectId, 1)
  const leave = () => region('Leave project')
  await open(paths.project(person.projectId, 'members'))
  await expect.poll(leave).toHaveTextContent('This is your personal project')
  await open(paths.project(projectId, 'members'))
  await expect.poll(leave).toHaveTextContent('You are the only owner')
  await user.click(await button(/./, await member('Maria')))
  await user.click(await button('Transfer project', await dialog()))
  await expect.poll(() => dialog()).toHaveTextContent('Maria becomes an owner, and you become an editor.')
  await user.click(await button('Transfer project', await dialog()))
  await screen.findByText('Maria owns the project now. You are an editor.')
  await user.click(await button('Leave', await leave()))
  await user.click(await button('Leave', await dialog()))
  await expect.poll(() => location.pathname).toBe(paths.home(person.projectId))
})

test('searches two hundred members', async ({ open, user, person, service }) => {
  const { db, clock } = service.app
  const date_create = clock.now().toISOString()
  const numbers = Array.from({ length: 199 }, (_, index) => index + 1)
  const common = { installation_owner: null, email: null, password_hash: null, last_name: '', photo: null }
  const rest = {
    language: 'en' as const,
    currency: 'usd' as const,
    country_id: 0,
    invited_by: null,
    last_project_id: null,
    date_create,
  }
  const rows = numbers.map((index) => ({
    ...common,
    ...rest,
    external_id: `x${person.projectId}-${index}`,
    ref_id: `r${person.projectId}-${index}`,
    first_name: `Member${String(index).padStart(3, '0')}`,
  }))
  for (const row of rows) {
    const { id: user_id } = await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
    const place = { project_id: person.projectId, user_id, access_type: 0 as const, date_create }
    await db.insertInto('project_members').values(place).execute()
  }
  await open(paths.project(person.projectId, 'members'))
  const items = async () => within(await region(/^\d+ members?$/)).queryAllByRole('listitem')
  await expect.poll(items).toHaveLength(200)
  await user.type(screen.getByRole('searchbox', { name: 'Search members' }), 'member12')
  await expect.poll(items).toHaveLength(10)
})
