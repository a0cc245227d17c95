// Tests of the operator's pages of promo codes and payouts.
import { within } from '@testing-library/react'
import { payouts } from '#contract/areas/billing/payouts.ts'
import { paths } from '#src/lib/paths.ts'
import { dialog, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'
import { newWay } from '#server/testing/promos.ts'
import { topUp } from '#server/testing/tariffs.ts'
import { newOperator } from '#server/testing/test-app.ts'

test('creates a promo code and ends it', async ({ open, user, fill, service }) => {
  await open(paths.operator('promos'), await newOperator(service))
  await user.click(await screen.findByRole('button', { name: 'Add code' }))
  await fill('Code', 'SPRING-5')
  await fill('Name', 'Spring')
  await fill('US Dollar', '5')
  await fill('Reason', 'Sale')
  await user.click(within(await dialog()).getByRole('button', { name: 'Save' }))
  const codes = await region('Promo codes')
  await within(codes).findByText('SPRING-5')
  expect(codes).toHaveTextContent('Spring · $5.00 · uses: 0')
  await user.click(within(codes).getByRole('button', { name: 'End code' }))
  await fill('Reason', 'Over')
  await user.click(within(await dialog()).getByRole('button', { name: 'End code' }))
  await within(codes).findByText('Ended')
})

test('creates codes that lower a price, and refuses 200 percent at its field', async ({
  open,
  user,
  fill,
  service,
}) => {
  await open(paths.operator('promos'), await newOperator(service))
  const add = async (type: string, code: string) => {
    await user.click(await screen.findByRole('button', { name: 'Add code' }))
    await fill('Code', code)
    await fill('Name', 'Autumn')
    await user.selectOptions(screen.getByLabelText('Effect'), type)
    await fill('Reason', 'Sale')
  }
  const save = async () => user.click(within(await dialog()).getByRole('button', { name: 'Save' }))
  await add('Percent off a purchase', 'AUTUMN')
  await fill('Percent off', '200')
  await save()
  await expect
    .poll(() => screen.getByLabelText('Percent off'))
    .toHaveAccessibleDescription(/Enter a whole number from 1 to 100/)
  await fill('Percent off', '15')
  await save()
  const codes = await region('Promo codes')
  await within(codes).findByText(/Autumn · 15% off a purchase/)
  await add('Amount off a purchase', 'AUTUMN2')
  await fill('US Dollar', '3')
  await save()
  await within(codes).findByText(/Autumn · \$3\.00 off a purchase/)
  within(codes).getByRole('button', { name: 'Export CSV' })
})

test('marks a payout as sent, and sets the referral percent', async ({ open, user, fill, person, service, api }) => {
  const way = await newWay(service.app.db)
  await topUp({ db: service.app.db, clock: service.clock }, person.projectId, { bonus: 0, payment: 0, profit: 3000 })
  const request = { payout_system_account_id: way, amount: 2000, wallet_value: 'IBAN 1234' }
  await api(payouts.create, { project_id: person.projectId, ...request })
  await open(paths.operator('payouts'), await newOperator(service))
  const queue = await region('Payout requests')
  await within(queue).findByText(/IBAN 1234 · recipient gets \$19\.50/)
  await user.click(within(queue).getByRole('button', { name: 'Mark as sent' }))
  await fill('Transfer reference', 'T-1')
  await fill('Reason', 'Paid')
  await user.click(within(await dialog()).getByRole('button', { name: 'Mark as sent' }))
  await within(queue).findByText('Sent')
  const { results } = await api(payouts.list, { project_id: person.projectId })
  expect(results[0]).toMatchObject({ status: 'sent', reference: 'T-1' })
  await user.click(await screen.findByRole('button', { name: 'Change percent' }))
  await fill('Percent', '12,5')
  await fill('Reason', 'Start')
  await user.click(within(await dialog()).getByRole('button', { name: 'Save' }))
  await within(await region('Referral percent')).findByText('12.5%')
})
