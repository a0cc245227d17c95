// Tests of the operator's page of payments.
import { within } from '@testing-library/react'
import { payments } from '#contract/areas/operator/payments.ts'
import { payments as ownPayments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { paths } from '#src/lib/paths.ts'
import { dialog, region } from '#src/testing/find.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'
import { newOperator } from '#server/testing/test-app.ts'

const test = testWith({ INVOICE_DETAILS: 'IBAN' })

test('marks an invoice as paid and refunds a part of it', async ({ open, user, fill, person, service, api }) => {
  const top = { project_id: person.projectId, type: 'topup', amount: 2000 } as const
  const { payment_id: id } = await api(ownPayments.create, top)
  const operator = await newOperator(service)
  await open(paths.operator('payments'), operator)
  const list = await region('Payments')
  const press = async (name: string) => user.click(await within(list).findByRole('button', { name }))
  const confirm = async (name: string) => user.click(within(await dialog()).getByRole('button', { name }))
  const closed = () => expect.poll(() => screen.queryByRole('dialog')).toBeNull()

  await press(`Mark payment ${id} as paid`)
  await fill('Reason', 'Statement 7')
  await confirm('Mark as paid')
  await screen.findByText('The customer has not opened this invoice yet.')
  await api(paySystems.create, { payment_id: id }).catch(() => undefined)
  await fill('Amount received, USD', '19')
  await confirm('Mark as paid')
  await within(list).findByText('$19.00 arrived: another amount than requested. Nothing is credited.')
  await closed()

  await press(`Mark payment ${id} as paid`)
  await fill('Reason', 'Second transfer')
  await confirm('Mark as paid')
  await closed()
  await press(`Refund payment ${id}`)
  await fill('Amount, USD', '20.01')
  await fill('Reason', 'Asked by e-mail')
  await confirm('Refund')
  await screen.findByText(/^This is more than the payment/)
  await fill('Amount, USD', '7,50')
  await confirm('Refund')
  await within(list).findByText(/refunded \$7\.50/)
  const { results } = await api(payments.list, { project_id: person.projectId }, operator)
  expect(results[0]).toMatchObject({ status: 'success', refunded: 750, left: 1250 })
})

test('enters a dispute of an invoice, and ends it as won', async ({ open, user, fill, person, service, api }) => {
  const top = { project_id: person.projectId, type: 'topup', amount: 2000 } as const
  const { payment_id: id } = await api(ownPayments.create, top)
  await api(paySystems.create, { payment_id: id })
  const operator = await newOperator(service)
  await service.api(payments.markPaid, { payment_id: id, amount: 2000, reason: 'Statement' }, { as: operator })
  await open(paths.operator('payments'), operator)
  const list = await region('Payments')
  const press = async (name: string) => user.click(await within(list).findByRole('button', { name }))
  for (const [button, confirm] of [
    ['Enter dispute of payment', 'Enter dispute'],
    ['End dispute of payment', 'End dispute'],
  ] as const) {
    await press(`${button} ${id}`)
    await fill('Reason', 'Bank letter')
    await user.click(within(await dialog()).getByRole('button', { name: confirm }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  }
  await within(list).findByRole('button', { name: `Enter dispute of payment ${id}` })
})

test('says in words why a provider declined a payment', async ({ open, person, service, api }) => {
  const top = { project_id: person.projectId, type: 'topup', amount: 2000 } as const
  const { payment_id: id } = await api(ownPayments.create, top)
  const declined = { status: 'error', reason: 'instrument_declined' } as const
  await service.app.db.updateTable('payments').set(declined).where('id', '=', id).execute()
  await open(`${paths.operator('payments')}?project=${person.projectId}`, await newOperator(service))
  const list = await region('Payments')
  await within(list).findByText(/PayPal declined the account or card\./)
  expect(within(list).queryByText(/instrument_declined/)).toBeNull()
})

test.for([
  ['return', /^EUR.23\.00 was refunded or disputed, in another currency/],
  ['reinstated', /^A failed refund or a won dispute returned EUR.23\.00, in another currency/],
  ['refund', /^A refund of EUR.23\.00 has not been confirmed by the provider for 30 days/],
] as const)(
  'closes the case of a return that is not booked: %s',
  async ([reason, text], { open, user, fill, person, service, api }) => {
    const top = { project_id: person.projectId, type: 'topup', amount: 2000 } as const
    const { payment_id: id } = await api(ownPayments.create, top)
    await api(paySystems.create, { payment_id: id })
    const operator = await newOperator(service)
    await service.api(payments.markPaid, { payment_id: id, amount: 2000, reason: 'Statement' }, { as: operator })
    const review = JSON.stringify({ reason, amount: 2300, currency: 'eur' })
    await service.app.db.updateTable('payments').set({ review }).where('id', '=', id).execute()
    await open(`${paths.operator('payments')}?project=${person.projectId}`, operator)
    const list = await region('Payments')
    await within(list).findByText(text)
    await user.click(within(list).getByRole('button', { name: `Decide on payment ${id}` }))
    const asked = within(await dialog())
    asked.getByText(text)
    expect(asked.queryByLabelText('Decision')).toBeNull()
    await fill('Reason', 'Taken by hand')
    await user.click(asked.getByRole('button', { name: 'Close case' }))
    await expect.poll(() => within(list).queryByText(text)).toBeNull()
    const { results } = await api(payments.list, { project_id: person.projectId }, operator)
    expect(results[0]).toMatchObject({ status: 'success', left: 2000, review_case: null })
  },
)

test('keeps filters in the URL, and names providers with differences', async ({
  open,
  user,
  fill,
  service,
  answer,
}) => {
  answer(payments.providers, () =>
    Response.json({ results: [{ name: 'stripe', mismatches: 2, date_reconciled: null, date_event: null }] }),
  )
  answer(payments.list, () => Response.json({ total: 0, limit: 20, offset: 0, results: [] }))
  await open(paths.operator('payments'), await newOperator(service))
  await screen.findByText(/^Stripe: 2 payments differ from the provider/)
  await screen.findByText('No payments yet')
  for (const [label, choice, value] of [
    ['Status', 'Needs a decision', 'review'],
    ['Provider', 'Stripe', 'stripe'],
  ] as const) {
    await user.selectOptions(await screen.findByLabelText(label), choice)
    await expect.poll(() => screen.getByLabelText(label)).toHaveValue(value)
  }
  await fill('Project number', '7')
  await screen.findByText('No matching payments')
  expect(location.search).toBe('?status=review&provider=stripe&project=7')
})

test('credits an amount that differs from the invoice', async ({ open, user, fill, person, service, api }) => {
  const top = { project_id: person.projectId, type: 'topup', amount: 2000 } as const
  const { payment_id } = await api(ownPayments.create, top)
  await api(paySystems.create, { payment_id })
  const operator = await newOperator(service)
  const arrived = { payment_id, amount: 1900, reason: 'Statement 8' }
  expect((await service.api(payments.markPaid, arrived, { as: operator })).status).toBe(200)
  await open(paths.operator('payments'), operator)
  const list = await region('Payments')
  await user.click(await within(list).findByRole('button', { name: `Decide on payment ${payment_id}` }))
  await fill('Reason', 'Bank fee')
  await user.click(within(await dialog()).getByRole('button', { name: 'Decide' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  const payment = await api(ownPayments.get, { project_id: person.projectId, payId: payment_id })
  expect(payment).toMatchObject({ status: 'success' })
})
