// Tests of the operator's page of papers and taxes.
import { within } from '@testing-library/react'
import { paths } from '#src/lib/paths.ts'
import { dialog, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'
import { newOperator } from '#server/testing/test-app.ts'

test('sets seller, tax, exchange rate and receipt codes', async ({ open, user, fill, service }) => {
  await open(paths.operator('papers'), await newOperator(service))
  const save = async () => {
    await fill('Reason', 'Start')
    await user.click(within(await dialog()).getByRole('button', { name: 'Save' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  }
  await screen.findByText(/Papers name no seller/)
  await within(await region('Papers by month')).findByText('No papers yet.')
  await user.click(screen.getByRole('button', { name: 'Change seller' }))
  await fill('Name', 'Relay GmbH')
  await fill('Address', 'Street 1')
  await save()
  await within(await region('Seller')).findByText('Relay GmbH')

  await user.click(screen.getByRole('button', { name: 'Add country' }))
  await user.selectOptions(screen.getByLabelText('Country'), 'Germany')
  await fill('Percent', '19')
  await fill('Name on papers', 'VAT')
  await save()
  await within(await region('Taxes')).findByText('VAT 19%')

  await user.click(screen.getByRole('button', { name: /^Change rate/ }))
  await fill(/ for \$1/, '92,50')
  await save()
  await screen.findByText('$1.00 = ₽92.50')

  await user.click(screen.getByRole('button', { name: 'Change codes' }))
  await user.selectOptions(screen.getByLabelText('VAT'), 'No VAT')
  await fill('Reason', 'Start')
  await user.click(within(await dialog()).getByRole('button', { name: 'Save' }))
  await screen.findByText('Choose both codes or neither')
  await user.selectOptions(screen.getByLabelText('Tax system'), 'Simplified: income')
  await save()
  await within(await region('Receipts by 54-FZ')).findByText('No VAT')
})

test('names the missing provider to operators and owners', async ({ open, service, person }) => {
  await open(paths.operator('general'), await newOperator(service))
  await screen.findByText(/Projects cannot pay: no payment provider is set/)
  await open(paths.billing(person.projectId), person)
  await screen.findByText(/This server accepts no payments yet/)
})
