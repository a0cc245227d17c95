// Tests of top-ups and of the page of a payment, with manual invoices as the provider.
import { within } from '@testing-library/react'
import { payments } from '#contract/areas/billing/payments.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { paths } from '#src/lib/paths.ts'
import { button, dialog, region } from '#src/testing/find.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'
import { newOperator } from '#server/testing/test-app.ts'

const test = testWith({ INVOICE_DETAILS: 'IBAN DE00 1234' })

test('tops up by invoice: limits, instructions, the transfer, the receipt and the history', async ({
  open,
  user,
  fill,
  person,
  api,
  service,
}) => {
  const { projectId: project_id } = person
  await open(paths.billing(project_id))
  await region('Top up')
  await fill('Amount', '0.50')
  await user.click(await button('Pay $0.50'))
  await expect.poll(() => screen.getByLabelText('Amount')).toBeInvalid()
  expect((await api(payments.list, { project_id })).total).toBe(0)

  await fill('Amount', '9.90')
  await user.click(await button('Pay $9.90'))
  await screen.findByText('IBAN DE00 1234')
  await screen.findByText('Transfer $9.90 with these details. The balance changes when the transfer has arrived.')
  const [payment] = (await api(payments.list, { project_id })).results
  const id = payment?.payment_id ?? 0
  expect(location.pathname).toBe(paths.payment(project_id, id))
  expect(await screen.findByRole('link', { name: /^Invoice / })).toHaveAttribute(
    'href',
    expect.stringContaining('/papers/'),
  )

  const operator = await newOperator(service)
  const paid = { payment_id: id, amount: 990, reason: 'Statement 7' }
  expect((await service.api(operatorPayments.markPaid, paid, { as: operator })).status).toBe(200)
  await screen.findByText('Paid. $9.90 was added to your balance.')
  expect(screen.queryByRole('button', { name: 'Cancel payment' })).toBeNull()
  await screen.findByRole('link', { name: /^Receipt / })

  await open(paths.billing(project_id, 'history'))
  const table = within(await screen.findByRole('table', { name: 'Money movements' }))
  expect(table.getAllByText('Paid')[0]).toBeInTheDocument()
  const [papers] = table.getAllByRole('button', { name: 'Papers' })
  if (papers) await user.click(papers)
  const paper = await within(await dialog()).findByRole('link', { name: /^Receipt / })
  expect(paper).toHaveAttribute('href', expect.stringMatching(/\/papers\/.+\.html\?ticket=/))
  await user.keyboard('{Escape}')
  const archive = await within(await region('Papers by month')).findByRole('link', { name: 'Download 2 papers (ZIP)' })
  expect(archive).toHaveAttribute('href', expect.stringMatching(/\/papers\/archives\/.+\.zip\?ticket=/))
})

test('continues and cancels an unfinished payment', async ({ open, user, person, api }) => {
  const { projectId: project_id } = person
  const { payment_id } = await api(payments.create, { project_id, type: 'topup', amount: 500 })
  await open(paths.billing(project_id))
  await user.click(await button('Continue: $5.00, top-up'))
  await screen.findByText('IBAN DE00 1234')
  await user.click(await button('Cancel payment'))
  await screen.findByText('The payment was cancelled. Nothing was charged.')
  expect((await api(payments.get, { project_id, payId: payment_id })).status).toBe('cancel')
  await open(paths.billing(project_id))
  await region('Top up')
  expect(screen.queryByRole('region', { name: 'Unfinished payments' })).toBeNull()
})

test('says that the provider’s page was left, and lets the customer continue', async ({
  open,
  person,
  api,
  service,
}) => {
  const { projectId: project_id } = person
  const { payment_id } = await api(payments.create, { project_id, type: 'topup', amount: 500 })
  await service.app.db.updateTable('payments').set({ provider: 'paypal' }).where('id', '=', payment_id).execute()
  await open(`${paths.payment(project_id, payment_id)}?left=1&token=4711`)
  await screen.findByText('You left the payment page. Nothing was charged.')
  expect(screen.queryByText(/waiting for the provider/)).toBeNull()
  await button('Continue')
})

test.for([
  ['error', 'card_declined'],
  ['error', 'expired'],
  ['cancel', null],
] as const)(
  'offers another try after a top-up that ended as %s %s',
  async ([status, reason], { open, user, person, api, service }) => {
    const { projectId: project_id } = person
    const { payment_id } = await api(payments.create, { project_id, type: 'topup', amount: 1250 })
    await service.app.db.updateTable('payments').set({ status, reason }).where('id', '=', payment_id).execute()
    await open(paths.payment(project_id, payment_id))
    await user.click(await screen.findByRole('link', { name: 'Try again' }))
    await region('Top up')
    expect(await screen.findByLabelText('Amount')).toHaveValue('12.50')
    await button('Pay $12.50')
  },
)

test('offers another try after a purchase that failed, in the catalogue with its period', async ({
  open,
  user,
  person,
  api,
  service,
}) => {
  const { projectId: project_id } = person
  const { payment_id } = await api(payments.create, { project_id, type: 'topup', amount: 500 })
  const failed = { status: 'error', reason: 'card_declined', type: 'restream', period: 'year', title: 'Pro' } as const
  await service.app.db.updateTable('payments').set(failed).where('id', '=', payment_id).execute()
  await open(paths.payment(project_id, payment_id))
  await user.click(await screen.findByRole('link', { name: 'Try again' }))
  await region('Available plans')
  expect(location.pathname + location.search).toBe(`${paths.tariffs(project_id)}?period=year`)
})

test('shows the reason when a paid plan was not bought, and a failed payment', async ({
  open,
  person,
  api,
  service,
}) => {
  const { projectId: project_id } = person
  const { payment_id } = await api(payments.create, { project_id, type: 'topup', amount: 500 })
  const set = (values: object) =>
    service.app.db.updateTable('payments').set(values).where('id', '=', payment_id).execute()
  await set({
    status: 'success',
    type: 'storage',
    title: 'Space',
    credited_minor: 500,
    purchase: JSON.stringify({ outcome: 'kept', reason: 'QuoteChanged' }),
  })
  await open(paths.payment(project_id, payment_id))
  await screen.findByText('Paid, but Space was not bought. $5.00 is in your balance.')
  expect(screen.getByText(/The price or the plans of the project changed/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to plans' })).toHaveAttribute(
    'href',
    paths.tariffs(project_id, 'storage'),
  )
  await set({ status: 'error', reason: 'card_declined', purchase: null })
  await open(paths.payment(project_id, payment_id))
  await screen.findByText('The payment failed. Nothing was charged.')
  expect(screen.getByText(/The bank declined the card/)).toBeVisible()
})
