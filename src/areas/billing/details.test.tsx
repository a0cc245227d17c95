// Tests of the Cards and details tab: billing details, their checks, and the change of currency.
import { within } from '@testing-library/react'
import { renewals } from '#contract/areas/billing/renewals.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { paths } from '#src/lib/paths.ts'
import { button, confirm, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

const title = 'Billing details'
const save = 'Save details'

test('keeps the billing details that an owner enters', async ({ open, user, fill, person, api }) => {
  await open(paths.billing(person.projectId, 'cards'))
  const card = await region(title)
  await user.selectOptions(within(card).getByLabelText('Country'), 'Germany')
  await fill('E-mail for receipts', 'robin@example.com')
  await fill('Company (optional)', '<script>alert(1)</script>')
  await user.click(await button(save))
  const field = (name: string) => screen.getByLabelText(name)
  await expect.poll(() => field('Street')).toBeInvalid()
  for (const [name, text] of [
    ['Street', 'Unter den Linden'],
    ['House number', '1'],
    ['City', 'Berlin'],
    ['Postal code', '10117'],
    ['State or region', 'Berlin'],
  ] as const)
    await fill(name, text)
  await user.click(await button(save))
  await screen.findByText('Billing details saved.')
  const { result } = await api(paySettings.get, { project_id: person.projectId })
  expect(result).toMatchObject({
    countrie_id: 276,
    city: 'Berlin',
    company_name: '<script>alert(1)</script>',
    tax_id: null,
  })
  await open(paths.billing(person.projectId, 'cards'))
  expect(await screen.findByLabelText('City')).toHaveValue('Berlin')
})

test('names the reasons that hold the currency, and requires no address in Russia', async ({
  open,
  user,
  fill,
  person,
}) => {
  await open(paths.billing(person.projectId, 'cards'))
  const card = await region(title)
  await user.selectOptions(within(card).getByLabelText('Country'), 'Russia')
  await screen.findByText(/needs another currency.*The balance is not empty/)
  expect(screen.queryByLabelText('Street')).toBeNull()
  await fill('E-mail for receipts', 'robin@example.com')
  await user.click(await button(save))
  await screen.findByText('The currency of the project cannot change now')
  expect(within(card).getByLabelText('Country')).toBeInvalid()
})

test('requires a country', async ({ open, user, fill, person }) => {
  await open(paths.billing(person.projectId, 'cards'))
  await fill('E-mail for receipts', 'no address')
  await user.click(await button(save))
  const card = await region(title)
  await expect.poll(() => within(card).getByLabelText('Country')).toBeInvalid()
  expect(within(card).getByText('Enter an e-mail address')).toBeVisible()
})

test('is for owners', async ({ open, person, another, service }) => {
  const owner = await another('Maria')
  await service.join(person, owner.projectId, 1)
  await open(paths.billing(owner.projectId, 'cards'))
  await screen.findByText('Only owners see cards and billing details')
  expect(screen.queryByLabelText('Country')).toBeNull()
})

test('switches the automatic renewal of a plan, and shows its next charge', async ({ open, user, person, api }) => {
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 2, period: 'month' })
  await open(paths.billing(person.projectId, 'cards'))
  const card = await region('Automatic renewal')
  const control = await within(card).findByRole('switch', { name: 'Renew Restream: Start automatically' })
  expect(control).toHaveAttribute('aria-checked', 'false')
  await user.click(control)
  await within(card).findByText(/^Renews on .* for \$4\.90 from the balance\.$/)
  const { results } = await api(renewals.list, { project_id: person.projectId })
  expect(results).toMatchObject([{ line: 'restream', enabled: true, amount: 490, reason: null }])
})

test('shows why a renewal failed, and retries it', async ({ open, user, person, api, service }) => {
  const { projectId: project_id } = person
  await api(restream.buy, { project_id, plan_restream_id: 2, period: 'month' })
  await api(restream.prolongation, { project_id, enabled: true })
  const [shown] = (await api(renewals.list, { project_id })).results
  const { db } = service.app
  const failed = {
    line: 'restream',
    state: 'stopped',
    reason: 'no_method',
    tries: 5,
    date_next: '',
  } as const
  const date_end = shown?.date_end ?? ''
  await db
    .insertInto('renewals')
    .values({ ...failed, project_id, date_end })
    .execute()
  await open(paths.billing(project_id, 'cards'))
  await screen.findByText(/^The balance is too low, and no payment method is saved\. The plan ends on /)
  await user.click(await button('Retry now'))
  await expect
    .poll(() => db.selectFrom('renewals').select('state').where('project_id', '=', project_id).executeTakeFirst())
    // The balance pays for it.
    .toEqual({ state: 'done' })
})

test('makes another method the default, and deletes one', async ({ open, user, person, service }) => {
  const { projectId: project_id } = person
  const method = { project_id, provider: 'stripe', token_sealed: 'sealed', expires: '2029-07', date_create: '' }
  const { db } = service.app
  const rows = [
    { ...method, title: 'Visa •••• 4242', token_hash: 'a', is_default: 1 as const },
    { ...method, title: 'Mir •••• 0001', token_hash: 'b', expires: null, is_default: 0 as const },
  ]
  await db.insertInto('payment_methods').values(rows).execute()
  await open(paths.billing(project_id, 'cards'))
  await screen.findByText('Expires 07/2029')
  await user.click(await button('Make default'))
  await expect
    .poll(() =>
      db
        .selectFrom('payment_methods')
        .select('title')
        .where('project_id', '=', project_id)
        .where('is_default', '=', 1)
        .execute(),
    )
    .toEqual([{ title: 'Mir •••• 0001' }])
  const row = (await screen.findByText('Mir •••• 0001')).closest('li')
  await user.click(await button('Delete', row ?? undefined))
  await confirm(user)
  await expect.poll(() => screen.queryByText('Mir •••• 0001')).toBeNull()
  expect(screen.getByText('Visa •••• 4242')).toBeVisible()
})
