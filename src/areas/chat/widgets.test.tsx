// Widgets of a project on the chat page: added with an address that is shown once, edited, replaced and removed.
import { within } from '@testing-library/react'
import { widgets } from '#contract/areas/realtime/widgets.ts'
import { paths } from '#src/lib/paths.ts'
import { button, confirm } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('adds a widget, shows its address once, edits, replaces and removes it', async ({
  open,
  user,
  fill,
  api,
  person,
}) => {
  const project = { project_id: person.projectId }
  await open(`${paths.chat(person.projectId)}?panel=widgets`)
  await screen.findByText('No widgets.')
  await user.click(await button('Add widget'))
  await screen.findByText('Enter a name')
  await fill('Name', 'Viewers')
  await user.click(await button('Add widget'))
  const address = () => screen.findByLabelText<HTMLInputElement>('Address of “Viewers”')
  const first = (await address()).value
  expect(first).toMatch(/\/overlay\/counter#template_id=[\da-f]{24}&token=rdw_[\dA-Za-z]{36}$/)

  await user.click(await button(/^Edit/))
  const editor = await screen.findByRole('form', { name: 'Viewers' })
  expect(within(editor).getByTitle<HTMLIFrameElement>('Preview').getAttribute('src')).toBe('/overlay/counter#preview')
  await user.click(within(editor).getByRole('switch', { name: 'Show channels' }))
  await user.selectOptions(within(editor).getByLabelText('Arrangement of channels'), 'Below one another')
  await user.click(await button('Save', editor))
  await expect
    .poll(async () => (await api(widgets.list, project)).results[0]?.payload)
    .toEqual({ channels: false, channels_layout: 'column' })

  await user.click(await button(/^New address/))
  await confirm(user)
  await expect.poll(async () => (await address()).value === first).toBe(false)
  await user.click(await button(/^Remove/))
  await confirm(user)
  await screen.findByText('No widgets.')
})
