// Tests of the page of API tokens: creation, the token shown once, use, revocation, groups of scopes that do not apply.
import { within } from '@testing-library/react'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { auth } from '#contract/areas/account/auth.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { makeOperator } from '#server/testing/test-app.ts'
import { paths } from '#src/lib/paths.ts'
import { button, confirm, dialog } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

const page = paths.account('tokens')
const scope = (name: string) => screen.getByRole('checkbox', { name })

test('creates a token with chosen rights, shows it once, lists its use, and revokes it', async ({
  open,
  user,
  fill,
  person,
  service,
  api,
}) => {
  await open(page)
  await user.click(await button('New token'))
  await dialog('New API token')
  await user.click(await button('Create token'))
  await screen.findByText('Enter a name, at most 100 characters.')
  await screen.findByText('Choose at least one right.')

  await fill('Name', 'Deck')
  await user.click(scope('Control surface'))
  await user.click(scope('Broadcasts: change'))
  expect(scope('Broadcasts: read')).toBeChecked()
  expect(screen.getByLabelText('Ends after')).toHaveValue('90')
  await user.selectOptions(screen.getByLabelText('Project'), String(person.projectId))
  await user.click(await button('Create token'))
  const once = await dialog('Your new token')
  const token = within(once).getByText(/^rdk_[\dA-Za-z]{36}$/).textContent
  within(once).getByText(new RegExp(`^curl -H 'X-API-KEY: ${token}' '${service.url}/method/`))
  const [listed] = (await api(apiTokens.list, {})).results
  expect(listed).toMatchObject({ scopes: ['control', 'broadcasts:write'], project: { id: person.projectId } })

  const headers = { 'user-agent': 'deck/1.0' }
  const status = await service.api(broadcasts.status, { project_id: person.projectId }, { as: token, headers })
  expect(status.status).toBe(200)
  await user.click(within(once).getByRole('button', { name: 'I saved it' }))
  expect(document.body.textContent).not.toContain(token)
  await screen.findByText('Control surface, Broadcasts (read and change)')

  await open(page)
  await screen.findByText('deck/1.0')
  await screen.findByText('from 127.0.0.x')
  await user.click(await button('Revoke: Deck'))
  await confirm(user)
  await screen.findByText('Revoked: Deck.')
  await screen.findByText('No API tokens')
  expect((await service.api(auth.me, {}, { as: token })).status).toBe(401)
})

test('offers billing where plans apply, and administration to operators only', async ({
  open,
  user,
  person,
  service,
  answer,
}) => {
  await open(page)
  await user.click(await button('New token'))
  await screen.findByRole('checkbox', { name: 'Plans & billing: read' })
  expect(screen.queryByRole('checkbox', { name: /^Administration/ })).toBeNull()

  await makeOperator(service, person)
  answer(auth.me, async (send) => Response.json({ ...(await (await send()).json()), billing: 'off' }))
  await open(page)
  await user.click(await button('New token'))
  await user.click(await screen.findByRole('checkbox', { name: 'Administration: change' }))
  await user.selectOptions(screen.getByLabelText('Project'), String(person.projectId))
  expect(screen.queryByRole('checkbox', { name: /^Administration/ })).toBeNull()
  expect(screen.queryByRole('checkbox', { name: /^Plans & billing/ })).toBeNull()
})
