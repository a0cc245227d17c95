// Tests of the Billing page: tabs and the balance by type.
import { within } from '@testing-library/react'
import { paths } from '#src/lib/paths.ts'
import { region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('shows the three balance types in words, and the tabs', async ({ open, person }) => {
  await open(paths.billing(person.projectId))
  const balance = await region('Balance')
  await within(balance).findByText('Earned balance')
  expect(within(balance).getByText(/bonus balance first/)).toBeVisible()
  const nav = screen.getByRole('navigation', { name: 'Billing' })
  expect(
    within(nav)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Balance', 'History', 'Cards and details', 'Payouts', 'Referrals'])
  await expect.poll(() => document.title).toMatch(/^Billing/)
})
