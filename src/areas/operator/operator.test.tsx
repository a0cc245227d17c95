// Tests of the operator's pages: access, the switch of plans, the registration bonus.
import { within } from '@testing-library/react'
import { settings } from '#contract/areas/operator/settings.ts'
import { paths } from '#src/lib/paths.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('shows the link and the pages to operators only', async ({ open, user, service }) => {
  await open(paths.operator())
  await screen.findByText('Operators only')
  await user.click(screen.getByRole('button', { name: 'Account' }))
  expect(screen.queryByRole('link', { name: 'Administration' })).toBeNull()

  await open(paths.account(), await newOperator(service))
  await user.click(await screen.findByRole('button', { name: 'Account' }))
  await user.click(await screen.findByRole('link', { name: 'Administration' }))
  await screen.findByRole('heading', { name: 'Plans apply' })
  const tabs = within(screen.getByRole('navigation', { name: 'Administration' })).getAllByRole('link')
  expect(tabs.map(({ textContent }) => textContent)).toEqual([
    'General',
    'Projects',
    'Plans',
    'Promo codes',
    'Payments',
    'Payouts',
    'Papers and taxes',
    'Log',
    'Health',
  ])
})

test('names the effects of switching plans off and on before it does', async ({ open, user, fill, api, service }) => {
  const operator = await newOperator(service)
  await open(paths.operator(), operator)
  for (const [button, effect, done] of [
    ['Switch plans off', /the Billing page disappear/, 'Plans are off. Every project has all features.'],
    ['Switch plans on', /without a bought plan gets? the free plan/, 'Plans apply to all projects.'],
  ] as const) {
    await user.click(await screen.findByRole('button', { name: button }))
    const dialog = within(await screen.findByRole('dialog'))
    dialog.getByText(effect)
    expect(dialog.getByRole('button', { name: button })).toHaveAttribute('aria-disabled', 'true')
    await fill('Reason', 'A test')
    await user.click(dialog.getByRole('button', { name: button }))
    await screen.findByText(done)
  }
  expect((await api(settings.get, {}, operator)).billing).toBe('plans')
})

test('changes the registration bonus', async ({ open, user, fill, service }) => {
  await open(paths.operator(), await newOperator(service))
  await user.click(await screen.findByRole('button', { name: 'Change bonus' }))
  await fill('US dollars', 'many')
  await screen.findByText('Enter an amount such as 9.90')
  await fill('US dollars', '9,90')
  await fill('Reason', 'Spring')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('$9.90')
})
