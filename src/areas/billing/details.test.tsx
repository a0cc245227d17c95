// Tests of the Cards and details tab: billing details, their checks, and the change of currency.
import { within } from '@testing-library/react'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { paths } from '#src/lib/paths.ts'
import { button, region } from '#src/testing/find.ts'
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
  await fill('E-mail for receipts', 'nobody')
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
