// Tests of the pages of apps: registration, keys, change, connection and its end by the person and by an owner.
import { within } from '@testing-library/react'
import { apps } from '#contract/areas/account/apps.ts'
import { connectApp } from '#server/testing/connect-app.ts'
import { paths } from '#src/lib/paths.ts'
import { button, confirm, dialog, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('registers an app, shows its secret once, changes and deletes it', async ({ open, user, fill, api }) => {
  await open(paths.account('apps'))
  await screen.findByText('You have no apps.')
  await user.click(await button('Register app'))
  const form = await dialog('Register an app')
  await user.click(await button('Register app', form))
  for (const text of [
    'Enter a name, at most 60 characters.',
    'Enter an address that begins with https://.',
    'Enter 1 to 10 addresses, one per line.',
    'Choose at least one right.',
  ])
    await screen.findByText(text)
  await fill('Name', 'Deck')
  await fill('Website', 'https://app.example.com')
  await fill('Redirect addresses', 'http://app.example.com/back')
  await user.click(screen.getByRole('checkbox', { name: 'Control surface' }))
  expect(screen.queryByRole('checkbox', { name: /^Administration/ })).toBeNull()
  await user.click(await button('Register app', form))
  await screen.findByText(/cannot be a redirect address/)
  await fill('Redirect addresses', 'https://app.example.com/back\nhttp://127.0.0.1/back')
  await user.click(await button('Register app', form))
  const keys = await dialog('Keys of Deck')
  const [app] = (await api(apps.list, {})).results
  within(keys).getByText(app?.client_id ?? 'none')
  const secret = within(keys).getByLabelText<HTMLInputElement>('Client secret').value
  expect(secret).toMatch(/^[\w-]{43}$/)
  await user.click(await button('Done', keys))
  expect(document.body.innerHTML).not.toContain(secret)

  await user.click(await button('Edit: Deck'))
  const edit = await dialog('Edit Deck')
  const choose = within(edit).getByLabelText('Choose picture')
  await user.upload(choose, new File(['<svg/>'], 'x.png', { type: 'image/png' }))
  await within(edit).findByText(/not a JPEG or PNG/)
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  await user.upload(choose, new File([png], 'x.png', { type: 'image/png' }))
  await within(edit).findByText(/^Saved\. People see it/)
  expect(within(edit).getByRole('img', { name: 'Picture of Deck' }).getAttribute('src')).toMatch(
    /\/files\/[\w-]+\.png$/,
  )
  await fill('Name', 'Deck 2')
  await user.click(await button('Save'))
  await user.click(await button('New secret: Deck 2'))
  await confirm(user)
  const second = await dialog('Keys of Deck 2')
  expect(within(second).getByLabelText<HTMLInputElement>('Client secret').value).not.toBe(secret)
  await user.click(await button('Done', second))
  await user.click(await button('Delete: Deck 2'))
  await confirm(user)
  await screen.findByText('You have no apps.')
})

test('lists connected apps for the person and for owners of the project, and ends them', async ({
  open,
  user,
  person,
  service,
  api,
}) => {
  const { id: appId } = await api(apps.create, {
    name: 'Deck',
    website: 'https://app.example.com',
    redirect_uris: ['https://app.example.com/back'],
    scopes: ['control'],
  })
  const other = await api(apps.create, {
    name: 'Pad',
    website: 'https://pad.example.com',
    redirect_uris: ['https://pad.example.com/back'],
    scopes: ['chat:read'],
  })
  const grant = { userId: person.id, projectId: person.projectId }
  for (const scopes of [['control'], ['chat:read']] as const)
    await connectApp(service.services, { ...grant, appId, scopes })
  await connectApp(service.services, { ...grant, appId: other.id, scopes: ['chat:read'] })
  await open(paths.account('apps'))
  const mine = await region('Connected apps')
  await within(mine).findByText(/Control surface/)
  await user.click(await button('Disconnect: Deck', mine))
  await confirm(user)
  await screen.findByText('Disconnected: Deck.')
  await expect.poll(() => within(mine).queryByText(/Control surface/)).toBeNull()

  await open(paths.project(person.projectId))
  const all = await region('Connected apps')
  await within(all).findByText('Connected by Robin')
  await user.click(await button('Disconnect: Pad', all))
  await confirm(user)
  await within(all).findByText('No connected apps.')
  expect((await api(apps.connected, {})).results).toEqual([])
})
