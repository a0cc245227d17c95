// Tests of purchases that the balance does not cover, paid by manual invoice.
import { within } from '@testing-library/react'
import { payments } from '#contract/areas/billing/payments.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { paths } from '#src/lib/paths.ts'
import { confirm, dialog } from '#src/testing/find.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'
import { tariffs } from '#src/testing/tariffs-page.ts'

const test = testWith({ INVOICE_DETAILS: 'IBAN DE00 1234' })

test('pays what the balance lacks, and the plan is bought when the payment arrives', async ({
  open,
  user,
  person,
  api,
  service,
}) => {
  const { projectId: project_id } = person
  await open(`${paths.tariffs(project_id)}?period=year&plan=4`)
  const quote = await tariffs.quote('Quote for Business')
  await user.click(await within(quote).findByRole('button', { name: 'Pay $142.92 and buy' }))
  expect(await dialog()).toHaveTextContent('$142.92 is left to pay.')
  await confirm(user)
  await screen.findByText('IBAN DE00 1234')
  const [payment] = (await api(payments.list, { project_id })).results
  expect(payment).toMatchObject({ type: 'restream', amount: 14_292, plan_period: 'year', status: 'pending' })
  const id = payment?.payment_id ?? 0
  await service.app.db.updateTable('invoices').set({ paid_minor: 14_292 }).where('payment_id', '=', id).execute()
  await api(payments.get, { project_id, payId: id })
  await screen.findByText('Paid. You bought Business.')
  expect((await api(restream.slots, { project_id })).current?.id).toBe(4)
})

test('shows the new price when it changed since the quote, and pays that', async ({ open, user, person, api }) => {
  const { projectId: project_id } = person
  await open(`${paths.tariffs(project_id)}?period=year&plan=4`)
  const quote = await tariffs.quote('Quote for Business')
  await user.click(await within(quote).findByRole('button', { name: 'Pay $142.92 and buy' }))
  await api(storage.buy, { project_id, plan_storage_id: 1, size: 100, period: 'month' })
  await confirm(user)
  await expect
    .poll(async () => (await dialog()).textContent)
    .toContain('The price has changed. Nothing has been bought.')
  expect((await api(payments.list, { project_id })).total).toBe(0)
  await confirm(user)
  await screen.findByText('IBAN DE00 1234')
  const [payment] = (await api(payments.list, { project_id })).results
  expect(payment?.amount).toBeGreaterThan(14_292)
})
