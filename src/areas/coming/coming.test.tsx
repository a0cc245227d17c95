// Tests of pages whose operations are not served yet.
import { within } from '@testing-library/react'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('lists the operations of a page that is not served, and links their reference', async ({ open, user, person }) => {
  await open(paths.billing(person.projectId))
  await user.click(await screen.findByRole('link', { name: 'Payouts' }))
  await screen.findByText(/Coming soon/)
  expect(location.pathname).toBe(`${paths.billing(person.projectId)}/payouts`)
  await expect.poll(() => document.title).toBe('Payouts · Relaydeck')
  await user.click(within(screen.getByRole('main')).getByText(/2 operations/))
  await screen.findByText(/Get payout data for create/)
  await user.click(screen.getByRole('link', { name: 'Payout in the API reference' }))
  await expect.poll(() => location.pathname).toBe(paths.referenceGroup('billing.payouts'))
  history.back()
  await expect.poll(() => screen.queryByRole('link', { name: 'Payouts' })).toHaveAttribute('aria-current', 'page')
})
