// Tests of the operator's pages: access, the switch of plans, the registration bonus.
import { within } from '@testing-library/react'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { paths } from '#src/lib/paths.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { expect, screen, test, testWith } from '#src/testing/page-test.tsx'

test('shows the link and the pages to operators only', async ({ open, user, service }) => {
  await open(paths.operator())
  await screen.findByText('Operators only')
  await user.click(screen.getByRole('button', { name: 'Account' }))
  expect(screen.queryByRole('link', { name: 'Administration' })).toBeNull()

  await open(paths.account(), await newOperator(service))
  await user.click(await screen.findByRole('link', { name: 'Administration' }))
  await screen.findByRole('heading', { name: 'Waits for your decision' })
  const tabs = within(screen.getByRole('navigation', { name: 'Administration' })).getAllByRole('link')
  expect(tabs.map(({ textContent }) => textContent)).toEqual([
    'Overview',
    'General',
    'Projects',
    'People',
    'Plans',
    'Sold plans',
    'Promo codes',
    'Payments',
    'Money',
    'Payouts',
    'Papers and taxes',
    'Log',
    'Servers',
    'Health',
  ])
})

test('names the effects of switching plans off and on before it does', async ({ open, user, fill, api, service }) => {
  const operator = await newOperator(service)
  await open(paths.operator('general'), operator)
  for (const [button, effect, done] of [
    ['Switch plans off', /purchases disappear/, 'Plans are off. Every project has all features.'],
    ['Switch plans on', /without a bought plan gets? the free plan/, 'Plans apply to all projects.'],
  ] as const) {
    await user.click(await screen.findByRole('button', { name: button }))
    const dialog = within(await screen.findByRole('dialog'))
    dialog.getByText(effect)
    expect(dialog.queryByText(/account/)).toBeNull()
    expect(dialog.getByRole('button', { name: button })).toHaveAttribute('aria-disabled', 'true')
    await fill('Reason', 'A test')
    await user.click(dialog.getByRole('button', { name: button }))
    await screen.findByText(done)
  }
  expect((await api(settings.get, {}, operator)).billing).toBe('plans')
})

const auto = testWith({ SIGN_UP: 'auto' })
auto('says that plans open sign-up to every visitor', async ({ open, user, service }) => {
  await open(paths.operator('general'), await newOperator(service))
  await user.click(await screen.findByRole('button', { name: 'Switch plans off' }))
  within(await screen.findByRole('dialog')).getByText('New accounts need an invitation to a project.')
})

const invoices = testWith({ INVOICE_DETAILS: 'IBAN' })
invoices(
  'keeps payments of operators and receipts of customers in reach while plans are off',
  async ({ open, user, person, api, service }) => {
    const operator = await newOperator(service)
    const off = { billing: 'off', reason: 'A test' } as const
    const { project_id, payment_id } = {
      project_id: person.projectId,
      ...(await api(payments.create, { project_id: person.projectId, type: 'topup', amount: 2000 })),
    }
    await api(paySystems.create, { payment_id })
    await api(operatorPayments.markPaid, { payment_id, amount: 2000, reason: 'Statement' }, operator)
    await api(settings.setBilling, off, operator)

    await open(paths.operator('general'), operator)
    await user.click(await screen.findByRole('link', { name: 'Payments' }))
    await screen.findByRole('button', { name: `Refund payment ${payment_id}` })
    for (const name of ['Plans', 'Promo codes'])
      expect(
        within(screen.getByRole('navigation', { name: 'Administration' })).queryByRole('link', { name }),
      ).toBeNull()

    await open(paths.tariffs(project_id), person)
    await user.click(await screen.findByRole('link', { name: 'Payments and receipts' }))
    const [papers] = await screen.findAllByRole('button', { name: /^Papers/ })
    await user.click(papers!)
    await screen.findByRole('link', { name: /^Receipt/ })
    expect(location.pathname).toBe(paths.billing(project_id, 'history'))
  },
)

test('changes the registration bonus', async ({ open, user, fill, service }) => {
  await open(paths.operator('general'), await newOperator(service))
  await user.click(await screen.findByRole('button', { name: 'Change bonus' }))
  await fill('US Dollar', 'many')
  await screen.findByText('Enter an amount such as 9.90')
  await fill('US Dollar', '9,90')
  await fill('Reason', 'Spring')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('$9.90')
})
