// Tests of the API reference: search, calls with and without a session, waiting operations.
import { within } from '@testing-library/react'
import { projects } from '#contract/areas/projects/projects.ts'
import { operations } from '#contract/index.ts'
import { notServed } from '#contract/not-served.ts'
import { paths } from '#src/lib/paths.ts'
import { selectedProject } from '#src/stores/selected-project.ts'
import { button } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

const all = operations.length + notServed.flatMap((group) => group.operations).length

/** Returns the panel of an operation by its anchor. */
async function panel(id: string): Promise<HTMLElement> {
  const find = () => document.getElementById(id)
  await expect.poll(find).not.toBeNull()
  return find() ?? document.body
}

/** Opens a project, until it is the one that the reference fills in. */
async function visited(
  open: (path: string) => Promise<void>,
  { projectId }: { readonly projectId: number },
): Promise<void> {
  await open(paths.project(projectId))
  await expect.poll(selectedProject).toBe(projectId)
}

test('finds an operation by a word, without a session, and stores the search in the URL', async ({
  open,
  user,
  fill,
}) => {
  await open(paths.reference(), null)
  await screen.findByText(new RegExp(`${all} operations`))
  await fill('Search groups and operations', 'refresh-access')
  await expect.poll(() => location.search).toBe('?q=refresh-access')
  const groups = () => within(screen.getByRole('main')).getAllByRole('heading', { level: 2 })
  await expect.poll(groups).toHaveLength(1)
  expect(groups()[0]).toHaveTextContent(/^Account/)

  await open(`${paths.reference()}?q=refresh-access`, null)
  expect(await screen.findByLabelText('Search groups and operations')).toHaveValue('refresh-access')
  await user.click(await screen.findByRole('link', { name: 'POST auth/refresh-access' }))
  const operation = await panel('post-auth-refresh-access')
  await within(operation).findByText('From the brief')
  await within(operation).findByText('Anyone, without a token')
  expect(within(operation).getByRole('row', { name: /^refresh required/ })).toHaveTextContent('length ≤ 4096')
  expect(within(operation).getByRole('group', { name: 'Response' })).toHaveTextContent(
    '{ accessToken: string refreshToken: string }',
  )
})

test('leads to sign-in for an operation that needs a session, and runs one that needs none', async ({ open, user }) => {
  await open(`${paths.referenceGroup('tariffs.restream')}#get-plan-restream`, null)
  const slots = await panel('get-plan-restream')
  await within(slots).findByText(/Sign in to run this operation\./)
  expect(within(slots).getByRole('link', { name: 'Sign in' }).getAttribute('href')).toMatch(/returnTo=%2Freference/)

  const list = await panel('get-plan-restream-list')
  await user.click(within(list).getByText('plan_restream/list'))
  await user.click(await button('Run', list))
  await within(list).findByText(/HTTP 200/)
  expect(list).toHaveTextContent('The response matches the contract.')
  expect(await within(list).findByRole('group', { name: 'Raw response' })).toHaveTextContent('"plan_restream_id": 1')
})

test('runs a read with the session and project of the user, and shows errors unchanged', async ({
  open,
  user,
  person,
  fill,
}) => {
  await visited(open, person)
  await open(`${paths.referenceGroup('tariffs.restream')}#get-plan-restream`)
  const slots = await panel('get-plan-restream')
  expect(await within(slots).findByLabelText(/project_id/)).toHaveValue(String(person.projectId))
  await user.click(await button('Run', slots))
  await within(slots).findByText(/HTTP 200/)
  const response = () => within(slots).findByRole('group', { name: 'Raw response' })
  await expect.poll(response).toHaveTextContent('"current"')
  // The command contains a placeholder, never the token.
  await user.click((await within(slots).findAllByRole('button', { name: 'Copy' }))[0] ?? slots)
  await within(slots).findByText('Copied')
  const command = await navigator.clipboard.readText()
  expect(command).toContain(`project_id=${person.projectId}'`)
  expect(command).toContain("-H 'Authorization: oauth <ACCESS_TOKEN>'")

  await fill(/project_id/, 'seven')
  await user.click(await button('Run', slots))
  await within(slots).findByText(/HTTP 400/)
  await expect.poll(response).toHaveTextContent('"validator_error"')
})

test('shows a command that works', async ({ open, person, service }) => {
  await visited(open, person)
  await open(`${paths.referenceGroup('projects.projects')}#get-project-get-project-info`)
  const text = (await screen.findByRole('group', { name: 'curl' })).textContent
  const url = /'(http[^']+)'/.exec(text)?.[1] ?? ''
  const response = await fetch(url, { headers: { authorization: `oauth ${person.accessToken}` } })
  expect(url).toContain(service.url)
  expect(projects.info.output.parse(await response.json())).toMatchObject({ data: { project_id: person.projectId } })
})

test('shows an operation that is not served', async ({ open }) => {
  await open(`${paths.referenceGroup('tariffs.webinar')}#get-plan-webinar-list`, null)
  const operation = await panel('get-plan-webinar-list')
  await within(operation).findByText('Coming soon')
  expect(within(operation).queryByRole('button', { name: 'Run' })).toBeNull()
})

test('shows that a group does not exist', async ({ open, user }) => {
  await open(paths.referenceGroup('chat.chat'), null)
  await expect.poll(() => document.title).toBe('chat.chat · API reference · Relaydeck')
  await open(paths.referenceGroup('no.such'), null)
  await screen.findByRole('heading', { name: 'Group not found' })
  await user.click(screen.getByRole('link', { name: 'All groups' }))
  await screen.findByRole('heading', { name: 'API reference' })
})
