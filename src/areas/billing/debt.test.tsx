// Tests of pages of a project with a debt after a chargeback.
import { within } from '@testing-library/react'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { paths } from '#src/lib/paths.ts'
import { region } from '#src/testing/find.ts'
import { expect, type PageFixtures, screen, testWith } from '#src/testing/page-test.tsx'
import { tariffs } from '#src/testing/tariffs-page.ts'

const test = testWith({ INVOICE_DETAILS: 'IBAN DE00 1234' })

type Tools = Pick<PageFixtures, 'person' | 'api' | 'service'>

/** Pays an invoice of which another amount may arrive. @returns the payment */
async function paidInvoice({ person, api, service }: Tools, amount: number, arrived = amount): Promise<number> {
  const operator = await newOperator(service)
  const { payment_id } = await api(payments.create, { project_id: person.projectId, type: 'topup', amount })
  await api(paySystems.create, { payment_id })
  await service.api(operatorPayments.markPaid, { payment_id, amount: arrived, reason: 'Statement' }, { as: operator })
  if (arrived !== amount)
    await service.api(operatorPayments.resolve, { payment_id, book: true, reason: 'Statement' }, { as: operator })
  return payment_id
}

/** Leaves the project with a debt of $29.90: the money of a disputed payment was spent. */
async function withDebt(tools: Tools): Promise<void> {
  const { person, service } = tools
  const payment_id = await paidInvoice(tools, 2_990)
  const spent = { bonus_minor: 0, payment_minor: 0, profit_minor: 0 }
  await service.app.db.updateTable('wallets').set(spent).where('project_id', '=', person.projectId).execute()
  const dispute = { payment_id, amount: 2_990, reason: 'Letter of the bank' }
  await service.api(operatorPayments.dispute, dispute, { as: await newOperator(service) })
}

test('shows the debt beside the balance, and its movements in the history', async ({ open, person, api, service }) => {
  const tools = { person, api, service }
  await withDebt(tools)
  await open(paths.billing(person.projectId))
  const balance = await region('Balance')
  expect(await within(balance).findByText('Debt')).toBeVisible()
  expect(balance).toHaveTextContent(/Debt-\$29\.90/)
  await open(paths.billing(person.projectId, 'history'))
  const [, last] = within(await screen.findByRole('table', { name: 'Money movements' })).getAllByRole('row')
  expect(last).toHaveTextContent(/Debt.*-\$29\.90/)
})

test('names the debt instead of a payment for a plan', async ({ open, person, api, service }) => {
  const tools = { person, api, service }
  await withDebt(tools)
  await open(`${paths.tariffs(person.projectId)}?plan=2`)
  const quote = await tariffs.quote('Quote for Start')
  const link = await within(quote).findByRole('link', { name: /debt of \$29\.90/ })
  expect(link).toHaveAttribute('href', paths.billing(person.projectId))
  const buy = await within(quote).findByRole('button', { name: /^Pay/ })
  expect(buy).toHaveAttribute('aria-disabled', 'true')
  expect(buy).toHaveAccessibleDescription(/debt of \$29\.90/)
})

test('says that a top-up covered the debt, wholly or in part', async ({ open, person, api, service }) => {
  const tools = { person, api, service }
  await withDebt(tools)
  await open(paths.payment(person.projectId, await paidInvoice(tools, 1_000)))
  await screen.findByText('Paid. $10.00 covered a debt of the project.')
  expect(screen.queryByText(/was added to your balance/)).toBeNull()
  await open(paths.billing(person.projectId, 'history'))
  const [, last] = within(await screen.findByRole('table', { name: 'Money movements' })).getAllByRole('row')
  expect(last).toHaveTextContent(/Debt.*\+\$10\.00.*-\$19\.90/)
  await open(paths.payment(person.projectId, await paidInvoice(tools, 3_000)))
  await screen.findByText('Paid. $10.10 was added to your balance.')
  expect(screen.getByText('$19.90 of it covered a debt of the project.')).toBeVisible()
})

test('operators see the debt in the list of projects', async ({ open, person, api, service }) => {
  const tools = { person, api, service }
  await withDebt(tools)
  await open(paths.operator('projects'), await newOperator(service))
  const title = await screen.findByText(new RegExp(`· ${person.projectId}$`))
  expect(title.closest('li')).toHaveTextContent(/Debt \$29\.90/)
})

test('shows the amount that arrived instead of the requested one', async ({ open, person, api, service }) => {
  const tools = { person, api, service }
  await open(paths.payment(person.projectId, await paidInvoice(tools, 11_900, 11_800)))
  await screen.findByText('Paid. $118.00 was added to your balance.')
  expect(screen.queryByText(/\$119\.00/)).toBeNull()
})
