// Tests of the Billing page: tabs, the balance by type, the history of movements.
import { within } from '@testing-library/react'
import { vi } from 'vitest'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { paths } from '#src/lib/paths.ts'
import { region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('shows the three balance types in words, and the tabs', async ({ open, person }) => {
  await open(paths.billing(person.projectId))
  const balance = await region('Balance')
  await within(balance).findByText('Earned balance')
  expect(within(balance).getByText(/bonus balance first/)).toBeVisible()
  const nav = within(screen.getByRole('main')).getByRole('navigation', { name: 'Plans & billing' })
  expect(
    within(nav)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Restream', 'Transcoding', 'Storage', 'Balance', 'History', 'Cards and details', 'Payouts', 'Referrals'])
  await expect.poll(() => document.title).toMatch(/^Balance/)
})

test('lists movements with the balance after each, filters them in the URL and exports them', async ({
  open,
  user,
  person,
  api,
}) => {
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 2, period: 'month' })
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${saved.push(file as Blob)}`)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  await open(paths.billing(person.projectId, 'history'))
  const table = await screen.findByRole('table', { name: 'Money movements' })
  const rows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1)
  expect(within(table).getByText('Restream plan')).toBeVisible()
  expect(rows()[0]).toHaveTextContent(/Start.*-\$4\.90.*\$175\.10/)
  expect(rows()[1]).toHaveTextContent(/Registration bonus.*\+\$180\.00/)
  await user.selectOptions(screen.getByLabelText('Movement'), 'Bonuses and promo codes')
  await expect.poll(() => rows().length).toBe(1)
  expect(location.search).toBe('?purpose=bonus')
  await user.click(screen.getByRole('button', { name: 'Export CSV' }))
  await expect.poll(() => saved.length).toBe(1)
  expect(await saved[0]?.text()).toMatch(/,Registration bonus,,,Bonus balance,180,180,USD,,\r\n$/)
  vi.restoreAllMocks()
})

test('names the rights that a viewer lacks for the history', async ({ open, person, another, service }) => {
  const owner = await another('Maria')
  await service.join(person, owner.projectId, 0)
  await open(paths.billing(owner.projectId, 'history'))
  await screen.findByText('Only editors and owners see the history of money')
  expect(screen.queryByRole('table')).toBeNull()
})
