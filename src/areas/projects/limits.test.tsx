// An installation without plans: limits of the server, no prices, no purchases, also not by address.
import { paths } from '#src/lib/paths.ts'
import { region } from '#src/testing/find.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'

const test = testWith({ BILLING: 'off' })

test('billing check 1: shows the limits of the server with their figures, at every address of plans and money', async ({
  open,
  person,
}) => {
  const id = person.projectId
  const pages = [paths.tariffs(id), paths.tariffs(id, 'storage'), paths.billing(id), paths.billing(id, 'referrals')]
  for (const path of [...pages, paths.project(id)]) {
    await open(path)
    const limits = await region('Limits of this server')
    await expect.poll(() => location.pathname).toBe(paths.project(id))
    expect(limits).toHaveTextContent('Channels on at the same time1,000')
    expect(limits).toHaveTextContent('Space for recordings20 GB')
    expect(limits).toHaveTextContent('Transcoders4')
    expect(limits).not.toHaveTextContent('RECORD_LIMIT')
  }
})

test('lets the operator change the limits, with a reason, and shows them to projects', async ({
  open,
  service,
  person,
  user,
  fill,
}) => {
  const operator = await newOperator(service)
  await open(paths.project(operator.projectId), operator)
  await user.click(await screen.findByRole('link', { name: 'Change limits' }))
  await user.click(await screen.findByRole('button', { name: 'Change limits' }))
  await fill('Channels on at the same time', '0')
  await screen.findByText('Enter a whole number from 1 to 1000')
  await fill('Channels on at the same time', '12')
  await fill('Space for recordings, GB', '5')
  await fill('Transcoders', '2')
  await fill('Reason', 'A small disk')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await open(paths.project(person.projectId))
  const limits = await region('Limits of this server')
  expect(limits).toHaveTextContent('Channels on at the same time12Space for recordings5 GBTranscoders2')
  expect(screen.queryByRole('link', { name: 'Change limits' })).toBeNull()
})

test('billing check 1: names neither plans nor money on any page', async ({ open, person }) => {
  const id = person.projectId
  for (const path of [
    paths.home(id),
    paths.ingest(id),
    paths.ingest(id, 'pull'),
    paths.ingest(id, 'transcoders'),
    paths.project(id),
    paths.project(id, 'members'),
    paths.project(id, 'history'),
    paths.channels(id),
    paths.channels(id, 'add'),
    paths.broadcasts(id, 'recordings'),
    paths.chat(id),
    paths.analytics(id),
    paths.notifications(id),
    paths.notifications(id, 'settings'),
    paths.account(),
  ]) {
    await open(path)
    await screen.findByRole('heading', { level: 1 })
    await expect.poll(() => document.querySelector('[aria-busy=true]')).toBeNull()
    await expect
      .poll(() => document.body.textContent)
      .not.toMatch(/\bplans?\b|balance|billing|payment|money|gift|price|\$|₽/i)
  }
})
