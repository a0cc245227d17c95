// Tests of Administration, Overview: numbers link to their lists, which have the same sums.
import { within } from '@testing-library/react'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { paths } from '#src/lib/paths.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'

const test = testWith({ INVOICE_DETAILS: 'IBAN' })

test('shows no money while everything is included', async ({ open, api, service }) => {
  const operator = await newOperator(service)
  await api(settings.setBilling, { billing: 'off', reason: 'A test' }, operator)
  await open(paths.operator(), operator)
  await screen.findByText('Nothing waits for you.')
  expect(screen.queryByRole('heading', { name: 'Revenue' })).toBeNull()
  await api(settings.setBilling, { billing: 'plans', reason: 'End of the test' }, operator)
})

test('shows what waits for a decision and revenue, and links to lists with the same numbers', async ({
  open,
  user,
  person,
  api,
  service,
}) => {
  const operator = await newOperator(service)
  const invoice = async (amount: number) => {
    const { payment_id } = await api(payments.create, { project_id: person.projectId, type: 'topup', amount })
    await api(paySystems.create, { payment_id })
    return payment_id
  }
  await open(paths.operator(), operator)
  await screen.findByText('Nothing waits for you.')
  screen.getByText(/No backup yet/)

  await invoice(1_234)
  const paid = await invoice(2_500)
  await api(operatorPayments.markPaid, { payment_id: paid, amount: 2_500, reason: 'Statement' }, operator)
  await open(paths.operator(), operator)
  const inbox = within(await screen.findByRole('list', { name: 'Waits for your decision' }))
  expect(inbox.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Transfers to confirmOldest: .*1$/),
  ])
  const revenue = within(screen.getByRole('region', { name: 'Revenue' }))
  expect(revenue.getByText('Last month').nextElementSibling).toHaveTextContent('None')
  expect(revenue.getByText('Unpaid invoices').nextElementSibling).toHaveTextContent('$12.34 1 invoice')
  await user.click(revenue.getByRole('link', { name: /^\$25/ }))
  await screen.findByText(/^Sum/)
  expect(screen.getByText(/^Sum/)).toHaveTextContent(/^Sum: \$25(\.00)?$/)
  expect(within(await screen.findByRole('list', { name: 'Money' })).getAllByRole('listitem')).toHaveLength(1)

  await user.click(screen.getByRole('link', { name: 'Overview' }))
  await user.click(await screen.findByRole('link', { name: 'Transfers to confirm' }))
  await screen.findByRole('button', { name: /^Mark payment \d+ as paid$/ })
  expect(screen.getByLabelText('Status')).toHaveValue('transfer')
  expect(screen.getAllByRole('button', { name: /as paid$/ })).toHaveLength(1)
})
