// Tests of demands for a second factor: of a project, and of the installation.
import { within } from '@testing-library/react'
import { security as account } from '#contract/areas/account/security.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { security } from '#contract/areas/projects/security.ts'
import { Authenticator } from '#server/testing/authenticator.ts'
import { newOperator, type Person } from '#server/testing/test-app.ts'
import { paths } from '#src/lib/paths.ts'
import { button } from '#src/testing/find.ts'
import { expect, type PageFixtures, screen, test } from '#src/testing/page-test.tsx'

async function addFactor({ api, service }: Pick<PageFixtures, 'api' | 'service'>, person: Person): Promise<void> {
  const { options } = await api(account.beginPasskey, {}, person)
  const response = new Authenticator(new URL(service.url).origin).register(options)
  await api(account.addPasskey, { name: 'Key', response }, person)
}

test('an owner with a second factor demands one, and a member without one sees where to set it up', async ({
  open,
  user,
  person,
  another,
  service,
  api,
}) => {
  const project = { project_id: person.projectId }
  const guest = await another('Guest')
  await service.join(guest, person.projectId, 0)
  await open(paths.project(person.projectId))
  const demand = () => screen.findByRole('switch', { name: 'Demand a second factor of members' })
  await screen.findByText('2 members have none.')
  await user.click(await demand())
  await screen.findByText('Your account has no second factor.')
  await addFactor({ api, service }, person)
  await user.click(await demand())
  await expect.poll(() => api(security.get, project)).toMatchObject({ second_factor: true })
  await expect.poll(demand).toBeChecked()

  await open(paths.channels(person.projectId), guest)
  await screen.findByRole('heading', { name: 'Your account has no second factor' })
  expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Set up a second factor' }))
  await screen.findByRole('heading', { name: 'Passkeys' })
})

test('a member without a demanded factor leaves the project instead', async ({
  open,
  user,
  person,
  another,
  service,
  api,
}) => {
  await addFactor({ api, service }, person)
  const guest = await another('Guest')
  await service.join(guest, person.projectId, 0)
  // The demand is set while a page of the guest is open.
  await open(paths.channels(person.projectId), guest)
  await screen.findByRole('heading', { name: 'Channels' })
  await api(security.set, { project_id: person.projectId, second_factor: true })
  await user.click((await screen.findAllByRole('link', { name: 'Analytics' }))[0]!)
  await user.click(await button('Leave'))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Leave' }))
  await expect.poll(() => screen.queryByText('Your account has no second factor')).toBeNull()
  const { results } = await api(projects.list, {}, guest)
  expect(results.map(({ project_id }) => project_id)).toEqual([guest.projectId])
})

test('an operator demands a second factor of all users, with a reason', async ({ open, user, fill, service, api }) => {
  const operator = await newOperator(service)
  await addFactor({ api, service }, operator)
  await open(paths.operator('general'), operator)
  await user.click(await button('Change demand'))
  const dialog = await screen.findByRole('dialog', { name: 'Change demand' })
  await user.selectOptions(within(dialog).getByLabelText('Demand a second factor of'), 'All users')
  await fill(/reason/i, 'a policy of ours')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await screen.findByText('Every user needs a second factor.')
  await api(settings.setSecondFactor, { second_factor: 'none', reason: 'the end of the test' }, operator)
})
