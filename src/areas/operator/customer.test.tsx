// Tests of the page of one project and of People under Administration.
import { within } from '@testing-library/react'
import { customers } from '#contract/areas/operator/customers.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { paths } from '#src/lib/paths.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('opens a project from the list, adds a note, suspends it and tells its members why', async ({
  open,
  user,
  fill,
  api,
  another,
  service,
}) => {
  const zoe = await another('Zoe')
  const operator = await newOperator(service)
  await open(paths.operator('projects'), operator)
  await fill('Name, owner, e-mail or number', 'zoe')
  await user.click(await screen.findByRole('link', { name: `Zoe · ${zoe.projectId}` }))
  const members = within(await screen.findByRole('list', { name: 'Members' }))
  members.getByText(zoe.email)
  within(screen.getByRole('list', { name: 'Plans and promo codes' })).getByText(/Free/)

  await fill('New note', 'Called on Monday')
  await user.click(screen.getByRole('button', { name: 'Add note' }))
  await within(await screen.findByRole('list', { name: 'Notes' })).findByText('Called on Monday')
  expect(screen.getByLabelText('New note')).toHaveValue('')

  await user.click(screen.getByRole('button', { name: 'Suspend' }))
  await fill('Reason', 'Stolen card')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Suspend' }))
  await screen.findByText(/This project is suspended/)
  screen.getByText(/Stolen card/)

  await open(paths.channels(zoe.projectId), zoe)
  await screen.findByText(/This project is suspended: Stolen card/)
  await open(paths.operator(`projects/${zoe.projectId}`), operator)
  await user.click(await screen.findByRole('button', { name: 'Resume' }))
  await fill('Reason', 'Settled')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Resume' }))
  await screen.findByRole('button', { name: 'Suspend' })
  expect((await api(customers.get, { target_project_id: zoe.projectId }, operator)).suspended).toBeNull()
})

test('says that an unknown project does not exist', async ({ open, service }) => {
  await open(paths.operator('projects/none'), await newOperator(service))
  await screen.findByText('There is no such project')
})

test('moves a project to another plan after naming money and dates', async ({
  open,
  user,
  fill,
  person,
  api,
  service,
}) => {
  await open(paths.operator(`projects/${person.projectId}`), await newOperator(service))
  await user.click(await screen.findByRole('button', { name: 'Change plan' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('$4.90')
  await user.selectOptions(dialog.getByLabelText('Plan'), 'Restream: Pro')
  await dialog.findByText('$11.90')
  dialog.getByText('The plan starts now.')
  dialog.getByText('$168.10')
  await fill('Reason', 'Asked by phone')
  await user.click(dialog.getByRole('button', { name: 'Change plan' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  expect((await api(restream.slots, { project_id: person.projectId })).current?.id).toBe(3)
  await user.click(screen.getByRole('button', { name: 'Change plan' }))
  const again = within(await screen.findByRole('dialog'))
  await user.selectOptions(again.getByLabelText('Plan'), 'Transcoding: Ultra HD')
  await user.selectOptions(again.getByLabelText('Period'), 'A year')
  await again.findByText(/The balance lacks/)
  await fill('Reason', 'Asked by phone')
  expect(again.getByRole('button', { name: 'Change plan' })).toHaveAttribute('aria-disabled', 'true')
})

test('keeps the last operator, makes another one, and changes sign-up', async ({
  open,
  user,
  fill,
  another,
  service,
}) => {
  await service.app.db.deleteFrom('operators').execute()
  const zoe = await another('Zoe')
  const operator = await newOperator(service)
  await open(paths.operator('people?operators=1'), operator)
  const rows = within(await screen.findByRole('list', { name: 'Users' }))
  expect(rows.getAllByRole('listitem')).toHaveLength(1)
  await user.click(rows.getByRole('button', { name: /^Remove the operator right/ }))
  await fill('Reason', 'Bye')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove operator' }))
  await screen.findByText('The last operator cannot be removed. Make another user an operator first.')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))

  await user.selectOptions(screen.getByLabelText('Right'), 'All users')
  await fill('Name or e-mail', zoe.email)
  await user.click(await screen.findByRole('button', { name: 'Make Zoe an operator' }))
  await fill('Reason', 'Helps')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make operator' }))
  await screen.findByRole('button', { name: 'Remove the operator right of Zoe' })

  await user.click(screen.getByRole('button', { name: 'Change sign-up' }))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Sign-up' }), 'Closed: only links of operators')
  await fill('Reason', 'Full')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await screen.findByText('Closed: only links of operators')
  await user.click(screen.getByRole('button', { name: 'Create invitation' }))
  await fill('Reason', 'A friend')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Create invitation' }))
  await screen.findByText(/sign-in\?invite=/)
})
